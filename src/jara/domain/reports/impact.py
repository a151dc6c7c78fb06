"""The contents of the impact report.

The types hold computed figures and reject contradictory ones. Amounts are in cents,
shares in tenths of a percent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.foreign import ForeignSum, sum_foreign
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.reports.parts import BooksMark, Payout, ReportPeriod
from jara.domain.reports.voting import ProposalRecord

PROJECT_PAYEES = "expenses:projects"
"""The parent of the accounts of projects."""


class Receipts(NamedTuple):
    """Money received by kind, before refunds."""

    pledges_cents: int = 0
    gifts_cents: int = 0
    grants_cents: int = 0
    other_cents: int = 0

    @property
    def total_cents(self) -> int:
        """All kinds together."""
        return self.pledges_cents + self.gifts_cents + self.grants_cents + self.other_cents


class FundLine(NamedTuple):
    """One fund of the split: its promised share and its spending."""

    fund: Fund
    received_cents: int
    """Net of refunds and disputes."""
    spent_cents: int
    """Net of reversals; `committed` is counted with projects."""
    fees_cents: int
    """The part of the spending that is card and bank fees."""
    held_cents: int
    promised_tenths: int
    actual_tenths: int


class MonthLine(NamedTuple):
    """The income of one month, gross, and the refunds in it."""

    month: date
    """The first day of the month."""
    pledges_cents: int
    gifts_cents: int
    refunds_cents: int


class ProjectProgress(NamedTuple):
    """The progress of a project."""

    slug: str
    title: str
    status: str
    milestones_done: int
    milestones_total: int
    paid_cents: int = 0
    """The total paid out to it up to the period's end."""
    paid_in_period_cents: int = 0
    account: str = ""


class LateEntry(NamedTuple):
    """An entry dated in the period but booked after its end."""

    entry: str
    day: date
    recorded_on: date
    description: str
    cents: int


@dataclass(frozen=True, slots=True)
class ImpactReport:
    """What an organisation received, spent, decided and achieved in a period."""

    organisation: str
    imprint: str = field(default="", kw_only=True)
    period: ReportPeriod
    books: BooksMark
    changemakers: int
    pledged_monthly_cents: int
    received: Receipts
    refunds_cents: int
    """Refunds and lost disputes, as a positive amount."""
    fees_cents: int
    contributions: int
    """The number of pledge payments received."""
    gifts: int
    givers: int
    funds: tuple[FundLine, ...]
    months: tuple[MonthLine, ...]
    disbursements: tuple[Payout, ...]
    cash_at_hand_cents: int
    cash_deployed_cents: int
    proposals: tuple[ProposalRecord, ...]
    projects: tuple[ProjectProgress, ...]
    late_entries: tuple[LateEntry, ...] = ()
    drift_note: str = ""
    """The operator's own words on why the actual split differs from the promised one."""

    def __post_init__(self) -> None:
        by_fund = sum(line.received_cents for line in self.funds)
        if by_fund != self.kept_cents:
            raise InvalidInput(
                f"The funds received {format_cents(by_fund)}, but {format_cents(self.kept_cents)} "
                "came in net of refunds; the two must be equal."
            )
        self._require_equal_sums()

    def _require_equal_sums(self) -> None:
        """Require that the amounts paid to projects equal the list of payouts."""
        listed: dict[str, int] = {}
        for project in self.projects:
            cents = listed.get(project.account, 0) + project.paid_in_period_cents
            listed[project.account] = cents
        paid: dict[str, int] = {}
        for payout in self.disbursements:
            paid[payout.account] = paid.get(payout.account, 0) + payout.cents
        for account in sorted({*listed, *paid}):
            is_project = account.startswith(PROJECT_PAYEES)
            if is_project and listed.get(account, 0) != paid.get(account, 0):
                raise InvalidInput(
                    f"The payouts to '{account}' are {format_cents(paid.get(account, 0))}, but the "
                    f"projects got {format_cents(listed.get(account, 0))}; the two must be equal."
                )

    @property
    def kept_cents(self) -> int:
        """Received, net of refunds and disputes."""
        return self.received.total_cents - self.refunds_cents

    @property
    def paid_abroad(self) -> tuple[ForeignSum, ...]:
        """Payouts in other currencies in the period, by currency."""
        return sum_foreign((payout.foreign, payout.cents) for payout in self.disbursements)

    @property
    def disbursed_cents(self) -> int:
        """Paid out in the period."""
        return sum(payout.cents for payout in self.disbursements)
