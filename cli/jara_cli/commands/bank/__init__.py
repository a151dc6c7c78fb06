"""``jara bank``: statements of the bank."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import typer
from typer.main import get_group

from jara_cli.lazy_group import LazyGroup, add_placeholder

# Each verb: the module that holds it, and what the list of verbs says about it.
VERBS = {
    "import": ("files", "Import a statement: CAMT.053, MT940, OFX or CSV."),
    "waiting": ("lines", "List the lines that nothing is matched with."),
    "match": ("lines", "Say what a line that waits belongs to."),
    "rematch": ("lines", "Try again to match every line that waits."),
    "reconcile": ("files", "Compare the statements with the books."),
    "accounts": ("files", "List the accounts at the bank."),
    "rules": ("rules", "Rules for lines that come again and again."),
    "mappings": ("mappings", "How a bank's CSV is read."),
}

app = typer.Typer(cls=LazyGroup, no_args_is_help=True)


def _load(module: str, verb: str) -> Any:  # noqa: ANN401 - Typer's class is private
    holder = import_module(f"jara_cli.commands.bank.{module}")
    return get_group(holder.app).commands[verb]


for _verb, (_module, _line) in VERBS.items():
    add_placeholder(app, _verb, _line, partial(_load, _module, _verb))
