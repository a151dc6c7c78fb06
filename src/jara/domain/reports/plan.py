"""The plan report: what a year's plan says beside what the books say."""

from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, OPTIONAL, Json
from jara.domain.books.account import Fund
from jara.domain.reports.parts import BooksMark, ReportPeriod, Title
from jara.domain.voting.tally import percent_number

_TENTHS = 1000


class PlanRow(NamedTuple):
    """A line of a plan beside the books; income and expenses are both positive."""

    section: str  # ``income`` or ``expenses``
    label: Title  # the title of the account
    account: str
    fund: Fund | None  # its fund; None for all funds
    planned_cents: int | None  # the amount of the year; None if nothing is planned for it
    actual_cents: int
    forecast_cents: int  # what the year comes to if it goes on as until now

    @property
    def difference_cents(self) -> Annotated[int, Json(after="actual_cents")]:
        """What the books have more than the plan."""
        return self.actual_cents - (self.planned_cents or 0)

    @property
    def used_tenths(
        self,
    ) -> Annotated[
        int | None,
        Json("usedShare", after="difference_cents", write=percent_number, kind=float | None),
    ]:
        """The part of the plan that is used; None without a plan."""
        if not self.planned_cents:
            return None
        return self.actual_cents * _TENTHS // self.planned_cents


@dataclass(frozen=True, slots=True)
class PlanReport:
    """A year's plan beside its books."""

    organisation: str
    imprint: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    period: ReportPeriod
    books: BooksMark
    version: int
    versions: int
    decided_on: Annotated[date | None, OPTIONAL]  # the day of its decision
    minutes: str  # the SHA-256 of the document that decided it; empty without one
    gone_tenths: Annotated[int, Json("goneShare", write=percent_number, kind=float)]
    """The share of the year that is over, in tenths of a percent."""
    rows: tuple[PlanRow, ...]  # income first; what is not planned last
