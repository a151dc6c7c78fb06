"""``jara seed``: sample content for a new website."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.services.samples.seeding import seed_content
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.environment import read_seed_files
from jara_cli.options import JsonFlag
from jara_cli.output import emit


def command(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="DIR", help="Folder with files like those in data/."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Load sample content, marked as sample, into a sandbox organisation.

    It contains no members and no money. A real organisation gets its content with
    `jara projects import` and the like.

    Running it again adds only what is missing. The proposal that is open for a vote ends
    30 days after loading.

    \b
    Examples:
      jara seed
      jara seed --from my-content
    """
    application = open_application(ctx)
    files = read_seed_files(None if source is None else Path(source))
    emit(
        [
            {"kind": s.kind, "added": s.added, "changed": s.changed, "unchanged": s.unchanged}
            for s in seed_content(application.context, files)
        ],
        as_json=as_json,
        columns=[
            Column("kind", "Kind"),
            Column("added", "Added", Kind.COUNT),
            Column("changed", "Changed", Kind.COUNT),
            Column("unchanged", "Unchanged", Kind.COUNT),
        ],
    )
