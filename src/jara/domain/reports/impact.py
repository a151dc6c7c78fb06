"""The contents of the impact report.

The types hold computed figures and reject contradictory ones. Amounts are in cents,
shares in tenths of a percent.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, OPTIONAL, Json
from jara.domain.books.account import PROJECTS, Fund, is_below, nearest
from jara.domain.books.foreign import ForeignSum, sum_foreign
from jara.domain.errors import InvalidInput
from jara.domain.measures import MeasuredResult
from jara.domain.money import format_cents
from jara.domain.projects import Progress
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod, Title
from jara.domain.reports.voting import ProposalRecord
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.tally import percent_number

OTHER_COSTS = "Other costs"
"""The name of expenses of no other purpose."""
_PAID_ABROAD = Json(
    after="disbursed_cents",
    is_optional=True,
    write=lambda sums: sums or None,
    kind=tuple[ForeignSum, ...],
)


class Receipts(NamedTuple):
    """Money received by kind, before refunds."""

    pledges_cents: Annotated[int, Json("pledges")] = 0
    gifts_cents: Annotated[int, Json("gifts")] = 0
    grants_cents: Annotated[int, Json("grants")] = 0
    other_cents: Annotated[int, Json("other")] = 0

    @property
    def total_cents(self) -> Annotated[int, Json("total", after="other_cents")]:
        """All kinds together."""
        return self.pledges_cents + self.gifts_cents + self.grants_cents + self.other_cents


class FundFigures(NamedTuple):
    """One fund of the split: its promised share and its spending."""

    fund: Fund
    received_cents: int
    """Net of refunds and disputes."""
    spent_cents: int
    """Net of reversals; `committed` is counted with projects."""
    fees_cents: int
    """The part of the spending that is card and bank fees."""
    held_cents: int
    promised_tenths: Annotated[int, Json("promisedShare", write=percent_number, kind=float)]
    actual_tenths: Annotated[int, Json("actualShare", write=percent_number, kind=float)]


class PurposeLine(NamedTuple):
    """What was spent on a purpose by each fund; `committed` is counted with projects."""

    label: str
    by_fund: Annotated[Mapping[Fund, int], Json("fundCents")]

    @property
    def cents(self) -> Annotated[int, Json(after="by_fund")]:
        """All funds together."""
        return sum(self.by_fund.values())


class MonthLine(NamedTuple):
    """The income of one month, gross, and the refunds in it."""

    month: Annotated[date, Json(write="{:%Y-%m}".format, kind=str)]
    """The first day of the month."""
    pledges_cents: int
    gifts_cents: int
    refunds_cents: int


class ProjectProgress(NamedTuple):
    """The progress of a project."""

    slug: str
    title: Title
    status: str
    milestones: Progress
    paid_cents: int = 0
    """The total paid out to it up to the period's end."""
    paid_in_period_cents: int = 0
    account: Annotated[str, HIDDEN] = ""
    results: tuple[MeasuredResult, ...] = ()
    """Its measures beside what was measured by the period's end."""


class PaperFigures(NamedTuple):
    """How much of what was spent has a document, without fees of the provider and the bank."""

    from_cents: int
    """Smaller spends are left out: they need none."""
    spent_cents: int
    documented_cents: int


class LateEntry(NamedTuple):
    """An entry dated in the period but booked after its end."""

    entry: Annotated[str, Json("id")]
    day: Annotated[date, Json("date")]
    recorded_on: date
    description: str
    cents: int


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """What an organisation received, spent, decided and achieved in a period."""

    organisation: str
    imprint: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    period: ReportPeriod
    time_zone: Annotated[str, HIDDEN] = field(default=UTC_ZONE.name, kw_only=True)
    books: BooksMark
    changemakers: int
    pledged_monthly_cents: int
    received: Annotated[Receipts, Json("receivedCents")]
    refunds_cents: int
    """Refunds and lost disputes, as a positive amount."""
    fees_cents: int
    contributions: int
    """The number of pledge payments received."""
    gifts: int
    givers: int
    funds: tuple[FundFigures, ...]
    drift_note: str = field(default="", kw_only=True)
    """The operator's own words on why the actual split differs from the promised one."""
    months: tuple[MonthLine, ...]
    disbursements: tuple[Payout, ...]
    cash_at_hand_cents: int
    cash_deployed_cents: int
    proposals: tuple[ProposalRecord, ...]
    projects: tuple[ProjectProgress, ...]
    late_entries: tuple[LateEntry, ...] = ()
    spent: tuple[PurposeLine, ...] = field(default=(), kw_only=True)
    """What each fund paid for; it adds up to what the funds spent."""
    papers: Annotated[PaperFigures | None, OPTIONAL] = field(default=None, kw_only=True)
    """None if the organisation asks for no documents, or spent nothing that needs one."""

    def __post_init__(self) -> None:
        by_fund = sum(line.received_cents for line in self.funds)
        if by_fund != self.kept_cents:
            raise InvalidInput(
                f"The funds received {format_cents(by_fund)}, but {format_cents(self.kept_cents)} "
                "came in net of refunds; the two must be equal."
            )
        spent = sum(line.spent_cents for line in self.funds)
        if spent != sum(line.cents for line in self.spent):
            raise InvalidInput(
                f"The funds spent {format_cents(spent)}, but the purposes add up to "
                f"{format_cents(sum(line.cents for line in self.spent))}; the two must be equal."
            )
        self._require_equal_sums()

    def _require_equal_sums(self) -> None:
        """Require that the amounts paid to projects equal the list of payouts."""
        listed: Counter[str] = Counter()
        for project in self.projects:
            listed[project.account] += project.paid_in_period_cents
        paid: Counter[str] = Counter()
        for payout in self.disbursements:
            paid[nearest(payout.account, listed) or payout.account] += payout.cents
        for account in sorted({*listed, *paid}):
            if is_below(account, PROJECTS) and listed[account] != paid[account]:
                raise InvalidInput(
                    f"The payouts to '{account}' are {format_cents(paid[account])}, but the "
                    f"projects got {format_cents(listed[account])}; the two must be equal."
                )

    @property
    def kept_cents(self) -> Annotated[int, Json(after="refunds_cents")]:
        """Received, net of refunds and disputes."""
        return self.received.total_cents - self.refunds_cents

    @property
    def disbursed_cents(self) -> Annotated[int, Json(after="disbursements")]:
        """Paid out in the period."""
        return sum(payout.cents for payout in self.disbursements)

    @property
    def paid_abroad(self) -> Annotated[tuple[ForeignSum, ...], _PAID_ABROAD]:
        """Payouts in other currencies in the period, by currency."""
        return sum_foreign((payout.foreign, payout.cents) for payout in self.disbursements)
