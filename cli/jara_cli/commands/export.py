"""``jara export``: open data and the public log, for anyone."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.files.publiclog.tile_folder import TileFolder
from jara.reports.open_data import package_files
from jara.services.context import Context
from jara.services.publiclog.tiles import publish_files
from jara.services.reports.open_data import open_data
from jara_cli.columns import Column, Kind
from jara_cli.inputs import target_folder, write_output
from jara_cli.output import counted, show_progress
from jara_cli.verbs import verb

app = typer.Typer(no_args_is_help=True)

Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="Target folder; created if missing.")]


@verb(app, Column("file", "File"), Column("bytes", "Bytes", Kind.COUNT))
def datapackage(
    context: Context,
    folder: Folder,
) -> list[Document]:
    """Write projects, results, payouts, votes, funds and months as a data package.

    Writes datapackage.json and a CSV file for each table; existing files of these names are
    replaced. The files contain no personal data. The website serves the same package at
    /api/open-data/datapackage.json.

    \b
    Example:
      jara export datapackage open-data
    """
    target = target_folder(folder)
    files = package_files(open_data(context))
    target.mkdir(parents=True, exist_ok=True)
    rows = []
    with show_progress("Writing", total=len(files)) as advance:
        for name, write in counted(files.items(), advance, at_once=1):
            data = write()
            write_output(str(target / name), data)
            rows.append({"file": str(target / name), "bytes": len(data)})
    return rows


@verb(
    app,
    Column("folder", "Folder"),
    Column("size", "Leaves", Kind.COUNT),
    Column("tiles", "New tiles", Kind.COUNT),
    Column("pages", "New pages", Kind.COUNT),
)
def tiles(
    context: Context,
    folder: Folder,
) -> Document:
    """Write the public log as static files, which any web server can mirror.

    The format is C2SP tlog-tiles: the newest checkpoint, files of hashes (tiles), and pages of the
    log's lines, which show only the hash of an entry. Each further run adds what is new. The
    website serves the same files below /log/, and the daily run writes them to JARA_TILES_DIR.

    \b
    Example:
      jara export tiles /var/www/log
    """
    target = target_folder(folder)
    files = publish_files(context, TileFolder(target).write)
    return {"folder": folder, **to_document(files)}
