"""``jara bank``: statements of the bank."""

from __future__ import annotations

import typer

from jara_cli.lazy_group import LazyGroup

# Each verb: the module that holds it, and what the list of verbs says about it.
VERBS = {
    "import": ("files", "Import a statement: CAMT.053, MT940, OFX or CSV."),
    "waiting": ("lines", "List unmatched lines."),
    "match": ("lines", "Book an unmatched line."),
    "rematch": ("lines", "Match every waiting line again."),
    "reconcile": ("files", "Compare the statements with the books."),
    "accounts": ("files", "List the accounts at the bank."),
    "rules": ("rules", "Rules for lines that come again and again."),
    "mappings": ("mappings", "How a bank's CSV is read."),
}

app = typer.Typer(cls=LazyGroup, no_args_is_help=True)
