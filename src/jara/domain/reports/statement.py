"""A member's statement."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Json
from jara.domain.books.account import Fund
from jara.domain.books.foreign import PUBLIC_AMOUNT, ForeignAmount, public_amount
from jara.domain.books.journal import Foreign
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.reports.parts import PLAIN, SAMPLE, BooksMark, ReportPeriod


class StatementLine(NamedTuple):
    """One payment of a member; `refunded_cents` went back within the period."""

    day: Annotated[date, Json("date")]
    kind: str
    reference: str
    amount_cents: int
    refunded_cents: int = 0
    fee_cents: int | None = None
    """The card fee; None if unknown."""


class StatementReturn(NamedTuple):
    """Money of an earlier payment that went back to the member; negative if it came back to us.

    ``kind`` is that of its entry: a refund, a dispute, or the reversal of an entry. ``is_by_bank``:
    the bank took it back, such as a cheque without funds.
    """

    day: Annotated[date, Json("date")]
    paid_on: date
    kind: str
    reference: str
    cents: int
    is_by_bank: Annotated[bool, HIDDEN] = False


class TracePayment(NamedTuple):
    """The part of an expense that a member's money paid."""

    account: str
    project: Annotated[str | None, PLAIN, SAMPLE]
    """A project's slug, or None; in a statement the title of any payee or cost."""
    entry: str
    day: Annotated[date, Json("date")]
    cents: int
    whole_cents: Annotated[int, HIDDEN] = 0
    """The total cost of the expense."""
    foreign: Annotated[Foreign | None, HIDDEN] = None
    """The total amount the payee received, in another currency."""

    @property
    def title(self) -> str:
        """The title of what a statement's money paid for."""
        return self.project or ""

    @property
    def cents_abroad(
        self,
    ) -> Annotated[int | None, Json("wholeCents", after="cents", is_optional=True)]:
        """The total cost of a payment in another currency."""
        return None if self.foreign is None else self.whole_cents

    @property
    def abroad(self) -> Annotated[ForeignAmount | None, PUBLIC_AMOUNT]:
        """The public form of the total amount in another currency."""
        return public_amount(self.foreign, self.whole_cents)


@dataclass(frozen=True, slots=True)
class TraceFund:
    """How a member's money in one fund was used: paid, waiting or refunded.

    ``refunded_cents`` went back in the period, also of earlier payments; ``other_refunds_cents``
    are those of the period's payments in later periods, less those of earlier payments.
    """

    fund: Annotated[Fund, HIDDEN]
    received_cents: int
    refunded_cents: int
    waiting_cents: int
    paid: tuple[TracePayment, ...]
    other_refunds_cents: int = 0

    def __post_init__(self) -> None:
        refunded = self.refunded_cents + self.other_refunds_cents
        used = self.paid_cents + self.waiting_cents + refunded
        if used != self.received_cents:
            raise InvalidInput(
                f"Of {format_cents(self.received_cents)} in '{self.fund}' the trace finds "
                f"{format_cents(used)}; paid, waiting and refunded must be what was received."
            )

    @property
    def paid_cents(self) -> int:
        """The part that was spent."""
        return sum(payment.cents for payment in self.paid)


def _by_fund(trace: Iterable[TraceFund]) -> dict[Fund, TraceFund]:
    return {line.fund: line for line in trace}


class StatementMember(NamedTuple):
    """The member of a statement."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A member's contributions in a period, and the expenses they paid for."""

    organisation: str
    address: Annotated[str, HIDDEN]
    imprint: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    site_url: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    country: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    """The member's country, by its code, as whose people its amounts are written."""
    member_name: Annotated[str, HIDDEN]
    member_key: Annotated[str, HIDDEN]
    period: ReportPeriod
    books: BooksMark
    lines: Annotated[tuple[StatementLine, ...], Json("contributions")]
    trace: Annotated[
        tuple[TraceFund, ...], Json("funds", write=_by_fund, kind=Mapping[Fund, TraceFund])
    ]
    returns: Annotated[tuple[StatementReturn, ...], Json("earlierRefunds", after="lines")] = ()

    @property
    def member(self) -> Annotated[StatementMember, Json(after="organisation")]:
        """The member of a statement."""
        return StatementMember(self.member_key, self.member_name)

    @property
    def paid_cents(self) -> Annotated[int, Json(after="lines")]:
        """The amount the member paid in the period."""
        return sum(line.amount_cents for line in self.lines)

    @property
    def refunded_cents(self) -> Annotated[int, Json(after="paid_cents")]:
        """The amount that went back to the member in the period, also of earlier payments."""
        of_earlier = sum(one.cents for one in self.returns)
        return sum(line.refunded_cents for line in self.lines) + of_earlier

    @property
    def kept_cents(self) -> Annotated[int, Json(after="refunded_cents")]:
        """What the period adds to what was given; negative if more went back than was paid."""
        return self.paid_cents - self.refunded_cents
