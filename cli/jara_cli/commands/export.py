"""``jara export``: open data and the public log, for anyone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.domain.errors import InvalidInput
from jara.files.publiclog.tile_folder import TileFolder
from jara.reports.open_data import package_files
from jara.services.publiclog.tiles import publish_files
from jara.services.reports.open_data import open_data
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.inputs import write_output
from jara_cli.options import JsonFlag
from jara_cli.output import emit
from jara_cli.progress import counted, show_progress

app = typer.Typer(no_args_is_help=True)


@app.callback()
def export() -> None:
    """Open data, and the public log as files, for anyone."""


@app.command()
def datapackage(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Target folder; created if missing.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Write projects, payouts, votes, funds and months as a data package.

    Writes datapackage.json and a CSV file for each table; existing files of these names are
    replaced. The files contain no personal data. The website serves the same package at
    /api/open-data/datapackage.json.

    \b
    Example:
      jara export datapackage open-data
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InvalidInput(f"'{folder}' is a file; name a folder.")
    files = package_files(open_data(open_application(ctx, any_mode=True).context))
    target.mkdir(parents=True, exist_ok=True)
    rows = []
    with show_progress("Writing", total=len(files)) as advance:
        for name, write in counted(files.items(), advance, at_once=1):
            data = write()
            write_output(str(target / name), data)
            rows.append({"file": str(target / name), "bytes": len(data)})
    emit(
        rows,
        as_json=as_json,
        columns=[Column("file", "File"), Column("bytes", "Bytes", Kind.COUNT)],
    )


@app.command()
def tiles(
    ctx: typer.Context,
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Target folder; created if missing.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Write the public log as static files, which any web server can mirror.

    The format is C2SP tlog-tiles: the newest checkpoint, tiles of hashes, and pages of leaves,
    which show only the hash of an entry. Each further run adds what is new. The website serves
    the same files below /log/, and the daily run writes them to JARA_TILES_DIR.

    \b
    Example:
      jara export tiles /var/www/log
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise InvalidInput(f"'{folder}' is a file; name a folder.")
    context = open_application(ctx, any_mode=True).context
    done = publish_files(context, TileFolder(target).write)
    emit(
        {"folder": folder, "size": done.size, "tiles": done.tiles, "pages": done.pages},
        as_json=as_json,
        columns=[
            Column("folder", "Folder"),
            Column("size", "Leaves", Kind.COUNT),
            Column("tiles", "New tiles", Kind.COUNT),
            Column("pages", "New pages", Kind.COUNT),
        ],
    )
