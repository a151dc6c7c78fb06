"""Whether a member may vote now, asked of pledge and payments (trust §3)."""

from __future__ import annotations

from datetime import datetime

from jara.domain.giving.changemaker import require_changemaker
from jara.domain.giving.contribution import Contribution
from jara.domain.giving.member import Member
from jara.services.ports.books import PaymentRecord
from jara.services.ports.database import UnitOfWork


def require_elector(work: UnitOfWork, member: Member, now: datetime) -> None:
    """Let a changemaker pass.

    Raises:
        NotAChangemaker: the right to vote has not begun; the message names the day.
    """
    if not work.electors.has(member.id, now):
        contributions = contributions_of(work, member.key)
        require_changemaker(work.pledges.get(member.id), contributions, now=now)


def contributions_of(work: UnitOfWork, member_key: str) -> list[Contribution]:
    """Return a member's payments under a pledge, as the right to vote sees them."""
    return [
        _contribution(payment)
        for payment in work.payments.of_member(member_key)
        if payment.kind == "pledge"
    ]


def _contribution(payment: PaymentRecord) -> Contribution:
    lost = payment.dispute in {"lost", "reversed"}
    return Contribution(
        id=str(payment.index),
        member_key=payment.member_key,
        charge_id=payment.source_id or "",
        cents=payment.cents,
        received_on=payment.day,
        entry_index=payment.index,
        refunded_cents=min(payment.cents, max(0, payment.returned_cents)),
        dispute_open=payment.dispute == "open",
        dispute_lost=lost,
    )
