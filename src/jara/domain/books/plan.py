"""The plan of a year: what the board expects each account to get or to spend."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import AccountType, Fund, account_type, nearest
from jara.domain.books.balances import Total
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.texts import Text, tr

PLANNED = (AccountType.INCOME, AccountType.EXPENSES)
"""The types of accounts that a plan is about."""


class PlanLine(NamedTuple):
    """An amount of a plan; income and expenses are both positive."""

    account: str  # the account, with those below it
    fund: Fund | None  # its fund; None for all funds together
    month: str | None  # such as ``2026-03``; None for an amount of the whole year
    cents: int


class Place(NamedTuple):
    """What an amount is planned for: an account in a fund, or in all of them."""

    account: str
    fund: Fund | None = None

    @property
    def label(self) -> str:
        """The account, with its fund if there is one."""
        return self.account if self.fund is None else f"{self.account} ({self.fund})"


class PlanSums(NamedTuple):
    """Planned amounts of a year by place, and what the books have for each; all positive."""

    planned: Mapping[Place, int]
    actual: Mapping[Place, int]
    unplanned: Mapping[Place, int]  # what they have on accounts that no line is for


class OverPlan(NamedTuple):
    """A place of the plan that a payment leaves over its amount."""

    place: str  # the account, and its fund if there is one
    year: int
    planned_cents: int
    reached_cents: int  # what is spent with the payment

    def text(self) -> Text:
        """Say it in a sentence."""
        return tr(
            "Over the plan of {year}: {account} reaches {reached} of {planned}.",
            year=str(self.year),
            account=self.place,
            reached=format_cents(self.reached_cents),
            planned=format_cents(self.planned_cents),
        )


def check_lines(lines: Sequence[PlanLine], year: int) -> None:
    """Check that each amount of the books belongs to at most one place of a plan.

    Raises:
        InvalidInput: it is empty; a line is not of income or expenses, of another year or below
            zero; or two lines are about the same money.
    """
    if not lines:
        raise InvalidInput("The plan has no lines.")
    seen: dict[tuple[str, Fund | None], set[str | None]] = {}
    funds: dict[str, set[bool]] = {}
    for line in lines:
        if account_type(line.account) not in PLANNED:
            raise InvalidInput(f"'{line.account}' is planned; only income and expenses can be.")
        if line.month is not None and not line.month.startswith(f"{year:04d}-"):
            raise InvalidInput(f"{line.month} is not a month of {year}.")
        if line.cents < 0:
            raise InvalidInput(
                f"'{line.account}' has {format_cents(line.cents)}; write what comes in and what "
                "goes out as positive amounts."
            )
        months = seen.setdefault((line.account, line.fund), set())
        if line.month in months or (months and (line.month is None or None in months)):
            raise InvalidInput(
                f"{Place(line.account, line.fund).label} is planned twice: one amount for the "
                "year, or one for each month."
            )
        months.add(line.month)
        funds.setdefault(line.account, set()).add(line.fund is None)
    for account, kinds in funds.items():
        if len(kinds) > 1:
            raise InvalidInput(f"'{account}' is planned with a fund and without one; choose one.")
        above = nearest(account.rpartition(":")[0], funds)
        if above is not None:
            raise InvalidInput(
                f"'{account}' is below '{above}', which is planned too; plan the one or the other."
            )


def planned_sums(lines: Iterable[PlanLine]) -> dict[Place, int]:
    """Sum a plan over its months."""
    sums: Counter[Place] = Counter()
    for line in lines:
        sums[Place(line.account, line.fund)] += line.cents
    return dict(sums)


def compare_plan(lines: Iterable[PlanLine], rows: Iterable[Total], year: int) -> PlanSums:
    """Compare a plan with the totals of its year."""
    planned = planned_sums(lines)
    actual: Counter[Place] = Counter()
    unplanned: Counter[Place] = Counter()
    for row in rows:
        kind = account_type(row.account)
        if row.month[:4] != f"{year:04d}" or kind not in PLANNED:
            continue
        cents = -row.cents if kind is AccountType.INCOME else row.cents
        place = place_of(planned, row.account, row.fund)
        if place is None:
            unplanned[Place(row.account)] += cents
        else:
            actual[place] += cents
    return PlanSums(planned, actual, unplanned)


def place_of(planned: Mapping[Place, int], account: str, fund: Fund) -> Place | None:
    """Return the place of a plan that a posting belongs to."""
    named = nearest(account, {place.account for place in planned})
    if named is None:
        return None
    found = (place for place in (Place(named, fund), Place(named)) if place in planned)
    return next(found, None)


def forecast(cents: int, *, first: date, until: date, last: date) -> int:
    """Return what a period comes to if it goes on as until a day, rounded to the cent."""
    gone, days = (until - first).days + 1, (last - first).days + 1
    return (2 * cents * days + gone) // (2 * gone)
