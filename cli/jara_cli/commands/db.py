"""``jara db``: move an organisation between databases."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from jara.bootstrap import build_from_environ
from jara.bootstrap.transfer import copy_organisation
from jara.domain.errors import Unavailable
from jara.records.journal import BalanceRow
from jara.services.context import Context
from jara.services.operations.upkeep import record_copy
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def describe() -> None:
    """Move an organisation between databases."""


@app.command("copy")
def copy(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Source database.")],
    target: Annotated[
        str,
        typer.Argument(metavar="TO", help="Target: a new file, or an empty PostgreSQL database."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Copy an organisation to another database and compare the two.

    The target is a new file or an empty PostgreSQL database. Keys are not part of the
    database: copy the secrets folder too, or set JARA_SECRETS_DIR.

    \b
    Examples:
      jara db copy jara.db archive/2026.db
      jara db copy jara.db postgresql://jara@db.example.org/jara
    """
    place = config_path(ctx)
    old, new = (
        build_from_environ(os.environ, toml_path=place, overrides={"database_url": url})
        for url in (source, target)
    )
    copy_organisation(old, new)
    shown = [
        url if app.settings.database_file else app.settings.database_name
        for url, app in ((source, old), (target, new))
    ]
    before, after = _head(old.context), _head(new.context)
    if before != after:
        raise Unavailable(f"'{shown[1]}' differs from '{shown[0]}'; copy it again.")
    size, root, balances = after
    record_copy(new.context, shown[0], size=size, root=root)
    emit(
        {"from": shown[0], "to": shown[1], "size": size, "root": root, "balances": len(balances)},
        as_json=as_json,
        columns=[
            Column("from", "From"),
            Column("to", "To"),
            Column("size", "Log size", Kind.COUNT),
            Column("root", "Root"),
            Column("balances", "Balances compared", Kind.COUNT),
        ],
    )
    note("The secrets folder was not copied; the new database needs it too.")


def _head(context: Context) -> tuple[int, str, list[BalanceRow]]:
    """Return the values that must be equal in both copies: log size, root hash, balances."""
    with context.store.read() as work:
        return work.log.size(), work.log.root().hex(), work.journal.balances()
