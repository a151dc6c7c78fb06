"""The spending report: what left the organisation, who asked for it, and who signed."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Annotated, NamedTuple

from jara.documents import HIDDEN, Json
from jara.domain.reports.parts import BooksMark, ReportPeriod, Title


class SignedPayment(NamedTuple):
    """A payment that counts against the limits of what one person may do alone."""

    day: Annotated[date, Json("date")]
    entry: str  # the id of its entry; of a refund by card, the provider's charge
    account: str  # the account that gets it
    payee: Title  # the payee's title
    cents: int
    asked_by: str  # the operator who asked for it; empty if nobody did
    signed_by: tuple[str, ...]  # the other operators who signed
    why: str  # the reason that was given; empty without one

    @property
    def is_alone(self) -> bool:
        """Whether nobody else signed."""
        return not self.signed_by


class PayeeSum(NamedTuple):
    """What a payee got, and how much of it by the decision of one person."""

    label: Title  # the payee's title
    account: str
    payments: int
    cents: int
    alone_cents: int  # how much of it one person spent alone


class PersonSum(NamedTuple):
    """What one person spent alone on a payee; an empty name stands for no operator."""

    person: str
    payee: Title
    account: str
    payments: int
    cents: int


@dataclass(frozen=True, slots=True)
class SpendingReport:
    """What left in a period; with names if it is by signers."""

    organisation: str
    imprint: Annotated[str, HIDDEN] = field(default="", kw_only=True)
    period: ReportPeriod
    books: BooksMark
    cents: int
    alone_cents: int
    payees: tuple[PayeeSum, ...]
    alone: tuple[PersonSum, ...] = ()
    payments: tuple[SignedPayment, ...] = ()


def sum_by_payee(payments: Iterable[SignedPayment]) -> tuple[PayeeSum, ...]:
    """Sum payments by payee, the largest first."""
    sums: dict[str, PayeeSum] = {}
    for one in payments:
        before = sums.get(one.account, PayeeSum(one.payee, one.account, 0, 0, 0))
        sums[one.account] = before._replace(
            payments=before.payments + 1,
            cents=before.cents + one.cents,
            alone_cents=before.alone_cents + one.cents * one.is_alone,
        )
    return tuple(sorted(sums.values(), key=lambda one: (-one.cents, one.account)))


def sum_alone(payments: Iterable[SignedPayment]) -> tuple[PersonSum, ...]:
    """Sum by person and payee what nobody else signed, by name and then the largest first."""
    sums: dict[tuple[str, str], PersonSum] = {}
    for one in payments:
        if not one.is_alone:
            continue
        key = one.asked_by, one.account
        before = sums.get(key, PersonSum(one.asked_by, one.payee, one.account, 0, 0))
        sums[key] = before._replace(payments=before.payments + 1, cents=before.cents + one.cents)
    return tuple(sorted(sums.values(), key=lambda one: (one.person, -one.cents, one.account)))
