"""``jara newsletter``: the readers of the newsletter."""

import csv
import io
from typing import Annotated

import typer

from jara.domain.csv_cells import shielded
from jara.services.context import Context
from jara.services.notices.newsletter import ReaderLine, export_readers, list_readers, remove_reader
from jara_cli.columns import Column, Kind
from jara_cli.inputs import write_output
from jara_cli.options import OutPath, Why, Yes, argument, confirm
from jara_cli.verbs import verb

app = typer.Typer(no_args_is_help=True)

_READER = (
    Column("email", "Email"),
    Column("language", "Language"),
    Column("askedOn", "Asked", Kind.DATE),
    Column("confirmedOn", "Confirmed", Kind.DATE),
    Column("source", "Where"),
)


@verb(app, *_READER, name="list")
def show_all(context: Context) -> list[ReaderLine]:
    """List the readers; those without a day of confirmation get nothing yet.

    Example: jara newsletter list
    """
    return list_readers(context)


@verb(app)
def export(context: Context, out: OutPath = "-") -> None:
    """Export the confirmed readers as CSV.

    Example: jara newsletter export --out readers.csv
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("email", "language", "confirmedOn", "source"))
    for reader in export_readers(context):
        cells = (reader.email, reader.language, str(reader.confirmed_on), reader.source)
        writer.writerow(map(shielded, cells))
    write_output(out, text.getvalue().encode(), private=True)


@verb(app, *_READER)
def remove(
    context: Context,
    address: Annotated[str, argument("ADDRESS", "Email address.")],
    why: Why = "",
    yes: Yes = False,
) -> ReaderLine:
    """Remove a reader, confirmed or not, with what waits to be sent to them.

    Example: jara newsletter remove ama@example.org --why "Asked by phone."
    """
    confirm(f"Remove {address} from the newsletter?", yes=yes)
    return remove_reader(context, address, why=why)
