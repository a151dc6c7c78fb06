"""``jara bank import`` and ``reconcile``."""

from pathlib import Path
from typing import Annotated

import typer

from jara.domain.dates import parse_month
from jara.domain.errors import InvalidInput
from jara.domain.progress import no_progress
from jara.files.bank.csv_mapping import read_mapping
from jara.files.bank.reader import read_statements, read_whole
from jara.files.reading import FileReport, unused_note
from jara.services.bank.accounts import AccountChoice
from jara.services.bank.importing import BankOutcome, import_statements, read_mappings
from jara.services.bank.reconciling import reconcile_bank
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.inputs import name_input, open_input
from jara_cli.options import argument, flag, option
from jara_cli.output import show_rows
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import with_waiting_votes

app = typer.Typer(rich_markup_mode=None)

_SHOWN_MAX = 20

NewAccounts = Annotated[
    list[str] | None,
    option(
        "[NUMBER=]ACCOUNT", "Add an account of the file, booked as ACCOUNT; repeat for several."
    ),
]
Only = Annotated[list[str] | None, option("NUMBER", "Leave other accounts out; its end is enough.")]
Unnamed = Annotated[str, option("NUMBER", "The account, if the file names none.")]
Encoding = Annotated[str | None, option("NAME", "Such as cp1252; usually detected.")]
Invert = Annotated[bool, flag("--invert", "Money out has positive amounts (OFX and CSV).")]
Charges = Annotated[
    bool | None,
    typer.Option(
        "--charges/--no-charges", help="Charges in a text are the bank's, not the payer's (MT940)."
    ),
]
Partial = Annotated[bool, flag("--partial", "Keep what can be imported and list the rest.")]


@verb(
    app,
    Column("read", "Read", Kind.COUNT),
    Column("added", "New", Kind.COUNT),
    Column("known", "Known", Kind.COUNT),
    Column("matched", "Matched", Kind.COUNT),
    Column("waiting", "Waiting", Kind.COUNT),
    Column("rejected", "Rejected", Kind.COUNT),
    name="import",
)
def import_command(
    context: Context,
    file: Annotated[str, argument("FILE", "- is standard input.")],
    mapping: Annotated[str | None, option("NAME", "How the CSV is read.")] = None,
    new_account: NewAccounts = None,
    only: Only = None,
    account: Unnamed = "",
    encoding: Encoding = None,
    partial: Partial = False,
    invert: Invert = False,
    charges: Charges = None,
) -> Answer:
    """Import a statement, and match its lines with the books.

    CAMT.053, MT940 and OFX are recognised, also in a ZIP; CSV needs a mapping, see
    `jara bank mappings presets` and `jara bank mappings add`. Each line is imported only once,
    even if several files contain it. Lines without a certain match wait: see `jara bank waiting`.

    Examples:
      jara bank import may.xml --new-account assets:bank
      jara bank import may.sta --new-account 0030=assets:bank --only 0030
      jara bank import may.csv --mapping my-bank
    """
    with open_input(file) as stream:
        data = read_whole(stream, name_input(file))
    report = FileReport(zone=context.zone)
    ledgers = _parse_new_accounts(new_account or [])
    mappings = {key: read_mapping(document) for key, document in read_mappings(context).items()}
    name = Path(name_input(file)).name
    with show_rows("Matching the lines") as progress:
        outcome = import_statements(
            context,
            read_statements(
                data,
                name,
                report,
                mappings=mappings,
                mapping=mapping,
                encoding=encoding,
                inverted=invert,
                charges=charges,
            ),
            file=name,
            new_account=ledgers.pop("", None),
            choice=AccountChoice(ledgers, tuple(only or ()), account),
            faults=report.rejected,
            left_out=report.left_out,
            partial=partial,
            progress=progress or no_progress,
        )
    return _import_answer(outcome, name, report, partial=partial)


@verb(
    app,
    Column("what", "What"),
    Column("date", "Date", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
    Column("id", "Id", Kind.ID),
    Column("text", "Text", Kind.SENTENCE, rank=1),
    name="reconcile",
)
def reconcile_command(
    context: Context,
    month: Annotated[str, option("MONTH", "One month: 2026-11, last-month.")],
    account: Annotated[
        str | None, option("NUMBER", "End of the account number, if several.")
    ] = None,
) -> Answer:
    """Compare the statements with the books at the end of a month.

    A difference is explained line by line: lines that wait, entries that are not at the bank
    yet, and movements in another month.

    Example: jara bank reconcile --month 2026-05
    """
    day = min(parse_month(month, today=context.today()).last, context.today())
    result = reconcile_bank(context, day, account=account)
    balances = [
        {"what": "statements", "date": result.day, "cents": result.statement_cents},
        {"what": "books", "date": result.day, "cents": result.books_cents},
    ]
    hint = f"The statements end on {result.covered_to}."
    return Answer(
        result,
        view=[*balances, *result.differences],
        total={"what": "difference", "cents": result.difference_cents},
        hints=[hint] if result.covered_to < result.day else (),
        ok=not result.difference_cents,
    )


def _parse_new_accounts(texts: list[str]) -> dict[str, str]:
    """Return the ledger account of each number; the empty number stands for the only account."""
    ledgers: dict[str, str] = {}
    for text in texts:
        number, equals, ledger = text.rpartition("=")
        if number in ledgers:
            raise InvalidInput("Say which account is which: --new-account NUMBER=ACCOUNT.")
        ledgers[number if equals else ""] = ledger
    return ledgers


def _import_answer(outcome: BankOutcome, name: str, report: FileReport, *, partial: bool) -> Answer:
    settled, rejected, left_out = outcome.settled, outcome.rejected, outcome.left_out
    document = {
        "import": outcome.id,
        "read": outcome.read,
        "added": outcome.added,
        "known": outcome.read - outcome.added,
        "ignored": len(left_out),
        "leftOut": left_out,
        "matched": settled.matched,
        "matchedBy": {
            "entries": settled.by_entry,
            "payouts": settled.by_payout,
            "members": settled.by_member,
            "reversals": settled.by_reversal,
            "rules": settled.by_rule,
        },
        "waiting": settled.waiting,
        "rejected": rejected,
        "unusedColumns": report.unused,
        "approvals": [one.id for one in settled.approvals],
    }
    hints = unused_note(report.unused)
    if outcome.added:
        hints.append(f"This is the import {outcome.id}; `jara ledger undo` takes it back.")
    if outcome.is_of_today:
        hints.append("The file ends today; import a later one for the rest of the day.")
    if settled.waiting:
        hints.append("Lines wait for a decision: jara bank waiting")
    hints += [f"{name}, line {one.line}: {one.message}." for one in left_out[:_SHOWN_MAX]]
    if len(left_out) > _SHOWN_MAX:
        hints.append(f"{len(left_out) - _SHOWN_MAX:,} more such lines; --json lists all.")
    if rejected and not partial:
        return Answer(None, hints=hints, error=_refusal(outcome, name))
    answer = Answer(
        document,
        view=[{**document, "rejected": len(rejected)}],
        hints=hints,
        notes=[
            *report.notes,
            *(f"{name}, line {one.line}: {one.message}" for one in rejected[:_SHOWN_MAX]),
        ],
    )
    return with_waiting_votes(answer, settled.approvals)


def _refusal(outcome: BankOutcome, name: str) -> InvalidInput:
    first, *others = outcome.rejected
    more = f" ({len(others):,} more such lines.)" if others else ""
    return InvalidInput(
        f"{name}, line {first.line}: {first.message}{more} Nothing was imported; --partial "
        "imports the rest."
    )
