"""The published figures of the books."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import PAYEE_PARENTS, AccountType
from jara.domain.books.balances import Totals
from jara.domain.books.budget import YearFigures, total_of_year
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents


@dataclass(frozen=True, slots=True)
class FixedCost:
    """A monthly fixed cost.

    Raises:
        InvalidInput: a negative cost, or an end before the start.
    """

    name: str  # its purpose, such as 'Bookkeeping software'
    monthly_cents: int
    valid_from: date  # the first day it is in force
    valid_to: date | None = None  # the last day, or None if it has no end

    def __post_init__(self) -> None:
        if self.monthly_cents < 0:
            raise InvalidInput(
                f"The fixed cost '{self.name}' is {format_cents(self.monthly_cents)} a month; "
                "it cannot be negative."
            )
        if self.valid_to is not None and self.valid_to < self.valid_from:
            raise InvalidInput(
                f"The fixed cost '{self.name}' ends on {self.valid_to}, before {self.valid_from}."
            )

    def is_in_force(self, day: date) -> bool:
        """Return whether the cost is in force on a day."""
        return self.valid_from <= day and (self.valid_to is None or day <= self.valid_to)


class CashOverview(NamedTuple):
    """The published figures, in cents; ``year`` is the calendar year of the budget."""

    monthly_donation_cents: int
    cash_at_hand_cents: int
    monthly_fixed_cost_cents: int
    cash_deployed_cents: int
    year: int
    budget: YearFigures


def cash_overview(
    totals: Totals, *, day: date, pledges_cents: Iterable[int], fixed_costs: Iterable[FixedCost]
) -> CashOverview:
    """Return the published figures of a day; the budget is that of its year.

    `totals` are those of the books on that day, `pledges_cents` has the monthly pledge of each
    changemaker, and `fixed_costs` every budget line, in force or not.
    """
    return CashOverview(
        monthly_donation_cents=sum(pledges_cents),
        cash_at_hand_cents=cash_at_hand(totals),
        monthly_fixed_cost_cents=monthly_fixed_cost(fixed_costs, day),
        cash_deployed_cents=cash_deployed(totals),
        year=day.year,
        budget=total_of_year(totals, day.year),
    )


def cash_at_hand(totals: Totals) -> int:
    """Return the sum of all asset accounts (bank, in transit, Stripe, reserve), in cents."""
    return totals.sum_cents(AccountType.ASSETS)


def cash_deployed(totals: Totals) -> int:
    """Return the payments to projects, grants and donations, net of reversals, in cents."""
    return totals.sum_cents(*PAYEE_PARENTS)


def monthly_fixed_cost(fixed_costs: Iterable[FixedCost], day: date) -> int:
    """Return the sum of the budget lines in force on a day, in cents a month."""
    return sum(line.monthly_cents for line in fixed_costs if line.is_in_force(day))
