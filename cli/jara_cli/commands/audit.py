"""``jara audit``: what an auditor gets, asks for, and signs."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.bootstrap.audit_bundle import write_audit_bundle
from jara.domain.books.sample import DEFAULT_RISK
from jara.domain.dates import parse_year
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents, parse_cents
from jara.domain.reports.parts import ReportPeriod
from jara.files.cells import two_place_cents
from jara.files.reading import read_table, width_message
from jara.services.context import Context
from jara.services.operations.auditing import Choices, Filters, list_entries, list_missing
from jara.services.operations.sampling import draw_year
from jara.services.operations.signing_off import Opinion, close_audit, note_entry
from jara_cli.columns import Column, Kind
from jara_cli.commands.members.moving import opened_table
from jara_cli.inputs import name_input, require_writable
from jara_cli.options import Year, argument, flag, option
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)


def _cents(text: str | int) -> int:
    """Read an amount; a default is one already."""
    return text if isinstance(text, int) else parse_cents(text)


Materiality = Annotated[int, option("AMOUNT", "The error that must not be missed.", parser=_cents)]
Risk = Annotated[int, option("PERCENT", "Of missing it.")]
_USUAL = Choices()
_MISSING = (
    Column("date", "Day", Kind.DATE),
    Column("what", "What"),
    Column("subject", "Subject", Kind.ID),
    Column("text", "About", Kind.SENTENCE),
    Column("cents", "Amount", Kind.CENTS),
)
_ENTRIES = (
    Column("date", "Day", Kind.DATE),
    Column("entry", "Entry", Kind.ID),
    Column("kind", "Kind"),
    Column("askedBy", "Asked by"),
    Column("signedBy", "Signed by"),
    Column("byHand", "By hand"),
    Column("daysLate", "Days late", Kind.COUNT),
    Column("cents", "Amount", Kind.CENTS),
)
_SAMPLE = (
    Column("id", "Entry", Kind.ID),
    Column("hits", "Dollars drawn", Kind.COUNT),
    Column("cents", "Spent", Kind.CENTS),
)
_SIGNED = (
    Column("what", "What"),
    Column("subject", "Subject", Kind.ID),
    Column("opinion", "Opinion"),
    Column("by", "By"),
    Column("text", "Text", Kind.SENTENCE),
)


@verb(app)
def bundle(
    application: Application,
    year: Year = None,
    out: Annotated[str, option("FILE", "A zip; default: audit-YEAR.zip.", "--out", "-o")] = "",
    materiality: Materiality = _USUAL.materiality_cents,
    risk: Risk = DEFAULT_RISK,
    names: Annotated[bool, flag("--names", "Name the members.")] = False,
) -> Answer:
    """Write a year's books for an auditor as one file, which needs no server; default: last year.

    It has pages that open from the disk, the documents, the statements, the books for hledger and
    Beancount, and the public log: `python jara_verify.py audit-2026.zip` checks all of it. The
    hash of its manifest is in the log. Interrupted, it goes on where it was.

    Example: jara audit bundle --year 2026 --out audit-2026.zip
    """
    period = _year(application.context, year)
    target = require_writable(out or f"audit-{period.first.year}.zip")
    if not target.endswith(".zip"):
        raise InvalidInput(f"'{target}' is no zip; name a file like audit-2026.zip.")
    choices = Choices(materiality, risk, names)
    written = write_audit_bundle(application, period, choices, Path(target), progress=_progress)
    files = ", ".join(f"'{one}'" for one in written.files)
    lead = [
        f"Wrote {files}: {written.pages:,} files and {written.documents:,} documents.",
        f"The log has the hash of the manifest: {written.manifest}.",
    ]
    return Answer(written, view="", lead=lead)


@verb(app, *_SAMPLE)
def sample(
    context: Context,
    materiality: Materiality,
    year: Year = None,
    risk: Risk = DEFAULT_RISK,
    errors: Annotated[
        str | None, option("FILE", "CSV: Entry, Audited (the right amount); - is stdin.")
    ] = None,
) -> Answer:
    """Draw a monetary-unit sample of a closed year's spending; default: last year.

    Its seed is the root of the first checkpoint after the close, so neither side chooses it; a
    witness, another organisation that watches this log, has signed it too if there is one. With
    --errors, what was found is projected to the whole.

    Examples:
      jara audit sample --year 2026 --materiality 500
      jara audit sample --year 2026 --materiality 500 --errors found.csv
    """
    chosen = _year(context, year).first.year
    drawn = draw_year(context, chosen, materiality_cents=materiality, risk=risk)
    spent, each = format_cents(drawn.population_cents), format_cents(drawn.interval_cents)
    lead = [
        f"{len(drawn.items)} of {drawn.entries:,} entries, {spent} spent; one dollar in {each}.",
        f"Seed: the root of the log at size {drawn.checkpoint}, {drawn.seed}.",
    ]
    if errors is None:
        return Answer(drawn, view=drawn.items, lead=lead)
    found = drawn.project(_read_errors(errors))
    upper, basic = format_cents(found.upper_cents), format_cents(found.basic_cents)
    more, under = format_cents(found.allowance_cents), format_cents(found.understated_cents)
    lead += [
        f"Projected {format_cents(found.projected_cents)}, at most {upper} at a risk of {risk} %.",
        f"Basic precision {basic}, allowance {more}, understated {under}.",
    ]
    document = {"sample": drawn, "projection": found}
    return Answer(document, view=drawn.items, lead=lead, ok=found.upper_cents <= materiality)


@verb(app, *_MISSING)
def missing(context: Context, year: Year = None) -> Answer:
    """List what an auditor would ask for and that is not there; default: this year.

    Spends without a document (`jara operators policy set --documents-from` says from which amount
    on), approvals never decided, months without a reconciliation, lines of the bank without an
    entry, payments without a receipt.

    Example: jara audit missing --year 2026
    """
    period = _year(context, year or "this-year")
    found = list_missing(context, period)
    return Answer(found, ok=not found)


@verb(app, *_ENTRIES)
def entries(
    context: Context,
    year: Year = None,
    alone: Annotated[bool, flag("--alone", "Paid on one person's word.")] = False,
    late: Annotated[bool, flag("--late", "Booked later than dated.")] = False,
    by_hand: Annotated[bool, flag("--by-hand", "Posted or matched by hand.")] = False,
    over: Annotated[int, option("AMOUNT", "Of this or more.", parser=_cents)] = 0,
) -> Answer:
    """List the entries that an auditor asks for; default: all of this year.

    Example: jara audit entries --year 2026 --alone --over 500
    """
    filters = Filters(alone=alone, late=late, by_hand=by_hand, over_cents=over)
    return Answer(list_entries(context, _year(context, year or "this-year"), filters))


@verb(app, *_SIGNED)
def note(
    context: Context,
    entry: Annotated[str, argument("ENTRY", "Id, or its first characters.")],
    text: Annotated[str, argument("TEXT", "What you found.")],
) -> Answer:
    """Sign a note on an entry with your own key, as an auditor; the log has its hash.

    Example: jara audit note rsty2ynocrfsabcd "No second quote was asked for."
    """
    return Answer(note_entry(context, entry, text))


@verb(app, *_SIGNED)
def close(
    context: Context,
    opinion: Annotated[Opinion, typer.Option(help="On the statements.")],
    year: Year = None,
    text: Annotated[str, option("TEXT", "Its words.")] = "",
) -> Answer:
    """Sign the opinion on a closed year with your own key, as an auditor; default: last year.

    Example: jara audit close --year 2026 --opinion unqualified
    """
    return Answer(close_audit(context, _year(context, year).first.year, opinion, text))


def _progress(done: int, total: int) -> None:
    """Say how far the documents are, on a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{done:,} of {total:,} documents" + "\n" * (done == total))


def _year(context: Context, year: str | None) -> ReportPeriod:
    found = parse_year(year or "last-year", today=context.today())
    return ReportPeriod(found.first, found.last).known_on(context.today())


def _read_errors(file: str) -> dict[str, int]:
    """Read the right amounts of entries in which an error was found."""
    audited: dict[str, int] = {}
    with opened_table(file, "") as stream:
        table = read_table(stream, name_input(file))
        names = [name.strip().casefold() for name in table.header]
        if not {"entry", "audited"} <= set(names):
            raise InvalidInput(f"{name_input(file)} needs the columns Entry and Audited.")
        for line, row in table.rows:
            if len(row) != len(names):
                raise InvalidInput(f"Line {line}: {width_message(len(row), len(names))}.")
            cells = dict(zip(names, row, strict=True))
            audited[cells["entry"].strip()] = two_place_cents(cells["audited"].strip())
    return audited
