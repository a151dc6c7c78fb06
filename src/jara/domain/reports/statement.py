"""A member's statement."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.journal import Foreign
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.reports.parts import BooksMark, ReportPeriod


class StatementLine(NamedTuple):
    """One payment of a member."""

    day: date
    kind: str
    reference: str
    amount_cents: int
    refunded_cents: int = 0
    fee_cents: int | None = None
    """The card fee; None if unknown."""


class TracePayment(NamedTuple):
    """The part of an expense that a member's money paid."""

    day: date
    account: str
    project: str
    entry: str
    cents: int
    whole_cents: int = 0
    """The total cost of the expense."""
    foreign: Foreign | None = None
    """The total amount the payee received, in another currency."""


@dataclass(frozen=True, slots=True)
class TraceFund:
    """How a member's money in one fund was used: paid, waiting or refunded."""

    fund: Fund
    received_cents: int
    refunded_cents: int
    waiting_cents: int
    paid: tuple[TracePayment, ...]

    def __post_init__(self) -> None:
        found = self.paid_cents + self.waiting_cents + self.refunded_cents
        if found != self.received_cents:
            raise InvalidInput(
                f"Of {format_cents(self.received_cents)} in '{self.fund}' the trace finds "
                f"{format_cents(found)}; paid, waiting and refunded must be what was received."
            )

    @property
    def paid_cents(self) -> int:
        """The part that was spent."""
        return sum(payment.cents for payment in self.paid)


@dataclass(frozen=True, slots=True)
class Statement:
    """A member's contributions in a period, and the expenses they paid for."""

    organisation: str
    address: str
    imprint: str = field(default="", kw_only=True)
    member_name: str
    member_key: str
    period: ReportPeriod
    books: BooksMark
    lines: tuple[StatementLine, ...]
    trace: tuple[TraceFund, ...]

    @property
    def paid_cents(self) -> int:
        """The amount the member paid in the period."""
        return sum(line.amount_cents for line in self.lines)

    @property
    def refunded_cents(self) -> int:
        """The refunded part of it."""
        return sum(line.refunded_cents for line in self.lines)
