"""``jara ledger accounts``, ``fixed-costs``, ``close-year`` and ``open-year``."""

from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.books.overview import FixedCost
from jara.domain.dates import parse_first_day, parse_last_day, parse_year
from jara.records.journal import FixedCostLine
from jara.services.books import policies
from jara.services.context import Context
from jara.services.operations.control import describe_outside
from jara.services.operations.years import close_year, open_year
from jara_cli.columns import Column, Kind
from jara_cli.options import Cents, Yes, argument, confirm, option
from jara_cli.verbs import Answer, list_verb, verb
from jara_cli.waiting import waiting

app = typer.Typer(rich_markup_mode=None)
accounts_app = typer.Typer(invoke_without_command=True)
fixed_costs_app = typer.Typer(invoke_without_command=True)
app.add_typer(accounts_app, name="accounts")
app.add_typer(fixed_costs_app, name="fixed-costs")

ClosedYear = Annotated[str, argument("YEAR", "Year, such as 2025 or last-year.")]

_ACCOUNTS = (Column("account", "Account"), Column("meaning", "What it holds", Kind.SENTENCE))
_COSTS = (
    Column("id", "Id"),
    Column("name", "For"),
    Column("monthlyCents", "A month", Kind.CENTS),
    Column("from", "From", Kind.DATE),
    Column("to", "To", Kind.DATE),
)


@list_verb(accounts_app, *_ACCOUNTS)
def accounts(context: Context) -> list[Document]:
    """List the chart of accounts.

    Each payee has an account below expenses:projects, :grants or :donations.

    Example: jara ledger accounts list
    """
    return [
        {"account": name, "type": kind, "meaning": meaning}
        for name, kind, meaning in policies.list_accounts(context)
    ]


@verb(accounts_app, *_ACCOUNTS, name="add")
def add_account_command(
    context: Context,
    name: Annotated[str, argument("NAME", "Account, such as expenses:rent.")],
    meaning: Annotated[str, option("TEXT", "What is booked there.")],
) -> Answer:
    """Add an account to the chart.

    Example: jara ledger accounts add expenses:rent --meaning "The office"
    """
    policies.add_account(context, name, meaning=meaning)
    outside = describe_outside(context)
    notes = [f"warning: {outside}"] if name in outside else []
    return Answer({"account": name, "meaning": meaning}, notes=notes)


@list_verb(fixed_costs_app, *_COSTS)
def fixed_costs(context: Context) -> list[Document]:
    """List the monthly fixed-cost budget.

    Example: jara ledger fixed-costs list
    """
    return [_cost_document(line) for line in policies.list_fixed_costs(context)]


@verb(fixed_costs_app, *_COSTS, name="add")
def add_fixed_cost_command(
    context: Context,
    name: Annotated[str, argument("NAME", "What it is for.")],
    amount: Cents,
    from_day: Annotated[str | None, option("DATE", "First day; default: today.", "--from")] = None,
    to_day: Annotated[str | None, option("DATE", "Last day; default: no end.", "--to")] = None,
) -> Document:
    """Add a line to the monthly fixed-cost budget.

    Example: jara ledger fixed-costs add "Bookkeeping software" 30 --from 2026-11
    """
    today = context.today()
    cost = FixedCost(
        name,
        amount,
        today if from_day is None else parse_first_day(from_day, today=today),
        None if to_day is None else parse_last_day(to_day, today=today),
    )
    return _cost_document(policies.add_fixed_cost(context, cost))


@verb(fixed_costs_app, Column("removed", "Removed"), name="remove")
def remove_fixed_cost_command(
    context: Context, line: Annotated[str, argument("ID", "Id, or its first characters.")]
) -> Document:
    """Remove a line of the fixed-cost budget and its history.

    To end a cost but keep its history, add the line with a last day (add --to) instead.

    Example: jara ledger fixed-costs remove cost_4f7k
    """
    removed = policies.remove_fixed_cost(context, line)
    return {"removed": removed}


@verb(
    app, Column("fund", "Fund"), Column("cents", "Closing balance", Kind.CENTS), name="close-year"
)
def close_year_command(context: Context, year: ClosedYear, yes: Yes = False) -> Answer:
    """Lock a year that is over, so that nothing can be posted in it or before it.

    Years close in order, since each begins with what the one before ended with.

    Example: jara ledger close-year 2025 --yes
    """
    chosen = parse_year(year, today=context.today()).first.year
    confirm(f"Close the books of {chosen}?", yes=yes)
    lock = close_year(context, chosen)
    document = {
        "year": lock.year,
        "lockedAt": lock.locked_at,
        "size": lock.log_size,
        "root": lock.root,
        "balances": lock.balances,
    }
    rows = [{"fund": fund, "cents": cents} for fund, cents in lock.balances.items()]
    return Answer(document, view=rows)


@verb(app, Column("year", "Year"), Column("open", "Open"), name="open-year")
def open_year_command(
    context: Context,
    year: ClosedYear,
    why: Annotated[str, option("TEXT", "Reason; it is stored permanently.")],
) -> Answer | Document:
    """Reopen a closed year.

    Example: jara ledger open-year 2025 --why "A bank statement came late."
    """
    chosen = parse_year(year, today=context.today()).first.year
    approval = open_year(context, chosen, why=why)
    if approval is not None:
        return waiting(approval)
    return {"year": chosen, "open": True, "approval": None}


def _cost_document(line: FixedCostLine) -> Document:
    cost = line.cost
    return {
        "id": line.id,
        "name": cost.name,
        "monthlyCents": cost.monthly_cents,
        "from": cost.valid_from,
        "to": cost.valid_to,
    }
