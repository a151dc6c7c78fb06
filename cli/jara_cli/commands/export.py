"""``jara export``: open data and the public log for anyone, and the documents of entries."""

import csv
from collections.abc import Sequence
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Annotated

import typer

from jara.documents import Document, to_document
from jara.domain.csv_cells import shielded
from jara.domain.dates import Period
from jara.files.publiclog.tile_folder import TileFolder
from jara.reports.open_data import package_files
from jara.services.books.papers import FiledDocument, documents_between, read_document
from jara.services.context import Context
from jara.services.publiclog.tiles import publish_files
from jara.services.reports.open_data import open_data
from jara_cli.columns import Column, Kind
from jara_cli.inputs import target_folder, write_output
from jara_cli.options import PeriodOptions, argument
from jara_cli.output import counted, show_progress
from jara_cli.verbs import verb

app = typer.Typer(no_args_is_help=True)

_LISTED = ("entry", "day", "description", "kind", "sha256", "file")

Folder = Annotated[str, argument("FOLDER", "Target folder; created if missing.")]


@verb(app, Column("files", "Files", Kind.COUNT), Column("erased", "Erased", Kind.COUNT))
def documents(context: Context, folder: Folder, period: PeriodOptions) -> Document:
    """Write the invoices, receipts and other documents of a period, a folder for each entry.

    documents.csv lists them. A file that is there already is not written again, so a run that
    was cut off goes on. The files are readable only by you: they may name people.

    Example: jara export documents papers-2026 --year 2026
    """
    days = period.choose(today=context.today()) or Period(date.min, date.max)
    target, filed = target_folder(folder), documents_between(context, days)
    rows: list[Sequence[object]] = [_LISTED]
    written = 0
    with show_progress("Writing", total=len(filed)) as advance:
        for one in counted(filed, advance, at_once=1):
            name = "" if one.erased_at else _write_filed(context, target, one)
            written += bool(name)
            said = shielded(one.description)
            rows.append((one.entry, one.day, said, one.kind, one.sha256, name))
    target.mkdir(parents=True, exist_ok=True)
    table = StringIO(newline="")
    csv.writer(table, lineterminator="\r\n").writerows(rows)
    write_output(str(target / "documents.csv"), table.getvalue().encode(), private=True)
    return {"folder": folder, "files": written, "erased": len(filed) - written}


def _write_filed(context: Context, target: Path, one: FiledDocument) -> str:
    """Write a document unless it is there; return its name below the folder."""
    stored, data = read_document(context, one.sha256)
    name = f"{one.day}-{one.entry}/{one.kind}-{stored.file_name}"
    place = target / name
    if data is not None and not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_output(str(place), data, private=True)
    return name


@verb(app, Column("file", "File"), Column("bytes", "Bytes", Kind.COUNT))
def datapackage(context: Context, folder: Folder) -> list[Document]:
    """Write projects, results, payouts, votes, funds and months as a data package.

    Writes datapackage.json and a CSV file for each table; existing files of these names are
    replaced. The files contain no personal data. The website serves the same package at
    /api/open-data/datapackage.json.

    Example: jara export datapackage open-data
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
def tiles(context: Context, folder: Folder) -> Document:
    """Write the public log as static files, which any web server can mirror.

    The format is C2SP tlog-tiles: the newest checkpoint, files of hashes (tiles), and pages of the
    log's lines, which show only the hash of an entry. Each further run adds what is new. The
    website serves the same files below /log/, and the daily run writes them to JARA_TILES_DIR.

    Example: jara export tiles /var/www/log
    """
    target = target_folder(folder)
    files = publish_files(context, TileFolder(target).write)
    return {"folder": folder, **to_document(files)}
