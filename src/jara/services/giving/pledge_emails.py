"""Emails about a member's own pledge, queued when it changes and by the daily run.

Every email has a once-key, so it is queued only once.
"""

from collections.abc import Iterator
from datetime import timedelta

from jara.domain.giving.changemaker import may_vote_until, retries_on, step_at
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import RUNNING, Pledge, PledgeState
from jara.services.context import Context
from jara.services.notices import emails
from jara.store.unit_of_work import UnitOfWork

BEFORE_FIRST_CHARGE = timedelta(days=3)
BEFORE_CARD_EXPIRES = timedelta(days=30)


def queue_pledge_emails(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge
) -> list[str]:
    """Queue the emails that are due for a pledge; return their kinds."""
    if pledge.way is not PaymentWay.CARD:
        is_queued = _queue_missing(context, work, member, pledge)
        return ["payment_missing"] if is_queued else []
    return list(_queue_due(context, work, member, pledge))


def _queue_due(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> Iterator[str]:
    now = context.now()
    is_new = now - member.joined_at <= emails.LOOK_BACK
    if is_new and pledge.state in RUNNING and emails.queue_welcome(context, work, member, pledge):
        yield "welcome"
    if _is_first_charge_near(context, work, member, pledge) and emails.queue_member_email(
        context,
        work,
        "first_charge",
        member,
        values={"amountCents": pledge.dollars * 100, "day": pledge.anchor_on.isoformat()},
        once_key=f"first-charge:{pledge.id}:{pledge.anchor_on}",
    ):
        yield "first_charge"
    expires_on = pledge.card_expires_on
    if (
        expires_on is not None
        and pledge.state in RUNNING
        and timedelta(0) <= expires_on - context.today() <= BEFORE_CARD_EXPIRES
        and emails.queue_card_expiring(context, work, member, pledge, expires_on=expires_on)
    ):
        yield "card_expiring"
    if _queue_failure(context, work, member, pledge):
        yield "charge_failed"


def queue_pledge_ended(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Queue the email that a pledge ended because no payment went through, once.

    `pledge` is the one before it ended.
    """
    since = pledge.past_due_since
    return emails.queue_member_email(
        context,
        work,
        "pledge_ended" if pledge.way is PaymentWay.CARD else "payment_ended",
        member,
        values={
            "amountCents": pledge.open_cents,
            "day": context.zone.day_of(since).isoformat() if since else "",
            "way": pledge.way.phrase,
        },
        once_key=f"pledge-ended:{pledge.subscription_id or pledge.id}",
    )


def _queue_missing(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Queue the email about a missing payment, once per month; not for old ones."""
    since = pledge.past_due_since
    if since is None or context.now() - since > emails.LOOK_BACK:
        return False
    day = context.zone.day_of(since)
    payments = work.payments.under_pledge(member.key)
    is_returned = any(one.returned_on == day for one in payments)
    return emails.queue_member_email(
        context,
        work,
        "payment_missing",
        member,
        values={
            "amountCents": pledge.dollars * 100,
            "day": day.isoformat(),
            "isReturned": is_returned,
            "restsOn": _vote_rests_on(context, work, pledge),
            "way": pledge.way.phrase,
            "reference": print_reference(pledge.reference or ""),
        },
        once_key=f"payment-missing:{pledge.id}:{day}",
    )


def _queue_failure(context: Context, work: UnitOfWork, member: Member, pledge: Pledge) -> bool:
    """Queue the email for the newest step after a failed charge, once."""
    if pledge.past_due_since is None:
        return False
    step = step_at(context.now() - pledge.past_due_since)
    if step is None:
        return False
    retries = retries_on(pledge, now=context.now(), zone=context.zone)
    return emails.queue_member_email(
        context,
        work,
        "charge_failed",
        member,
        values={
            "amountCents": pledge.open_cents,
            "attempts": [day.isoformat() for day in retries],
            "restsOn": _vote_rests_on(context, work, pledge),
        },
        once_key=f"charge-failed:{pledge.id}:{pledge.past_due_since.isoformat()}:{step.days}",
    )


def _vote_rests_on(context: Context, work: UnitOfWork, pledge: Pledge) -> str:
    """Return the last whole day on which the member may vote; empty if it has passed."""
    now = context.now()
    account = work.pledges.account(pledge.member_id, now=now)
    day = may_vote_until(pledge, account.paid_until, now=now, zone=context.zone)
    return "" if day is None or day < context.today() else day.isoformat()


def _is_first_charge_near(
    context: Context, work: UnitOfWork, member: Member, pledge: Pledge
) -> bool:
    """Return whether the first charge is a few days away."""
    if pledge.state is not PledgeState.ACTIVE or pledge.next_charge_on != pledge.anchor_on:
        return False
    waits = pledge.anchor_on - context.today()
    if not timedelta(0) < waits <= BEFORE_FIRST_CHARGE:
        return False
    return not work.payments.of_member(member.key)
