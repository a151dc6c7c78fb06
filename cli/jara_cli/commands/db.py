"""``jara db``: move an organisation between databases."""

import os
from typing import Annotated

import typer

from jara.bootstrap import build_from_environ
from jara.bootstrap.transfer import move_organisation
from jara.services.operations.stored_files import compare_files, describe_faults
from jara_cli.columns import Column, Kind
from jara_cli.context import config_path
from jara_cli.options import argument
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@verb(
    app,
    Column("from", "From"),
    Column("to", "To"),
    Column("size", "Log size", Kind.COUNT),
    Column("root", "Root"),
    Column("balances", "Balances compared", Kind.COUNT),
)
def copy(
    ctx: typer.Context,
    source: Annotated[str, argument("FROM", "Source database.")],
    target: Annotated[str, argument("TO", "Target: a new file, or an empty PostgreSQL database.")],
) -> Answer:
    """Move an organisation to another database, and compare the two.

    The target is a new file or an empty PostgreSQL database. The source stays as it is and
    takes no more changes; `jara backup` makes a copy of an organisation that goes on. Keys are
    not part of the database: copy the secrets folder too, or set JARA_SECRETS_DIR.

    Examples:
      jara db copy jara.db /var/lib/jara/jara.db
      jara db copy jara.db postgresql://jara@db.example.org/jara
    """
    place = config_path(ctx)
    old, new = (
        build_from_environ(os.environ, toml_path=place, overrides={"database_url": url})
        for url in (source, target)
    )
    names = [
        url if app.settings.database_file else app.settings.database_name
        for url, app in ((source, old), (target, new))
    ]
    media = new.settings.media_dir
    copied = move_organisation(old, new, source_name=names[0], name=names[1])
    return Answer(
        {
            "from": names[0],
            "to": names[1],
            "size": copied.size,
            "root": copied.root,
            "balances": len(copied.balances),
        },
        notes=[
            f"{names[0]} takes no more changes: set JARA_DATABASE_URL to {names[1]}.",
            "The secrets folder was not copied; the new database needs it too.",
            *describe_faults(compare_files(new.context, media), media),
        ],
    )
