"""Starting a pledge for an existing member: the first, or a new one."""

from __future__ import annotations

from dataclasses import replace

from jara.domain.errors import CardDeclined, Conflict, JaraError, NotFound, Unavailable
from jara.domain.giving.billing_day import BillingDay, parse_billing_day
from jara.domain.giving.member import FieldErrors, Member
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    RUNNING,
    Pledge,
    PledgeState,
    parse_pledge,
    start_pledge,
)
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge, refresh_pledge
from jara.services.giving.subscription_sync import StartedPledge, keep_facts, started
from jara.services.members.contributors import customer_handle
from jara.services.notices.emails import queue_welcome
from jara.services.ports.payments import Attempt, PaymentOutcome


def start_again(
    context: Context,
    member_id: str,
    *,
    payment_method: str,
    amount: object = None,
    billing_day: object = None,
) -> StartedPledge:
    """Start a pledge with a card; amount and day default to the earlier ones.

    An unfinished pledge is cancelled first. The new pledge is stored before the provider
    is called, so that a retry after a crash does not charge twice.

    Raises:
        NotFound: there is no such member.
        Conflict: the pledge is running; only its card can be replaced.
        CardDeclined: the card was declined; the pledge is canceled.
    """
    member, earlier = _find(context, member_id)
    if earlier is not None and earlier.state is PledgeState.INCOMPLETE:
        earlier = refresh_pledge(context, member_id)
    if earlier is not None and earlier.state in RUNNING:
        raise Conflict(f"The pledge is already {earlier.state}; its card can be replaced.")
    pledge = _new_pledge(context, member, earlier, amount, billing_day)
    if earlier is not None:
        cancel_pledge(context, member_id)
    pledge = _attach_card(context, member, pledge, payment_method)
    return _start(context, member, pledge, payment_method)


def _find(context: Context, member_id: str) -> tuple[Member, Pledge | None]:
    with context.store.read() as work:
        member, pledge = work.members.get(member_id), work.pledges.get(member_id)
    if member is None:
        raise NotFound(f"There is no member '{member_id}'.")
    return member, pledge


def _new_pledge(
    context: Context, member: Member, earlier: Pledge | None, amount: object, billing_day: object
) -> Pledge:
    if earlier is None:
        dollars, day = PLEDGE_DOLLARS_DEFAULT, BillingDay.CURRENT
    else:
        dollars, day = earlier.dollars, earlier.billing_day
    errors = FieldErrors()
    asked = dollars if amount is None else amount  # an earlier amount may be below today's minimum
    dollars = errors.collect("subscriptionAmount", lambda: parse_pledge(asked), dollars)
    if billing_day is not None:
        day = errors.collect("billingDay", lambda: parse_billing_day(billing_day), day)
    errors.raise_any()
    pledge = start_pledge(
        pledge_id=context.new_id(),
        member_id=member.id,
        dollars=dollars,
        billing_day=day,
        now=context.now(),
    )
    return replace(pledge, customer_id=None if earlier is None else earlier.customer_id)


def _attach_card(context: Context, member: Member, pledge: Pledge, payment_method: str) -> Pledge:
    customer_id = pledge.customer_id
    if customer_id is None:
        customer_id = context.gateway.create_customer(
            email=member.email,
            name=f"{member.firstname} {member.lastname}",
            member_id=member.id,
            payment_method=payment_method,
            key=f"pledge:{pledge.id}:{payment_method}:customer",
        )
    else:
        context.gateway.set_card(customer_id, payment_method)
    pledge = replace(pledge, customer_id=customer_id)
    with context.store.write() as work:
        work.pledges.put(pledge, member_key=member.key, at=context.now())
        work.contributors.put(customer_handle(customer_id), member.key)
    return pledge


def _start(context: Context, member: Member, pledge: Pledge, payment_method: str) -> StartedPledge:
    attempt = _call_provider(context, member, pledge, payment_method)
    facts = context.gateway.subscription(attempt.reference)
    with context.store.write() as work:
        pledge = keep_facts(context, work, pledge, facts)
        if pledge.state in RUNNING:
            queue_welcome(context, work, member, pledge)
    if attempt.outcome is PaymentOutcome.DECLINED:
        cancel_pledge(context, member.id)
        raise CardDeclined(attempt.message)
    return started(member, pledge, attempt)


def _call_provider(
    context: Context, member: Member, pledge: Pledge, payment_method: str
) -> Attempt:
    try:
        return context.gateway.start_subscription(
            customer_id=str(pledge.customer_id),
            dollars=pledge.dollars,
            billing_day=pledge.billing_day,
            member_id=member.id,
            key=f"pledge:{pledge.id}:{payment_method}:subscription",
        )
    except Unavailable:
        raise
    except JaraError:
        cancel_pledge(context, member.id)
        raise
