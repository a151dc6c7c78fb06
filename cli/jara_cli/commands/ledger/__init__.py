"""``jara ledger``: the books."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import typer

from jara_cli.commands.ledger.files import export_command, import_command
from jara_cli.commands.ledger.posting import (
    bank_charge_command,
    post_command,
    return_command,
    reverse_command,
    transfer_command,
)
from jara_cli.commands.ledger.settings import accounts_app, fixed_costs_app
from jara_cli.commands.ledger.years import close_year_command, open_year_command
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.options import At, FromDay, JsonFlag, ToDay, Year
from jara_cli.output import Column, Kind, emit, note

app = typer.Typer(no_args_is_help=True)
app.command("post")(post_command)
app.command("reverse")(reverse_command)
app.command("return")(return_command)
app.command("transfer")(transfer_command)
app.command("bank-charge")(bank_charge_command)
app.command("import")(import_command)
app.command("export")(export_command)
app.command("close-year")(close_year_command)
app.command("open-year")(open_year_command)
app.add_typer(accounts_app, name="accounts", help="The chart of accounts.")
app.add_typer(fixed_costs_app, name="fixed-costs", help="The monthly fixed-cost budget.")

_BY = ("fund", "month", "year")


@app.command()
def balance(
    ctx: typer.Context,
    accounts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ACCOUNT]...", help="These, and what lies below them."),
    ] = None,
    at: At = None,
    by: Annotated[
        str, typer.Option("--by", metavar="KEY,…", help="Also by fund, month or year.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the balance of every account, of its own postings alone.

    \b
    Examples:
      jara ledger balance
      jara ledger balance assets --at 2025 --by fund
    """
    from jara.services.books.balances import read_balances

    keys = _split_keys(by)
    context = open_application(ctx).context
    day = None if at is None else _parse_last_day(at, context.today())
    found = read_balances(context, accounts or [], at=day, by=keys)
    rows = [
        {
            "account": row.account,
            **{key: getattr(row, key) for key in _BY if key in keys},
            "cents": row.cents,
        }
        for row in found
    ]
    total = sum(row.cents for row in found)
    titles = {"fund": "Fund", "month": "Month", "year": "Year"}
    emit(
        {"at": day or context.today(), "balances": rows, "totalCents": total},
        as_json=as_json,
        columns=[
            Column("account", "Account"),
            *(Column(key, titles[key]) for key in _BY if key in keys),
            Column("cents", "Balance", Kind.CENTS),
        ],
        rows=rows,
        total={"account": "Total", "cents": total},
    )


@app.command()
def register(
    ctx: typer.Context,
    account: Annotated[str, typer.Argument(metavar="ACCOUNT", help="Such as assets:bank.")],
    from_day: FromDay = None,
    to_day: ToDay = None,
    as_json: JsonFlag = False,
) -> None:
    """Show an account's entries, oldest first, with the balance after each.

    \b
    Example:
      jara ledger register assets:bank --from 2026-11
    """
    from jara.services.books.balances import read_register
    from jara_cli.dates import choose_period

    context = open_application(ctx).context
    period = choose_period(
        from_day=from_day, to_day=to_day, month=None, year=None, today=context.today()
    )
    rows = [
        {
            "id": row.line.posted.id,
            "date": row.line.posted.entry.day,
            "description": row.description,
            "kind": row.line.posted.entry.kind,
            "reference": row.line.posted.entry.reference,
            "cents": row.line.cents,
            "balanceCents": row.line.balance_cents,
        }
        for row in read_register(
            context,
            account,
            first_day=None if period is None else period.first,
            last_day=None if period is None else period.last,
        )
    ]
    emit(
        {"account": account, "entries": rows},
        as_json=as_json,
        columns=[
            Column("date", "Date", Kind.DATE),
            Column("id", "Entry", Kind.ID),
            Column("description", "Description"),
            Column("reference", "Reference"),
            Column("cents", "Amount", Kind.CENTS),
            Column("balanceCents", "Balance", Kind.CENTS),
        ],
        rows=rows,
    )


@app.command()
def show(
    ctx: typer.Context,
    entry: Annotated[str, typer.Argument(metavar="ENTRY", help="Its id, or the beginning.")],
    as_json: JsonFlag = False,
) -> None:
    """Show one entry with its postings.

    \b
    Example:
      jara ledger show rsty2ynocrfsabcd
    """
    from jara_cli.commands.ledger.documents import POSTINGS, entry_details

    document = entry_details(open_application(ctx).context, entry)
    if not as_json:
        facts = {key: text for key, text in document.items() if key != "postings" and text}
        for key, text in facts.items():
            note(f"{key}: {text}")
    emit(document, as_json=as_json, columns=POSTINGS, rows=document["postings"])


@app.command()
def budget(ctx: typer.Context, year: Year = None, as_json: JsonFlag = False) -> None:
    """Show what a year had, got, spent and promised, per fund.

    \b
    Example:
      jara ledger budget --year 2026
    """
    from jara.services.books.balances import read_budget
    from jara_cli.commands.ledger.documents import BUDGET, budget_document, budget_total
    from jara_cli.dates import parse_year

    context = open_application(ctx).context
    today = context.today()
    wanted = today.year if year is None else parse_year(year, today=today).first.year
    document = budget_document(read_budget(context, wanted))
    emit(
        document,
        as_json=as_json,
        columns=BUDGET,
        rows=document["funds"],
        total=budget_total(document),
    )


@app.command()
def verify(ctx: typer.Context, as_json: JsonFlag = False) -> ExitCode:
    """Check every entry, total, leaf, ballot and trace of the books.

    \b
    Example:
      jara ledger verify
    """
    from dataclasses import asdict

    from jara.services.books.verification import verify_books

    found = verify_books(open_application(ctx).context)
    findings = [asdict(finding) for finding in found.findings]
    emit(
        {
            "ok": found.ok,
            "entries": found.entries,
            "size": found.size,
            "root": found.root,
            "findings": findings,
        },
        as_json=as_json,
        columns=[
            Column("check", "Check"),
            Column("where", "Where"),
            Column("message", "What is wrong"),
        ],
        rows=findings or [{"check": "all", "where": f"{found.entries} entries", "message": "ok"}],
    )
    return ExitCode.DONE if found.ok else ExitCode.NO


@app.command()
def reconcile(
    ctx: typer.Context,
    repair: Annotated[
        bool, typer.Option("--repair", help="Book what the provider has and the books lack.")
    ] = False,
    as_json: JsonFlag = False,
) -> ExitCode:
    """Compare the books with the payment provider, movement by movement.

    \b
    Example:
      jara ledger reconcile
    """
    from jara.services.payments import reconciling
    from jara_cli.commands.ledger.documents import (
        UNMATCHED,
        reconciliation_document,
        unmatched_rows,
    )

    context = open_application(ctx).context
    if repair:
        outcome, found = reconciling.repair(context, act="ledger.reconcile")
        note(f"{outcome.posted} posted, {len(outcome.rejected)} rejected.")
        for item in outcome.rejected:
            note(item.message)
    else:
        found = reconciling.reconcile(context)
    document = reconciliation_document(found)
    emit(document, as_json=as_json, columns=UNMATCHED, rows=unmatched_rows(found))
    if not as_json:
        note(f"{found.matched} of {found.rows} movements match.")
    return ExitCode.DONE if found.ok else ExitCode.NO


def _parse_last_day(text: str, today: date) -> date:
    from jara_cli.dates import parse_last_day

    return parse_last_day(text, today=today)


def _split_keys(text: str) -> list[str]:
    from jara.domain.errors import InvalidInput

    keys = [key.strip() for key in text.split(",") if key.strip()]
    unknown = [key for key in keys if key not in _BY]
    if unknown:
        raise InvalidInput(f"'{unknown[0]}' is no key of --by; there are {', '.join(_BY)}.")
    return keys
