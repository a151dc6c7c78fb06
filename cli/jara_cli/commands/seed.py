"""``jara seed``: sample content for a new website."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.services.context import Context
from jara.services.samples.seeding import SeedFiles, remove_samples, seed_content
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.environment import read_seed_files
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit


def command(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="DIR", help="Folder with files like those in data/."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all sample content instead.")
    ] = False,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Load sample content, marked as sample, into a sandbox organisation.

    It contains no members and no money. A real organisation gets its content with
    `jara projects import` and the like.

    Running it again adds only what is missing. The proposal that is open for a vote ends
    30 days after loading.

    With --remove everything marked as sample disappears from the website and from new
    reports, in a real organisation too. Sample votes that are open are withdrawn.

    \b
    Examples:
      jara seed
      jara seed --remove --yes
      jara seed --from my-content
    """
    application = open_application(ctx)
    files = read_seed_files(None if source is None else Path(source))
    if remove:
        _remove(application.context, files, yes=yes, as_json=as_json)
        return
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


def _remove(context: Context, files: SeedFiles, *, yes: bool, as_json: bool) -> None:
    confirm("Remove all sample content, and withdraw the sample votes?", yes=yes)
    emit(
        [
            {"kind": one.kind, "removed": one.removed, "kept": one.kept}
            for one in remove_samples(context, files.fixed_costs)
        ],
        as_json=as_json,
        columns=[
            Column("kind", "Kind"),
            Column("removed", "Removed", Kind.COUNT),
            Column("kept", "Kept: changed or decided", Kind.COUNT),
        ],
    )
