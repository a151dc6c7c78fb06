"""Computes the expected fund balances a second time in the simplest way.

It uses none of Jara's arithmetic: shares are fractions, and the cents of a payment
are sorted one by one.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from functools import cached_property
from math import floor

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory

GIVEN = {"projects": 80, "staff": 7, "marketing": 9, "other": 4}
FEES = {"projects": 0, "staff": 7, "marketing": 9, "other": 4}
SMALLEST_CENTS = 500
_RETURNS = (RowCategory.REFUND, RowCategory.DISPUTE, RowCategory.DISPUTE_REVERSAL)


def shares(cents: int, weights: Mapping[str, int]) -> dict[str, int]:
    """Split an amount of at least zero by largest remainder, with ties to the first."""
    exact = {fund: Fraction(cents * w, sum(weights.values())) for fund, w in weights.items()}
    parts = {fund: floor(share) for fund, share in exact.items()}
    by_rest = sorted(exact, key=lambda fund: parts[fund] - exact[fund])
    for fund in by_rest[: cents - sum(parts.values())]:
        parts[fund] += 1
    return parts


@dataclass
class Paid:
    """A payment as it is booked."""

    member: str | None
    is_pledge: bool
    parts: dict[str, int]
    day: date
    returned: int = 0
    disputed: bool = False
    reversed: bool = False

    def gives_vote(self, at: datetime) -> bool:
        """Return whether the payment allows voting: five dollars are left, for 77 days."""
        kept = sum(self.parts.values()) - self.returned >= SMALLEST_CENTS
        until = datetime.combine(self.day, time(), tzinfo=UTC) + timedelta(days=77)
        return self.is_pledge and kept and at <= until and not self.disputed and not self.reversed

    def give_back(self, cents: int) -> Counter[str]:
        """Return the amount that each fund refunds; a negative amount is returned to it."""
        before = self._taken(self.returned)
        self.returned += cents
        moved = self._taken(self.returned)
        moved.subtract(before)
        return moved

    @cached_property
    def _order(self) -> list[str]:
        """Return the payment's cents in the order of their refund."""
        cents = [
            (Fraction(2 * j - 1, part), place, fund)
            for place, (fund, part) in enumerate(self.parts.items())
            for j in range(1, part + 1)
        ]
        return [fund for _, _, fund in sorted(cents)]

    def _taken(self, count: int) -> Counter[str]:
        whole, rest = divmod(count, len(self._order))
        return Counter(self._order * whole + self._order[:rest])


@dataclass
class MoneyModel:
    """The provider's movements and the operators' acts, added up by fund and account.

    Commitments to proposals count as `projects`, because a commitment is no expense.
    """

    rows: dict[str, ProviderRow] = field(default_factory=dict)
    booked: set[str] = field(default_factory=set)
    payments: dict[str, Paid] = field(default_factory=dict)
    funds: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    paid_out: Counter[str] = field(default_factory=Counter)
    """The cents paid for each proposal."""
    _effects: dict[str, tuple[Counter[str], Counter[str]]] = field(default_factory=dict)

    def look_at(self, rows: list[ProviderRow]) -> None:
        """Store each movement as first seen, because the provider forgets deleted members."""
        for row in rows:
            self.rows.setdefault(row.txn_id or "", row)

    def book(self, txn_id: str, member: str | None) -> None:
        """Add a movement that the books now contain."""
        assert txn_id not in self.booked, f"{txn_id} is booked twice"
        self.booked.add(txn_id)
        row = self.rows[txn_id]
        if row.category is RowCategory.PAYOUT:
            return  # a transfer between the organisation's accounts
        fees = shares(row.fee, FEES)
        given, income = self._given(row, member)
        funds = Counter(given)
        funds.subtract(fees)
        accounts = Counter({income: -row.amount, "expenses:fees": row.fee})
        self._effects[txn_id] = funds, accounts
        self.move(funds, accounts)

    def move(self, funds: Counter[str], accounts: Counter[str], *, sign: int = 1) -> None:
        """Add an amount to funds and accounts, or subtract it."""
        for total, change in ((self.funds, funds), (self.accounts, accounts)):
            for name, cents in change.items():
                total[name] += sign * cents

    def reverse(self, charge_id: str) -> None:
        """Reverse the entry of a mistaken payment."""
        [txn_id] = [
            txn
            for txn in self._effects
            if self.rows[txn].source_id == charge_id
            and self.rows[txn].category is RowCategory.CHARGE
        ]
        self.move(*self._effects[txn_id], sign=-1)
        self.payments[charge_id].reversed = True

    def gives_vote(self, member: str, at: datetime) -> bool:
        """Return whether a booked contribution allows the member to vote at a time."""
        return any(paid.gives_vote(at) for paid in self.payments.values() if paid.member == member)

    def _given(self, row: ProviderRow, member: str | None) -> tuple[Mapping[str, int], str]:
        if row.category is RowCategory.CHARGE:
            is_pledge = row.charge_kind is ChargeKind.PLEDGE
            paid = Paid(member, is_pledge, shares(row.amount, GIVEN), row.created.date())
            self.payments[str(row.source_id)] = paid
            return paid.parts, _income(paid)
        assert row.category in _RETURNS, row.category
        paid = self.payments[str(row.charge_id)]
        if row.category is not RowCategory.REFUND:
            paid.disputed = row.category is RowCategory.DISPUTE
        back = paid.give_back(-row.amount)
        return {fund: -cents for fund, cents in back.items()}, _income(paid)


def _income(paid: Paid) -> str:
    return "income:pledges" if paid.is_pledge else "income:gifts"
