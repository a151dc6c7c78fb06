"""The yearly statements of a Canadian not-for-profit, and the legal size thresholds.

Figures and reminders for the treasurer and the public accountant, not advice. The standards
are ASNPO (CPA Canada Handbook, Part III); thresholds are in Canadian dollars.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.books.account import Fund
from jara.domain.currency import books_currency
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.reports.parts import BooksMark, ReportPeriod
from jara.domain.reports.voting import ProposalRecord

CANADIAN = "CAD"
RATE_SCALE = 10_000
"""Exchange rates are stored in ten-thousandths of a Canadian dollar."""


class PositionLine(NamedTuple):
    """One line of the financial position, with last year's amount."""

    section: str
    """``assets`` or ``liabilities``."""
    label: str
    cents: int
    prior_cents: int


class OperationsLine(NamedTuple):
    """One line of the operations: the amount of each fund, and last year's total."""

    section: str
    """``revenue`` or ``expenses``; both as positive amounts."""
    label: str
    by_fund: Annotated[Mapping[Fund, int], Json("fundCents")]
    prior_cents: int

    @property
    def cents(self) -> Annotated[int, Json(after="by_fund")]:
        """All funds together."""
        return sum(self.by_fund.values())


class NetAssetsLine(NamedTuple):
    """The change in one fund's net assets, including transfers between funds."""

    fund: Fund
    restriction: str
    """``external``, ``internal`` or ``unrestricted``."""
    opening_cents: int
    revenue_cents: int
    expenses_cents: int
    transfers_cents: int

    @property
    def closing_cents(self) -> Annotated[int, Json(after="transfers_cents")]:
        """The fund's net assets at the end of the year."""
        earned = self.revenue_cents - self.expenses_cents
        return self.opening_cents + earned + self.transfers_cents


class CashFlowLine(NamedTuple):
    """One cause of a change in cash; money out is negative."""

    label: str
    cents: int
    prior_cents: int


@dataclass(frozen=True, slots=True)
class CanadianRate:
    """Canadian dollars for one of the books: an annual average, with its source."""

    ten_thousandths: int
    source: str

    def __post_init__(self) -> None:
        if self.ten_thousandths <= 0:
            raise InvalidInput(f"An exchange rate is above 0, not {self.ten_thousandths}.")

    def convert_cents(self, cents: int) -> int:
        """Return Canadian cents, to the nearest cent, halves away from zero."""
        whole, rest = divmod(abs(cents) * self.ten_thousandths, RATE_SCALE)
        nearest = whole + (2 * rest >= RATE_SCALE)
        return -nearest if cents < 0 else nearest


class SizeLine(NamedTuple):
    """One legal threshold in Canadian dollars: what it measures, and its consequence."""

    measure: str
    """The figure it is compared with: a key of `FundsReport.measures`."""
    above_cents: int
    consequence: str
    source: str
    since: date
    until: date | None = None

    def is_in_force(self, on: date) -> bool:
        """Return whether the line is in force on a day."""
        return self.since <= on and (self.until is None or on <= self.until)


_ACT = "Canada Not-for-profit Corporations Act"
_ACT_SINCE = date(2011, 10, 17)
_INCOME_TAX_ACT = "Income Tax Act, 149(12)"
_TAX_SINCE = date(1993, 1, 1)

SIZE_LINES = (
    SizeLine(
        "publicSources",
        1_000_000,
        "The corporation becomes a soliciting one.",
        f"{_ACT}, s. 2(5.1) and Regulations",
        _ACT_SINCE,
    ),
    SizeLine(
        "grossRevenue",
        5_000_000,
        "Soliciting: an audit, which a special resolution may replace by a review; "
        "up to this line a review, which all members together may waive.",
        f"{_ACT}, s. 179 to 190",
        _ACT_SINCE,
    ),
    SizeLine(
        "grossRevenue",
        25_000_000,
        "Soliciting: an audit, with no way around it.",
        f"{_ACT}, s. 179 to 190",
        _ACT_SINCE,
    ),
    SizeLine(
        "grossRevenue",
        100_000_000,
        "Not soliciting: an audit; up to this line a review.",
        f"{_ACT}, s. 179 to 190",
        _ACT_SINCE,
    ),
    SizeLine(
        "investmentIncome",
        1_000_000,
        "Form T1044 is due within six months of the year's end.",
        _INCOME_TAX_ACT,
        _TAX_SINCE,
    ),
    SizeLine(
        "totalAssetsBefore",
        20_000_000,
        "Form T1044 is due when assets passed this line at the end of the year before.",
        _INCOME_TAX_ACT,
        _TAX_SINCE,
    ),
)
"""The legal thresholds in Canadian cents, each with the date from which it applies."""


class InformationReturn(NamedTuple):
    """The figures for form T1044, in cents."""

    received_by_kind: Annotated[Mapping[str, int], Json("receivedCents")]
    total_assets_cents: int
    total_liabilities_cents: int
    staff_pay_cents: int
    directors_pay_cents: int
    filed_before: bool


@dataclass(frozen=True, slots=True)
class FundsReport:
    """The statements of one year, fund by fund."""

    organisation: str
    imprint: str = field(default="", kw_only=True)
    period: ReportPeriod
    books: BooksMark
    method: str
    """The accounting for restricted contributions: restricted fund or deferral method."""
    position: tuple[PositionLine, ...]
    operations: tuple[OperationsLine, ...]
    net_assets: tuple[NetAssetsLine, ...]
    prior_net_assets_cents: int
    cash_flows: tuple[CashFlowLine, ...]
    opening_cash_cents: int
    prior_opening_cash_cents: int
    commitments: tuple[ProposalRecord, ...]
    measures: Mapping[str, int]
    """The figures that size lines are compared with: grossRevenue, publicSources, ..."""
    information_return: InformationReturn
    changemakers_are_members: bool
    """Whether changemakers are members under the Act, so that their gifts are not public money."""
    rate: CanadianRate | None = None
    approved_by: str = ""
    """The director who signed, once the statements are approved."""

    def __post_init__(self) -> None:
        if self.net_position_cents != self.closing_cents:
            raise InvalidInput(
                f"Assets less liabilities are {format_cents(self.net_position_cents)}, but the "
                f"funds end with {format_cents(self.closing_cents)}; the two must be equal."
            )

    @property
    def net_position_cents(self) -> int:
        """Assets less liabilities at the year's end."""
        assets = sum(line.cents for line in self.position if line.section == "assets")
        owed = sum(line.cents for line in self.position if line.section == "liabilities")
        return assets - owed

    @property
    def closing_cents(self) -> int:
        """The net assets of all funds at the year's end."""
        return sum(line.closing_cents for line in self.net_assets)

    @property
    def closing_cash_cents(self) -> int:
        """Cash at the year's end: the opening cash plus the cash flows."""
        return self.opening_cash_cents + sum(line.cents for line in self.cash_flows)

    def measured_lines(self) -> tuple[tuple[SizeLine, int, int | None], ...]:
        """Return each line in force with its figure in cents and, if known, in Canadian ones."""
        return tuple(
            (line, cents, self.in_canadian(cents))
            for line in SIZE_LINES
            if line.is_in_force(self.period.last)
            for cents in (self.measures.get(line.measure, 0),)
        )

    def in_canadian(self, cents: int) -> int | None:
        """Return an amount in Canadian cents; None without a rate."""
        if books_currency() == CANADIAN:
            return cents
        return None if self.rate is None else self.rate.convert_cents(cents)
