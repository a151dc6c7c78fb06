"""``jara ledger import``, ``imports``, ``undo`` and ``export``."""

import functools
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from enum import StrEnum
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Annotated, NamedTuple, cast

import typer

from jara.documents import to_document
from jara.domain.books.years import AHEAD_MAX
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.files.ledger.beancount import write_beancount
from jara.files.ledger.csv_file import read_ledger_csv, write_ledger_csv
from jara.files.ledger.file_entry import write_entries_json
from jara.files.ledger.forms import ImportForm, UnknownForm, count_items, recognise_form
from jara.files.ledger.journal import write_journal
from jara.files.ledger.journal_reader import read_journal
from jara.files.reading import FileReport
from jara.records.operations import Approval
from jara.services.books.balances import export_books
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import ImportOutcome, Progress
from jara.services.books.policies import read_chart
from jara.services.context import Context
from jara.services.operations.import_undo import find_import, list_imports, undo_import
from jara_cli.columns import Column, Kind
from jara_cli.commands.ledger.stripe import ChargesAs, StripeFiles, count_and_note
from jara_cli.inputs import open_input, write_output
from jara_cli.options import OutPath, Why, Yes, argument, confirm, flag
from jara_cli.output import counted, fold, note, show_progress
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(rich_markup_mode=None)

_IMPORTS = (
    Column("id", "Import", Kind.ID),
    Column("at", "On", Kind.DATE),
    Column("operator", "By"),
    Column("posted", "Posted", Kind.COUNT),
    Column("left", "Left", Kind.COUNT),
    Column("cents", "Debits left", Kind.CENTS),
    Column("lines", "Lines", Kind.COUNT),
    Column("file", "Statement", rank=1),
)
_SHOWN_MAX = 20
_PIECE_BYTES = 1 << 20


class ExportFormat(StrEnum):
    """Formats of an export."""

    JOURNAL = "journal"
    BEANCOUNT = "beancount"
    CSV = "csv"
    JSON = "json"


_SUFFIXES = {
    ".journal": ExportFormat.JOURNAL,
    ".hledger": ExportFormat.JOURNAL,
    ".ledger": ExportFormat.JOURNAL,
    ".beancount": ExportFormat.BEANCOUNT,
    ".bean": ExportFormat.BEANCOUNT,
    ".csv": ExportFormat.CSV,
    ".json": ExportFormat.JSON,
}


class Decimal(StrEnum):
    """Decimal sign of amounts."""

    POINT = "point"
    COMMA = "comma"


@verb(
    app,
    Column("read", "Read", Kind.COUNT),
    Column("posted", "Posted", Kind.COUNT),
    Column("skipped", "Skipped", Kind.COUNT),
    Column("rejected", "Rejected", Kind.COUNT),
    name="import",
)
def import_command(
    context: Context,
    files: Annotated[
        list[str],
        argument("FILE...", "One file, or Stripe reports of one period; - is standard input."),
    ],
    form: Annotated[ImportForm | None, typer.Option("--format", help="Default: detected.")] = None,
    charges_as: Annotated[
        ChargesAs | None, typer.Option("--as", help="Kind of charges, if no column says so.")
    ] = None,
    decimal: Annotated[
        Decimal, typer.Option(help="Decimal sign of amounts; comma reads 1.234,50.")
    ] = Decimal.POINT,
    partial: Annotated[bool, flag("--partial", "Post valid rows and list the others.")] = False,
    future: Annotated[
        bool, flag("--future", f"Allow entries dated more than {AHEAD_MAX.days} days ahead.")
    ] = False,
    dry_run: Annotated[
        bool, flag("--dry-run", "Show what would be posted, and post nothing.")
    ] = False,
) -> Answer:
    """Import Stripe reports, a ledger CSV or a journal: all or nothing, each item once.

    `jara ledger imports` lists the imports; `jara ledger undo` reverses one as a whole.

    Examples:
      jara ledger import balance_change.csv payouts.csv
      jara ledger import bank.csv --format csv
      jara ledger import history.csv --format stripe --as pledges
    """
    with ExitStack() as stack:
        streams = [(name, stack.enter_context(_spooled(name))) for name in files]
        chosen = form or _recognise(streams[0][1], streams[0][0])
        if chosen is not ImportForm.STRIPE and len(files) > 1:
            raise InvalidInput("Only Stripe reports can be imported together; give one file.")
        total = sum(count_items(stream, chosen) for _, stream in streams)
        advance = stack.enter_context(show_progress("Importing", total=total))
        how = _How(charges_as, decimal is Decimal.COMMA, partial, future, dry_run)
        outcome, place = _book(context, streams, chosen, how, advance)
    return _import_answer(outcome, place, partial=partial, dry_run=dry_run)


@verb(app, *_IMPORTS)
def imports(context: Context) -> Answer:
    """List the file imports that changed something, newest first, bank statements included.

    "Left" counts the entries that an undo would reverse.

    Example: jara ledger imports
    """
    lines = list_imports(context)
    rows = [
        {**to_document(one), "at": context.zone.day_of(one.at), "lines": one.lines or None}
        for one in lines
    ]
    return Answer(lines, view=rows)


@verb(
    app,
    Column("id", "Import"),
    Column("reversed", "Reversed", Kind.COUNT),
    Column("skipped", "Already reversed", Kind.COUNT),
    Column("receiptsWithdrawn", "Receipts withdrawn", Kind.COUNT),
    Column("receiptsSent", "Receipts already sent", Kind.COUNT),
)
def undo(
    context: Context,
    chosen: Annotated[str, argument("IMPORT", "Id of the import, or its first characters.")],
    why: Why,
    yes: Yes = False,
) -> Answer:
    """Reverse every entry of an import, or none; nothing is deleted.

    Entries that are already reversed are skipped. Above the limit it needs approval.
    Afterwards the same file or a corrected one can be imported again, with the same ids. Undo
    later bank statements of the same account first. Refunds and disputes that need a payment
    of the import wait for it: `jara ledger waiting`. Receipts not sent yet are withdrawn; the
    result counts those already sent.

    Example: jara ledger undo imp_x7 --why "the wrong year's file" --yes
    """
    line = find_import(context, chosen)
    confirm(
        f"Reverse {line.left:,} entries of {line.id}, debits of {format_cents(line.cents)}"
        f"{f', and drop {line.lines:,} bank lines' if line.lines else ''}?",
        yes=yes,
    )
    done = undo_import(context, line.id, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    hint = "See whose payments these are: jara payments list --state reversed"
    return Answer(done, notes=[hint] if done.receipts_sent else ())


@verb(app, name="export")
def export_command(
    context: Context,
    form: Annotated[
        ExportFormat | None,
        typer.Option("--format", help="Default: by the file's name, else journal."),
    ] = None,
    out: OutPath = "-",
    as_json: Annotated[bool, flag("--json", "The same as --format json.")] = False,
) -> None:
    """Export all entries in the order of the log.

    The journal also contains external ids and the members' random keys, so that the
    books can be rebuilt from it.

    Examples:
      jara ledger export > books.journal
      jara ledger export --out books.beancount
    """
    chosen = _export_format(ExportFormat.JSON if as_json else form, out)
    with TemporaryFile() as spool:
        text = io.TextIOWrapper(spool, encoding="utf-8", newline="", write_through=True)
        _write(context, chosen, text)
        text.flush()
        text.detach()
        spool.seek(0)
        write_output(out, iter(lambda: spool.read(_PIECE_BYTES), b""))


def _export_format(form: ExportFormat | None, out: str) -> ExportFormat:
    """Return the format of an export: what is asked for, else what the file's name says."""
    named = _SUFFIXES.get(Path(out).suffix.lower())
    if form is not None and named not in {None, form}:
        raise InvalidInput(
            f"'{out}' is named like {named}, but the format is {form}; change one of them."
        )
    return form or named or ExportFormat.JOURNAL


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
    with export_books(context) as books, show_progress("Exporting", total=books.size) as advance:
        entries = counted(books.entries, advance)
        id_of, name = books.id_of, books.organisation
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
    chart = read_chart(context)
    name, opened = stream
    if form is ImportForm.CSV:
        entries = read_ledger_csv(opened, name, report, chart=chart, decimal_comma=comma)
    else:
        entries = read_journal(opened, name, report, chart=chart)
    return count_and_note(book(entries, faults=report.rejected), [report])


def _import_answer(
    outcome: ImportOutcome, place: Callable[[int], tuple[str, int]], *, partial: bool, dry_run: bool
) -> Answer:
    places = [(*place(item.line), item.message) for item in outcome.rejected]
    messages = [f"{name}, line {line}: {text}" for name, line, text in places]
    document = {
        "read": outcome.read,
        "posted": outcome.posted,
        "skipped": outcome.skipped,
        "waiting": outcome.waiting,
        "rejected": [{"file": name, "line": line, "message": text} for name, line, text in places],
    }
    notes, error = [], None
    if outcome.waiting:
        named = ", ".join(outcome.waiting[:_SHOWN_MAX])
        notes.append(
            f"Movements that wait for what they undo: {len(outcome.waiting):,} ({named}). "
            "Why: jara ledger waiting"
        )
    notes += messages[:_SHOWN_MAX] if partial else messages[1:_SHOWN_MAX]
    if len(messages) > _SHOWN_MAX:
        notes.append(f"... and {len(messages) - _SHOWN_MAX:,} more.")
    if messages and not partial:
        error = InvalidInput(f"{messages[0]} Nothing was posted; --partial posts the rest.")
    elif dry_run:
        notes.append("This was a dry run: nothing was posted.")
    return Answer(
        document, view=[{**document, "rejected": len(messages)}], notes=notes, error=error
    )


@contextmanager
def _spooled(name: str) -> Iterator[io.BufferedReader]:
    """Copy an input to a temporary file, so that slow input does not block other writers.

    The books are locked for other writers while the file is read.
    """
    with TemporaryFile() as spool:
        with open_input(name) as stream:
            copyfileobj(stream, spool, _PIECE_BYTES)
        spool.seek(0)
        reader: io.BufferedReader = io.BufferedReader(cast("io.RawIOBase", spool))
        with closing(reader):
            yield reader


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
