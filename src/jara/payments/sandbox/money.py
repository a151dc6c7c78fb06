"""Money in the sandbox: charges, refunds, disputes, payouts, and their balance rows."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from jara.domain.books.provider_row import ChargeKind, ProviderRow, RowCategory
from jara.domain.currency import books_currency
from jara.domain.errors import Conflict
from jara.domain.money import format_cents
from jara.domain.time_zone import UTC_ZONE
from jara.payments.sandbox.cards import DISPUTE_TIME
from jara.payments.sandbox.objects import (
    Charge,
    Dispute,
    Objects,
    Payer,
    Payout,
    Schedule,
    instant_text,
    read_instant,
)
from jara.services.ports.payments import ProviderBalance

DISPUTE_FEE_CENTS = 1500
PAYOUT_TIME = time(6, tzinfo=UTC)
PAYOUT_INTERVAL = timedelta(days=7)
PAYOUT_DELAY = timedelta(days=2)
"""Payouts leave on Mondays and are in the bank on Wednesdays."""


def card_fee(cents: int) -> int:
    """Return Stripe's fee for a charge: 2.9 % and 30 cents, halves rounded up."""
    return (cents * 29 + 500) // 1000 + 30


class SandboxMoney:
    """Moves money and writes a balance row for each movement."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects

    def charge(
        self,
        payer: str,
        cents: int,
        kind: ChargeKind,
        *,
        at: datetime,
        fingerprint: str | None = None,
    ) -> Charge:
        """Take money from a card."""
        charge_id = self._objects.new_id("ch_")
        charge = Charge(charge_id, payer, kind.value, cents, fingerprint=fingerprint)
        self._objects.put(charge)
        self._move(RowCategory.CHARGE, cents, card_fee(cents), charge.id, charge, at=at)
        return charge

    def refund(self, charge_id: str, cents: int, *, at: datetime) -> str:
        """Refund money; the fee of the charge is kept.

        Raises:
            Conflict: the amount exceeds the rest of the charge.
        """
        charge = self._objects.get(Charge, charge_id)
        if not 0 < cents <= charge.left:
            raise Conflict(
                f"{format_cents(cents)} cannot be refunded: "
                f"{format_cents(charge.left)} is left of the charge {charge_id}."
            )
        refund_id = self._objects.new_id("re_")
        charge.refunded += cents
        self._objects.put(charge)
        self._move(RowCategory.REFUND, -cents, 0, refund_id, charge, at=at)
        return refund_id

    def dispute(self, charge_id: str, *, at: datetime) -> str:
        """Take a charge back with a fee, in one row.

        Raises:
            Conflict: nothing is left of it.
        """
        charge = self._objects.get(Charge, charge_id)
        if not charge.left:
            raise Conflict(f"Nothing is left of the charge {charge_id} to dispute.")
        dispute = Dispute(self._objects.new_id("du_"), charge_id, charge.left)
        charge.withdrawn += dispute.cents
        self._objects.put(dispute, due_at=at + DISPUTE_TIME)
        self._objects.put(charge)
        row = (RowCategory.DISPUTE, -dispute.cents, DISPUTE_FEE_CENTS, dispute.id)
        self._move(*row, charge, at=at)
        return dispute.id

    def has_lost_dispute(self, charge_id: str) -> bool:
        """Return whether a charge was disputed, and every dispute of it is decided and lost."""
        disputes = self._objects.all(Dispute)
        return {"lost"} == {each.status for each in disputes if each.charge_id == charge_id}

    def settle_dispute(self, dispute_id: str, *, won: bool, at: datetime) -> None:
        """Decide a dispute; a won one brings the money back, not the fee.

        Raises:
            Conflict: it is decided already.
        """
        dispute = self._objects.get(Dispute, dispute_id)
        if dispute.status != "needs_response":
            raise Conflict(f"The dispute {dispute_id} is {dispute.status} already.")
        dispute.status = "won" if won else "lost"
        self._objects.put(dispute)
        if won:
            charge = self._objects.get(Charge, dispute.charge_id)
            charge.withdrawn -= dispute.cents
            self._objects.put(charge)
            row = (RowCategory.DISPUTE_REVERSAL, dispute.cents, 0, dispute.id)
            self._move(*row, charge, at=at)

    def lose_unanswered(self, now: datetime) -> int:
        """Mark the overdue disputes as lost; return how many."""
        unanswered = self._objects.due(Dispute, now)
        for dispute in unanswered:
            self.settle_dispute(dispute.id, won=False, at=now)
        return len(unanswered)

    def next_payout_at(self) -> datetime | None:
        """Return the time of the next payout; None before the first payment."""
        schedule = self._objects.find(Schedule, "payout")
        if schedule is not None:
            return read_instant(schedule.at)
        first = next(iter(self._objects.state.unpaid_rows(datetime.max.replace(tzinfo=UTC))), None)
        return None if first is None else _monday_after(read_instant(str(first["created"])))

    def pay_out(self, at: datetime) -> bool:
        """Pay the balance out to the bank; return whether there was a payout.

        A negative balance waits for the next week.
        """
        self._objects.put(Schedule("payout", instant_text(at + PAYOUT_INTERVAL)))
        rows: list[dict[str, Any]] = self._objects.state.unpaid_rows(at)
        cents = sum(row["amount"] - row["fee"] for row in rows)
        if cents <= 0:
            return False
        arrives_on = UTC_ZONE.day_of(at) + PAYOUT_DELAY
        payout = Payout(self._objects.new_id("po_"), cents, arrives_on.isoformat())
        self._objects.put(payout)
        row_id = self._append(
            at,
            category=RowCategory.PAYOUT.value,
            amount=-cents,
            fee=0,
            source_id=payout.id,
            arrives_on=payout.arrives_on,
        )
        self._objects.state.set_payout([*(row["id"] for row in rows), row_id], payout.id)
        return True

    def rows(self, *, since: datetime | None) -> Iterator[ProviderRow]:
        """Return the balance rows since an instant, oldest first."""
        docs: list[dict[str, Any]] = self._objects.state.rows(since=since)
        # Read after the rows, so that every row finds its payer.
        payers = {payer.id: payer for payer in self._objects.all(Payer)}
        for doc in docs:
            yield _provider_row(doc, payers.get(doc.get("payer", "")))

    def balance(self, today: date) -> ProviderBalance:
        """Return our balance at the sandbox."""
        docs: list[dict[str, Any]] = self._objects.state.rows()
        payouts = self._objects.all(Payout)
        return ProviderBalance(
            currency=books_currency().lower(),
            available_cents=sum(doc["amount"] - doc["fee"] for doc in docs),
            pending_cents=0,
            in_transit_cents=sum(
                payout.cents for payout in payouts if date.fromisoformat(payout.arrives_on) > today
            ),
            reserve_cents=0,
        )

    def _move(
        self,
        category: RowCategory,
        amount: int,
        fee: int,
        source_id: str,
        charge: Charge,
        *,
        at: datetime,
    ) -> None:
        self._append(
            at,
            category=category.value,
            amount=amount,
            fee=fee,
            source_id=source_id,
            charge_id=charge.id,
            kind=charge.kind,
            payer=charge.payer,
            card=charge.fingerprint,
        )

    def _append(self, at: datetime, **doc: object) -> str:
        row_id = self._objects.new_id("txn_")
        doc = {"id": row_id, "created": instant_text(at), **doc}
        self._objects.state.append_row(row_id, at, doc)
        return row_id


def _monday_after(instant: datetime) -> datetime:
    day = UTC_ZONE.day_of(instant)
    return datetime.combine(day + timedelta(days=7 - day.weekday()), PAYOUT_TIME)


def _provider_row(doc: dict[str, Any], payer: Payer | None) -> ProviderRow:
    category = RowCategory(doc["category"])
    is_payout = category is RowCategory.PAYOUT
    return ProviderRow(
        created=read_instant(doc["created"]),
        currency=books_currency().lower(),
        category=category,
        amount=doc["amount"],
        fee=doc["fee"],
        net=doc["amount"] - doc["fee"],
        txn_id=doc["id"],
        raw_category=doc["category"],
        source_id=doc["source_id"],
        charge_id=doc.get("charge_id"),
        charge_kind=ChargeKind(doc["kind"]) if category is RowCategory.CHARGE else None,
        member_id=payer.member_id if payer else None,
        customer_id=payer.customer_id if payer else None,
        email=payer.email if payer else None,
        language=payer.language if payer else None,
        card_fingerprint=doc.get("card") if category is RowCategory.CHARGE else None,
        payout_id=None if is_payout else doc["payout_id"],
        arrives_on=date.fromisoformat(doc["arrives_on"]) if is_payout else None,
    )
