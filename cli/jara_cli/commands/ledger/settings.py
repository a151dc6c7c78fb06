"""``jara ledger accounts`` and ``jara ledger fixed-costs``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.books.overview import FixedCost
from jara.domain.dates import parse_first_day, parse_last_day
from jara.services.books.policies import (
    add_account,
    add_fixed_cost,
    list_accounts,
    list_fixed_costs,
    remove_fixed_cost,
)
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import Cents, JsonFlag
from jara_cli.output import emit

app = typer.Typer(rich_markup_mode=None)
accounts_app = typer.Typer(invoke_without_command=True)
fixed_costs_app = typer.Typer(invoke_without_command=True)
app.add_typer(accounts_app, name="accounts")
app.add_typer(fixed_costs_app, name="fixed-costs")

_COSTS = (
    Column("id", "Id"),
    Column("name", "For"),
    Column("monthlyCents", "A month", Kind.CENTS),
    Column("from", "From", Kind.DATE),
    Column("to", "To", Kind.DATE),
)


@accounts_app.callback()
def accounts(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the chart of accounts.

    Each payee has an account below expenses:projects, :grants or :donations.

    \b
    Example:
      jara ledger accounts
    """
    if ctx.invoked_subcommand is not None:
        return

    rows = [
        {"account": name, "type": kind, "meaning": meaning}
        for name, kind, meaning in list_accounts(open_application(ctx).context)
    ]
    emit(
        rows,
        as_json=as_json,
        columns=[Column("account", "Account"), Column("meaning", "What it holds", Kind.SENTENCE)],
    )


@accounts_app.command("add")
def add_account_command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Account, such as expenses:rent.")],
    meaning: Annotated[
        str, typer.Option("--meaning", metavar="TEXT", help="What is booked there.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Add an account to the chart.

    \b
    Example:
      jara ledger accounts add expenses:rent --meaning "The office"
    """
    add_account(open_application(ctx).context, name, meaning=meaning)
    emit(
        {"account": name, "meaning": meaning},
        as_json=as_json,
        columns=[Column("account", "Account"), Column("meaning", "What it holds", Kind.SENTENCE)],
    )


@fixed_costs_app.callback()
def fixed_costs(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the monthly fixed-cost budget.

    \b
    Example:
      jara ledger fixed-costs
    """
    if ctx.invoked_subcommand is not None:
        return

    rows = [
        {
            "id": line.id,
            "name": line.cost.name,
            "monthlyCents": line.cost.monthly_cents,
            "from": line.cost.valid_from,
            "to": line.cost.valid_to,
        }
        for line in list_fixed_costs(open_application(ctx).context)
    ]
    emit(rows, as_json=as_json, columns=_COSTS)


@fixed_costs_app.command("add")
def add_fixed_cost_command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is for.")],
    amount: Cents,
    from_day: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="First day; default: today.")
    ] = None,
    to_day: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="Last day; default: no end.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add a line to the monthly fixed-cost budget.

    \b
    Example:
      jara ledger fixed-costs add "Bookkeeping software" 30 --from 2026-11
    """
    context = open_application(ctx).context
    today = context.today()
    cost = FixedCost(
        name,
        amount,
        today if from_day is None else parse_first_day(from_day, today=today),
        None if to_day is None else parse_last_day(to_day, today=today),
    )
    line = add_fixed_cost(context, cost)
    emit(
        {
            "id": line.id,
            "name": cost.name,
            "monthlyCents": cost.monthly_cents,
            "from": cost.valid_from,
            "to": cost.valid_to,
        },
        as_json=as_json,
        columns=_COSTS,
    )


@fixed_costs_app.command("remove")
def remove_fixed_cost_command(
    ctx: typer.Context,
    line: Annotated[str, typer.Argument(metavar="ID", help="Id, or its first characters.")],
    as_json: JsonFlag = False,
) -> None:
    """Remove a line of the fixed-cost budget and its history.

    To end a cost but keep its history, add the line with a last day (add --to) instead.

    \b
    Example:
      jara ledger fixed-costs remove cost_4f7k
    """
    removed = remove_fixed_cost(open_application(ctx).context, line)
    emit({"removed": removed}, as_json=as_json, columns=[Column("removed", "Removed")])
