"""``jara ledger balance``, ``register``, ``show`` and ``budget``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.dates import parse_last_day, parse_year
from jara.domain.errors import InvalidInput
from jara.services.books.balances import read_balances, read_budget, read_register
from jara_cli.columns import Column, Kind, spell_key
from jara_cli.commands.ledger.documents import (
    BUDGET,
    POSTINGS,
    budget_document,
    budget_total,
    entry_details,
)
from jara_cli.context import open_application
from jara_cli.dates import choose_period
from jara_cli.foreign import say_foreign
from jara_cli.options import At, FromDay, JsonFlag, ToDay, Year
from jara_cli.output import emit, note

app = typer.Typer(rich_markup_mode=None)

_BY = ("fund", "month", "year")
_LISTS = frozenset({"postings", "bankLines"})


@app.command()
def balance(
    ctx: typer.Context,
    accounts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ACCOUNT]...", help="Accounts, with their sub-accounts."),
    ] = None,
    at: At = None,
    by: Annotated[
        str, typer.Option("--by", metavar="KEY,…", help="Break down by fund, month or year.")
    ] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the balance of each account, without its sub-accounts.

    \b
    Examples:
      jara ledger balance
      jara ledger balance assets --at 2025 --by fund
    """
    keys = _split_keys(by)
    context = open_application(ctx, any_mode=True).context
    day = None if at is None else parse_last_day(at, today=context.today())
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
    member: Annotated[
        str | None,
        typer.Option(metavar="MEMBER", help="Only entries of this member, and their sum."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show an account's entries, oldest first, with the balance after each.

    \b
    Examples:
      jara ledger register assets:bank --from 2026-11
      jara ledger register income:pledges --member ama@example.org
    """
    context = open_application(ctx, any_mode=True).context
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
            member=member,
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
    entry: Annotated[str, typer.Argument(metavar="ENTRY", help="Id, or its first characters.")],
    as_json: JsonFlag = False,
) -> None:
    """Show one entry with its postings and its lines in bank statements.

    \b
    Example:
      jara ledger show rsty2ynocrfsabcd
    """
    document = entry_details(open_application(ctx, any_mode=True).context, entry)
    if not as_json:
        facts = {key: text for key, text in document.items() if key not in _LISTS and text}
        if "foreign" in facts:
            facts["foreign"] = say_foreign(facts["foreign"])
        for key, text in facts.items():
            note(f"{spell_key(key)}: {text}")
        for line in document["bankLines"]:
            undone = " (undone)" if line["undone"] else ""
            note(
                f"Bank line{undone}: {line['file']}, line {line['line']}, {line['date']}: "
                f"{line['text']}"
            )
    emit(document, as_json=as_json, columns=POSTINGS, rows=document["postings"])


@app.command()
def budget(ctx: typer.Context, year: Year = None, as_json: JsonFlag = False) -> None:
    """Show what a year received, spent and promised, per fund.

    \b
    Example:
      jara ledger budget --year 2026
    """
    context = open_application(ctx, any_mode=True).context
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


def _split_keys(text: str) -> list[str]:
    keys = [key.strip() for key in text.split(",") if key.strip()]
    unknown = [key for key in keys if key not in _BY]
    if unknown:
        raise InvalidInput(f"'{unknown[0]}' is not valid for --by; use {', '.join(_BY)}.")
    return keys
