"""``jara ledger import`` and ``jara ledger export``."""

from __future__ import annotations

import functools
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Annotated, NamedTuple, cast

import typer

from jara.domain.errors import InvalidInput
from jara.files.ledger.beancount import write_beancount
from jara.files.ledger.csv_file import read_ledger_csv, write_ledger_csv
from jara.files.ledger.file_entry import write_entries_json
from jara.files.ledger.forms import ImportForm, UnknownForm, count_items, recognise_form
from jara.files.ledger.journal import write_journal
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import ImportOutcome, Progress
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara_cli.columns import Column, Kind
from jara_cli.commands.ledger.stripe import ChargesAs, StripeFiles, finished
from jara_cli.context import open_application
from jara_cli.inputs import open_input, write_output
from jara_cli.options import JsonFlag, OutPath
from jara_cli.output import emit, fold, note
from jara_cli.progress import counted, show_progress

app = typer.Typer(rich_markup_mode=None)

_SHOWN_MAX = 20
_PIECE_BYTES = 1 << 20


class ExportFormat(StrEnum):
    """Formats of an export."""

    JOURNAL = "journal"
    BEANCOUNT = "beancount"
    CSV = "csv"
    JSON = "json"


class Decimal(StrEnum):
    """Decimal sign of amounts."""

    POINT = "point"
    COMMA = "comma"


@app.command("import")
def import_command(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="One file, or Stripe reports of one period; - is standard input.",
        ),
    ],
    form: Annotated[ImportForm | None, typer.Option("--format", help="Default: detected.")] = None,
    charges_as: Annotated[
        ChargesAs | None, typer.Option("--as", help="Kind of charges, if no column says so.")
    ] = None,
    decimal: Annotated[
        Decimal, typer.Option("--decimal", help="Decimal sign of amounts; comma reads 1.234,50.")
    ] = Decimal.POINT,
    partial: Annotated[
        bool, typer.Option("--partial", help="Post valid rows and list the others.")
    ] = False,
    future: Annotated[
        bool, typer.Option("--future", help="Allow entries dated more than 7 days ahead.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be posted, and post nothing.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Import Stripe reports, a ledger CSV or a journal: all or nothing, each item once.

    `jara ledger imports` lists the imports; `jara ledger undo` reverses one as a whole.

    \b
    Examples:
      jara ledger import balance_change.csv payouts.csv
      jara ledger import bank.csv --format csv
      jara ledger import history.csv --format stripe --as pledges
    """
    context = open_application(ctx).context
    with ExitStack() as stack:
        streams = [(name, stack.enter_context(_taken_in(name))) for name in files]
        chosen = form or _recognise(streams[0][1], streams[0][0])
        if chosen is not ImportForm.STRIPE and len(files) > 1:
            raise InvalidInput("Only Stripe reports can be imported together; give one file.")
        total = sum(count_items(stream, chosen) for _, stream in streams)
        advance = stack.enter_context(show_progress("Importing", total=total))
        how = _How(charges_as, decimal is Decimal.COMMA, partial, future, dry_run)
        outcome, place = _book(context, streams, chosen, how, advance)
    _report(outcome, place, partial=partial, as_json=as_json)
    if dry_run:
        note("This was a dry run: nothing was posted.")


@app.command("export")
def export_command(
    ctx: typer.Context,
    form: Annotated[ExportFormat, typer.Option("--format", help="Format.")] = ExportFormat.JOURNAL,
    out: OutPath = "-",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Export all entries in the order of the log.

    The journal also contains external ids and the members' random keys, so that the
    books can be rebuilt from it.

    \b
    Examples:
      jara ledger export > books.journal
      jara ledger export --format beancount --out books.beancount
    """
    context = open_application(ctx, any_mode=True).context
    with TemporaryFile() as spool:
        text = io.TextIOWrapper(spool, encoding="utf-8", newline="", write_through=True)
        _write(context, ExportFormat.JSON if as_json else form, text)
        text.flush()
        text.detach()
        spool.seek(0)
        write_output(out, iter(lambda: spool.read(_PIECE_BYTES), b""))


class _How(NamedTuple):
    """The options of an import."""

    charges_as: ChargesAs | None
    comma: bool
    partial: bool
    future: bool
    dry_run: bool


def _book(
    context: Context,
    streams: list[tuple[str, io.BufferedReader]],
    form: ImportForm,
    how: _How,
    advance: Progress,
) -> tuple[ImportOutcome, Callable[[int], tuple[str, int]]]:
    """Import the files; return the outcome, and a function from an item's line to its place."""
    if form is ImportForm.STRIPE:
        batch = StripeFiles(streams, how.charges_as, decimal_comma=how.comma)
        outcome = batch.book(context, partial=how.partial, progress=advance, dry_run=how.dry_run)
        return outcome, batch.place
    book = functools.partial(
        import_entries,
        context,
        partial=how.partial,
        progress=advance,
        future=how.future,
        dry_run=how.dry_run,
    )
    outcome = _import_entries(context, streams[0], form, comma=how.comma, book=book)
    return outcome, lambda line: (streams[0][0], line)


def _write(context: Context, form: ExportFormat, text: io.TextIOWrapper) -> None:
    with (
        context.store.read() as work,
        show_progress("Exporting", total=work.journal.count()) as advance,
    ):
        entries = counted(work.journal.in_log_order(), advance)

        def id_of(index: int) -> str:
            return work.journal.get(index).id

        name = read_identity(context, work).name
        match form:
            case ExportFormat.JOURNAL:
                write_journal(entries, text, id_of, for_operators=True, organisation=name)
            case ExportFormat.BEANCOUNT:
                write_beancount(entries, text, id_of, organisation=name)
            case ExportFormat.CSV:
                write_ledger_csv(entries, text)
            case ExportFormat.JSON:
                write_entries_json(entries, text, id_of)


def _import_entries(
    context: Context,
    stream: tuple[str, io.BufferedReader],
    form: ImportForm,
    *,
    comma: bool,
    book: Callable[..., ImportOutcome],
) -> ImportOutcome:
    report = FileReport()
    with context.store.read() as work:
        chart = work.book_settings.chart()
    name, opened = stream
    if form is ImportForm.CSV:
        entries = read_ledger_csv(opened, name, report, chart=chart, decimal_comma=comma)
    else:
        entries = read_journal(opened, name, report, chart=chart)
    return finished(book(entries, faults=report.rejected), [report])


def _report(
    outcome: ImportOutcome,
    place: Callable[[int], tuple[str, int]],
    *,
    partial: bool,
    as_json: bool,
) -> None:
    found = [(*place(item.line), item.message) for item in outcome.rejected]
    rejected = [{"file": name, "line": line, "message": text} for name, line, text in found]
    document = {
        "read": outcome.read,
        "posted": outcome.posted,
        "skipped": outcome.skipped,
        "waiting": list(outcome.waiting),
        "rejected": rejected,
    }
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("read", "Read", Kind.COUNT),
            Column("posted", "Posted", Kind.COUNT),
            Column("skipped", "Skipped", Kind.COUNT),
            Column("rejected", "Rejected", Kind.COUNT),
        ],
        rows=[{**document, "rejected": len(rejected)}],
    )
    if outcome.waiting:
        named = ", ".join(outcome.waiting[:_SHOWN_MAX])
        note(f"Refunds and disputes that wait for their payment: {len(outcome.waiting)} ({named}).")
    if not found:
        return
    for name, line, text in found[:_SHOWN_MAX] if partial else found[1:_SHOWN_MAX]:
        note(f"{name}, line {line}: {text}")
    if len(found) > _SHOWN_MAX:
        note(f"... and {len(found) - _SHOWN_MAX} more.")
    if not partial:
        name, line, text = found[0]
        raise InvalidInput(
            f"{name}, line {line}: {text} Nothing was posted; --partial posts the rest."
        )


@contextmanager
def _taken_in(name: str) -> Iterator[io.BufferedReader]:
    """Copy an input to a temporary file, so that slow input does not block other writers.

    The books are locked for other writers while the file is read.
    """
    with TemporaryFile() as spool:
        with open_input(name) as stream:
            copyfileobj(stream, spool, _PIECE_BYTES)
        spool.seek(0)
        yield io.BufferedReader(cast("io.RawIOBase", spool))


def _recognise(stream: io.BufferedReader, name: str) -> ImportForm:
    """Detect a file's format; if it is unknown, list the supported formats."""
    try:
        return recognise_form(stream, name)
    except UnknownForm as error:
        note("Formats that can be imported, each known by its columns:")
        for form in error.readable:
            for line in fold(f"- {form}", sys.stderr):
                note(line)
        raise
