"""``jara bank import``, ``accounts`` and ``reconcile``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jara.domain.dates import parse_month
from jara.domain.errors import InvalidInput
from jara.domain.progress import no_progress
from jara.files.bank.csv_statement import read_mapping
from jara.files.bank.reader import read_statements, read_whole
from jara.files.reading import FileReport, RowError
from jara.services.bank.importing import (
    BankOutcome,
    import_statements,
    list_accounts,
    read_mappings,
)
from jara.services.bank.reconciling import reconcile_bank
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.inputs import name_input, open_input
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.progress import show_rows

app = typer.Typer(rich_markup_mode=None)

_SHOWN_MAX = 20


@app.command("import")
def import_command(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="- is standard input.")],
    mapping: Annotated[
        str | None, typer.Option("--mapping", metavar="NAME", help="How the CSV is read.")
    ] = None,
    new_account: Annotated[
        str | None,
        typer.Option(
            "--new-account", metavar="ACCOUNT", help="Add the file's account, booked as ACCOUNT."
        ),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Keep the lines in US dollars and list the others.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Import a statement, and match its lines with the books.

    CAMT.053, MT940 and OFX are recognised; CSV needs a mapping, see `jara bank mappings`. Each
    line is imported only once, even if several files contain it. Lines without a certain match
    wait: see `jara bank waiting`.

    \b
    Examples:
      jara bank import may.xml --new-account assets:bank
      jara bank import may.csv --mapping my-bank
    """
    context = open_application(ctx).context
    with open_input(file) as stream:
        data = read_whole(stream, name_input(file))
    report = FileReport()
    mappings = {key: read_mapping(found) for key, found in read_mappings(context).items()}
    name = Path(name_input(file)).name
    with show_rows("Matching the lines") as progress:
        outcome = import_statements(
            context,
            read_statements(data, name, report, mappings=mappings, mapping=mapping),
            file=name,
            new_account=new_account,
            faults=report.rejected,
            left_out=report.left_out,
            partial=partial,
            progress=progress or no_progress,
        )
    _show(outcome, name, left_out=report.left_out, partial=partial, as_json=as_json)


@app.command("accounts")
def accounts_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the bank accounts, each with its account in the books.

    \b
    Example:
      jara bank accounts
    """
    found = list_accounts(open_application(ctx, any_mode=True).context)
    emit(
        [{"number": one.number, "account": one.ledger} for one in found],
        as_json=as_json,
        columns=[Column("number", "At the bank", Kind.ID), Column("account", "In the books")],
    )


@app.command("reconcile")
def reconcile_command(
    ctx: typer.Context,
    month: Annotated[
        str, typer.Option("--month", metavar="MONTH", help="One month: 2026-11, last-month.")
    ],
    account: Annotated[
        str | None,
        typer.Option("--account", metavar="NUMBER", help="End of the account number, if several."),
    ] = None,
    as_json: JsonFlag = False,
) -> ExitCode:
    """Compare the statements with the books at the end of a month.

    A difference is explained line by line: lines that wait, entries that are not at the bank
    yet, and movements in another month.

    \b
    Example:
      jara bank reconcile --month 2026-05
    """
    context = open_application(ctx, any_mode=True).context
    day = min(parse_month(month, today=context.today()).last, context.today())
    found = reconcile_bank(context, day, account=account)
    differences = [
        {"what": one.what, "id": one.id, "date": one.day, "cents": one.cents, "text": one.text}
        for one in found.differences
    ]
    document = {
        "account": found.account.number,
        "date": found.day,
        "coveredTo": found.covered_to,
        "statementCents": found.statement_cents,
        "booksCents": found.books_cents,
        "differenceCents": found.difference_cents,
        "differences": differences,
    }
    balances = [
        {"what": "statements", "date": found.day, "cents": found.statement_cents},
        {"what": "books", "date": found.day, "cents": found.books_cents},
    ]
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("what", "What"),
            Column("date", "Date", Kind.DATE),
            Column("cents", "Amount", Kind.CENTS),
            Column("id", "Id", Kind.ID),
            Column("text", "Text", Kind.SENTENCE, rank=1),
        ],
        rows=[*balances, *differences],
        total={"what": "difference", "cents": found.difference_cents},
    )
    if found.covered_to < found.day and not as_json:
        note(f"The statements end on {found.covered_to}.")
    return ExitCode.DONE if not found.difference_cents else ExitCode.NO


def _show(
    outcome: BankOutcome, name: str, *, left_out: list[RowError], partial: bool, as_json: bool
) -> None:
    settled = outcome.settled
    rejected = [{"line": one.line, "message": one.message} for one in outcome.rejected]
    document = {
        "import": outcome.id,
        "read": outcome.read,
        "added": outcome.added,
        "known": outcome.read - outcome.added,
        "ignored": len(left_out),
        "leftOut": [{"line": one.line, "message": one.message} for one in left_out],
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
    }
    if not rejected or partial:
        emit(
            document,
            as_json=as_json,
            columns=[
                Column("read", "Read", Kind.COUNT),
                Column("added", "New", Kind.COUNT),
                Column("known", "Known", Kind.COUNT),
                Column("matched", "Matched", Kind.COUNT),
                Column("waiting", "Waiting", Kind.COUNT),
                Column("rejected", "Rejected", Kind.COUNT),
            ],
            rows=[{**document, "rejected": len(rejected)}],
        )
    if outcome.added and not as_json:
        note(f"This is the import {outcome.id}; `jara ledger undo` takes it back.")
    if settled.waiting and not as_json:
        note("Lines wait for a decision: jara bank waiting")
    if not as_json:
        _note_left_out(left_out, name)
    for one in outcome.rejected[: _SHOWN_MAX if partial else 0]:
        note(f"{name}, line {one.line}: {one.message}")
    if rejected and not partial:
        first = outcome.rejected[0]
        more = f" ({len(rejected) - 1} more such lines.)" if len(rejected) > 1 else ""
        raise InvalidInput(
            f"{name}, line {first.line}: {first.message}{more} Nothing was imported; --partial "
            "imports the rest."
        )


def _note_left_out(lines: list[RowError], name: str) -> None:
    for one in lines[:_SHOWN_MAX]:
        note(f"{name}, line {one.line}: {one.message}.")
    if len(lines) > _SHOWN_MAX:
        note(f"{len(lines) - _SHOWN_MAX} more such lines; --json lists all.")
