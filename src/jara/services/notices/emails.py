"""Notices: the emails that a use case writes in the same transaction as their cause.

Payment notices go to every member they concern; news of votes only to those who asked
for them. What nobody triggers, time does: see `notice_rounds`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from jara.domain.books.account import AccountType
from jara.domain.books.journal import PostedEntry, total_of
from jara.domain.giving.billing_day import spell_day
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge
from jara.domain.money import format_cents, format_dollars
from jara.services.context import Context
from jara.services.notices.unsubscribing import unsubscribe_url
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import Email

LOOK_BACK = timedelta(days=7)
"""What is older is no news any more."""

NEWS = frozenset({"vote_opened", "vote_reminder", "vote_result"})
"""Kinds that need consent, and that every reader can unsubscribe from."""


def queue_email(
    context: Context,
    work: UnitOfWork,
    kind: str,
    *,
    address: str,
    values: Mapping[str, Any],
    member_id: str | None = None,
    once_key: str | None = None,
) -> bool:
    """Put an email into the outbox; False when its once-key was used before."""
    email = _make_email(
        context, kind, address=address, values=values, member_id=member_id, once_key=once_key
    )
    return work.outbox.add(email)


def queue_member_email(
    context: Context,
    work: UnitOfWork,
    kind: str,
    member: Member,
    *,
    values: Mapping[str, Any],
    once_key: str | None = None,
) -> bool:
    """Write to a member; news go only to those who want them."""
    email = member_email(context, kind, member, values=values, once_key=once_key)
    return email is not None and work.outbox.add(email)


def member_email(
    context: Context,
    kind: str,
    member: Member,
    *,
    values: Mapping[str, Any],
    once_key: str | None = None,
) -> Email | None:
    """Return an email to a member, or None when it is news and they want none."""
    way_out: dict[str, str] = {}
    if kind in NEWS:
        if not member.notifications:
            return None
        way_out = {"unsubscribeUrl": unsubscribe_url(context, member.email)}
    return _make_email(
        context,
        kind,
        address=member.email,
        values={"firstname": member.firstname, **values, **way_out},
        member_id=member.id,
        once_key=once_key,
    )


def queue_welcome(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Welcome a member whose card is confirmed, once."""
    charge = pledge.next_charge_on
    values = {
        "amount": format_dollars(pledge.dollars * 100),
        "nextCharge": spell_day(charge) if charge else "the day we will write to you about",
    }
    return queue_member_email(
        context, work, "welcome", member, values=values, once_key=f"welcome:{member.id}"
    )


def queue_amount_changed(
    context: Context,
    work: UnitOfWork,
    member: Member,
    *,
    before_dollars: int,
    after_dollars: int,
    at: datetime,
) -> bool:
    """Tell a member that their monthly amount is another one from the next charge on."""
    return queue_member_email(
        context,
        work,
        "amount_changed",
        member,
        values={
            "before": format_dollars(before_dollars * 100),
            "after": format_dollars(after_dollars * 100),
        },
        once_key=f"amount:{member.id}:{at.replace(microsecond=0).isoformat()}",
    )


def queue_receipt(context: Context, work: UnitOfWork, member: Member, posted: PostedEntry) -> bool:
    """Send the receipt of a payment; it says that it is no tax receipt."""
    cents = -total_of(posted.entry, AccountType.INCOME)
    values = {
        "amount": format_cents(cents),
        "day": spell_day(posted.entry.day),
        "entry": posted.id,
    }
    return queue_member_email(
        context, work, "receipt", member, values=values, once_key=f"receipt:{posted.id}"
    )


def queue_confirm_renewal(
    context: Context,
    work: UnitOfWork,
    member: Member,
    pledge: Pledge,
    *,
    link: str,
    invoice: str,
) -> bool:
    """Send the provider's page on which a member confirms a renewal, once for each."""
    values = {"amount": format_dollars(pledge.dollars * 100), "link": link}
    return queue_member_email(
        context, work, "confirm_renewal", member, values=values, once_key=f"confirm:{invoice}"
    )


def queue_card_expiring(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge, *, expires_on: date
) -> bool:
    """Tell a member that the card which is charged will expire, once for each card."""
    values = {"amount": format_dollars(pledge.dollars * 100), "day": spell_day(expires_on)}
    once_key = f"card-expiring:{pledge.id}:{expires_on:%Y-%m}"
    return queue_member_email(
        context, work, "card_expiring", member, values=values, once_key=once_key
    )


def queue_fraud_warning(context: Context, work: UnitOfWork, *, charge_id: str) -> bool:
    """Tell the organisation that a bank suspects fraud; False when it has no address."""
    address = context.rules.contact_email
    if not address:
        return False
    values = {"charge": charge_id}
    return queue_email(context, work, "fraud_warning", address=address, values=values)


def queue_password_reset(
    context: Context, work: UnitOfWork, member: Member, *, code: str, minutes: int
) -> bool:
    """Send the link with which a member sets a new password."""
    values = {
        "link": f"{context.rules.site_url}/reset-password?code={code}",
        "minutes": str(minutes),
    }
    return queue_member_email(context, work, "password_reset", member, values=values)


def queue_newsletter_confirmation(
    context: Context, work: UnitOfWork, *, address: str, code: str
) -> bool:
    """Ask an address whether it wants the newsletter; nothing else goes to it before."""
    values = {"link": f"{context.rules.site_url}/newsletter/confirm?code={code}"}
    return queue_email(context, work, "newsletter_confirmation", address=address, values=values)


def queue_account_closed(context: Context, work: UnitOfWork, member: Member) -> bool:
    """Say goodbye; the email names no member, so that erasing the member leaves it."""
    return queue_email(
        context,
        work,
        "account_closed",
        address=member.email,
        values={"firstname": member.firstname},
    )


def _make_email(
    context: Context,
    kind: str,
    *,
    address: str,
    values: Mapping[str, Any],
    member_id: str | None,
    once_key: str | None,
) -> Email:
    now = context.now()
    # Nobody is to take the sandbox's payments for real ones.
    mark = {"sandbox": "yes"} if context.gateway.name == "sandbox" else {}
    return Email(
        id=context.new_id(),
        kind=kind,
        address=address,
        doc={
            "organisation": context.rules.organisation,
            "siteUrl": context.rules.site_url,
            **mark,
            **values,
        },
        created_at=now,
        due_at=now,
        member_id=member_id,
        once_key=once_key,
    )
