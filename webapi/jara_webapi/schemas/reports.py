"""The impact report, and the traces of contributions."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from jara.domain.books.account import Fund
from jara_webapi.schemas.base import Answer
from jara_webapi.schemas.votes import Tally


class Period(Answer):
    """The first and last day of a report, and the newest day in it until it is over."""

    first: date = Field(alias="from")
    last: date = Field(alias="to")
    until: date | None = None


class Books(Answer):
    """The size, root and time of the books."""

    size: int
    root: str
    at: datetime | None


class Foreign(Answer):
    """What a payee received in another currency."""

    currency: str
    amount_minor: int
    text: str
    rate: str
    receipt: str | None = None


class ForeignSum(Answer):
    """Payments in another currency, added up in both."""

    currency: str
    amount_minor: int
    text: str
    cents: int


class Received(Answer):
    """The income of a period by kind."""

    pledges: int
    gifts: int
    grants: int
    other: int
    total: int


class FundFigures(Answer):
    """A fund of the split, with its promised and actual share in percent."""

    fund: Fund
    received_cents: int
    spent_cents: int
    fees_cents: int
    held_cents: int
    promised_share: float
    actual_share: float


class Month(Answer):
    """The income of a month, gross, and the refunds in it."""

    month: str
    pledges_cents: int
    gifts_cents: int
    refunds_cents: int


class Payout(Answer):
    """Money paid to a project, a grant or a donation; negative if it was returned."""

    date: date
    project: str
    title: str
    account: str
    cents: int
    proposal: str | None = None
    foreign: Foreign | None = None


class FinalTally(Tally):
    """The counts of a decided vote, and its turnout."""

    turnout_percentage: float


class ProposalRecord(Answer):
    """A proposal in a report; it has counts only once it is decided."""

    id: str
    slug: str
    title: str
    status: str
    end_date: date
    goal_cents: int
    tally: FinalTally | None
    held_cents: int
    queued_cents: int
    paid_cents: int
    released_cents: int
    payouts: list[Payout]


class Progress(Answer):
    """How many milestones are done."""

    done: int
    total: int


class ProjectProgress(Answer):
    """The progress of a project."""

    slug: str
    title: str
    status: str
    milestones: Progress
    paid_cents: int
    paid_in_period_cents: int


class LateEntry(Answer):
    """An entry dated in the period but booked after its end."""

    id: str
    recorded_on: date
    date: date
    description: str
    cents: int


class ImpactReport(Answer):
    """What the organisation received, spent, decided and achieved, and the other reports."""

    organisation: str
    period: Period
    books: Books
    changemakers: int
    pledged_monthly_cents: int
    received_cents: Received
    refunds_cents: int
    kept_cents: int
    fees_cents: int
    contributions: int
    gifts: int
    givers: int
    funds: list[FundFigures]
    drift_note: str
    months: list[Month]
    disbursements: list[Payout]
    disbursed_cents: int
    paid_abroad: list[ForeignSum] = Field(default=[])
    cash_at_hand_cents: int
    cash_deployed_cents: int
    proposals: list[ProposalRecord]
    projects: list[ProjectProgress]
    late_entries: list[LateEntry]
    is_over: bool
    archive: list[Period]


class TracedMember(Answer):
    """The member of a statement."""

    key: str
    name: str


class Contribution(Answer):
    """A payment of a member."""

    date: date
    kind: str
    reference: str
    amount_cents: int
    refunded_cents: int
    fee_cents: int


class TracedPayment(Answer):
    """What a member's dollars paid; of a payment abroad also the whole of it."""

    account: str
    project: str
    entry: str
    date: date
    cents: int
    whole_cents: int = 0
    foreign: Foreign | None = None


class FundTrace(Answer):
    """A member's dollars in a fund."""

    received_cents: int
    refunded_cents: int
    waiting_cents: int
    paid: list[TracedPayment]


class MemberTrace(Answer):
    """Where a member's dollars went."""

    organisation: str
    member: TracedMember
    period: Period
    books: Books
    contributions: list[Contribution]
    paid_cents: int
    refunded_cents: int
    kept_cents: int
    funds: dict[Fund, FundTrace]
    received_cents: int


class SamplePayment(Answer):
    """A payment in the sample trace."""

    date: date
    account: str
    project: str
    cents: int


class Sample(Answer):
    """A contribution without its giver, and what it paid for."""

    month: str
    cents: int
    running_cents: int
    paid: list[SamplePayment]


class TraceAnswer(Answer):
    """The trace of one spent contribution, if there is one."""

    trace: Sample | None
