"""Pledges: starting, amount, day, pause, skip, cancel, new card.

Each function checks the rule in the domain, calls the provider, and then stores the
provider's state.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from jara.domain.errors import CardDeclined, Conflict, JaraError, NotFound, Unavailable
from jara.domain.giving import pledge as rules
from jara.domain.giving.billing_day import BillingDay, parse_billing_day
from jara.domain.giving.member import FieldErrors, Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import (
    PLEDGE_DOLLARS_DEFAULT,
    RUNNING,
    Pledge,
    PledgeState,
    move_pledge,
    parse_pledge,
    start_pledge,
)
from jara.domain.texts import tr
from jara.records.operations import Approval
from jara.services.approvals import Handler
from jara.services.context import Context
from jara.services.giving import subscription_sync
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.contributors import customer_handle
from jara.services.members.operators import act_for_member, member_of, take_vote
from jara.services.members.profiles import PLEDGE_CHANGED, require_member
from jara.services.notices.emails import queue_member_email, queue_welcome
from jara.services.notices.links import pledge_to_stop
from jara.services.organisation import read_identity
from jara.services.ports.payments import Attempt, PaymentOutcome, SubscriptionFacts
from jara.store.unit_of_work import UnitOfWork

Tell = Callable[[UnitOfWork, Pledge], None]
"""What queues an email about a pledge, in the transaction that stores it."""


class MemberPledge(NamedTuple):
    """A member with their pledge and its subscription at the provider."""

    member: Member
    pledge: Pledge
    subscription_id: str


def change_amount(context: Context, member_id: str, value: object) -> Pledge:
    """Change the amount from the next charge on, without proration.

    Raises:
        InvalidInput: it is not a whole number of dollars within the limits.
        Conflict: the pledge is canceled, or its card is not confirmed yet.
    """
    current = require_pledge(context, member_id)
    dollars = rules.change_amount(current.pledge, value).dollars
    return _keep(context, current, context.gateway.change_amount(current.subscription_id, dollars))


def change_day(context: Context, member_id: str, value: object) -> Pledge:
    """Change the billing day, not before the paid month is over.

    Raises:
        InvalidInput: it is neither ``current`` nor 1 nor 28.
        Conflict: the pledge is canceled, or its card is not confirmed yet.
    """
    current = require_pledge(context, member_id)
    choice = parse_billing_day(value)
    rules.change_day(current.pledge, choice, charge_on=context.today())
    facts = context.gateway.change_day(current.subscription_id, choice)
    return _keep(context, current, facts, billing_day=choice)


def skip_next(context: Context, member_id: str) -> Pledge:
    """Skip the next charge; asking again before that day changes nothing.

    Raises:
        Conflict: the pledge is not active.
    """
    current = require_pledge(context, member_id)
    if rules.skip_next(current.pledge, today=context.today()) == current.pledge:
        return current.pledge
    return _keep(context, current, context.gateway.skip_next(current.subscription_id))


def keep_next(context: Context, member_id: str) -> Pledge:
    """Undo a skip.

    Raises:
        Conflict: the skipped day is over.
    """
    current = require_pledge(context, member_id)
    if rules.keep_next(current.pledge, today=context.today()) == current.pledge:
        return current.pledge
    return _keep(context, current, context.gateway.resume(current.subscription_id))


def pause_pledge(context: Context, member_id: str) -> Pledge:
    """Stop charging until the member resumes; a paused pledge gives no vote.

    Raises:
        Conflict: the pledge is neither active nor paused.
    """
    current = require_pledge(context, member_id)
    if rules.pause_pledge(current.pledge, at=context.now()).state is current.pledge.state:
        return current.pledge
    return _keep(context, current, context.gateway.pause(current.subscription_id))


def resume_pledge(context: Context, member_id: str) -> Pledge:
    """End a pause; charges continue on the same day of the month.

    Raises:
        Conflict: the pledge is neither paused nor active.
    """
    current = require_pledge(context, member_id)
    if rules.resume_pledge(current.pledge, at=context.now(), zone=context.zone) == current.pledge:
        return current.pledge
    return _keep(context, current, context.gateway.resume(current.subscription_id))


def cancel_pledge(context: Context, member_id: str) -> Pledge:
    """Cancel a pledge immediately; missed charges are not collected.

    Raises:
        NotFound: the member has no pledge.
        Unavailable: the provider did not answer; the pledge is unchanged.
    """
    return _cancel(context, find_pledge(context, member_id))


def _cancel(context: Context, pledge: Pledge, tell: Tell | None = None) -> Pledge:
    if pledge.subscription_id is not None:
        context.gateway.cancel(pledge.subscription_id)
    with context.store.write() as work:
        current = _pledge_of(work, pledge.member_id)
        stopped = current if current.id == pledge.id else pledge  # another was started meanwhile
        if stopped.subscription_id == pledge.subscription_id:
            canceled = move_pledge(stopped, PledgeState.CANCELED, at=context.now())
            if canceled != stopped and stopped is current:
                subscription_sync.keep_pledge(context, work, canceled)
            if tell is not None:
                tell(work, canceled)
            return canceled
    return _cancel(context, current, tell)  # its subscription was started meanwhile


def stop_by_link(context: Context, code: str) -> None:
    """Cancel the pledge of the link's member, and confirm it by email.

    It is not an error if the pledge has ended.

    Raises:
        UnusableCode: the code is not valid.
        Unavailable: the provider did not answer; the pledge is unchanged.
    """
    with context.store.read() as work:
        pledge = pledge_to_stop(context, work, code)
    if pledge.state is PledgeState.CANCELED:
        return
    _cancel(context, pledge, partial(_tell_stopped, context, by_operator=False))


def replace_card(context: Context, member_id: str, payment_method: str) -> Pledge:
    """Replace the card; nothing is charged now, failed charges are retried later.

    Raises:
        CardDeclined: the card was declined.
        Conflict: the pledge is not running; a new card starts a new pledge.
    """
    current = require_pledge(context, member_id)
    if current.pledge.state not in RUNNING or current.pledge.customer_id is None:
        raise Conflict(
            "The pledge is {state}; another card starts a new one.", state=tr(current.pledge.state)
        )
    context.gateway.set_card(current.pledge.customer_id, payment_method)
    return refresh_pledge(context, member_id)  # each card has one vote


def replace_test_card(context: Context, member_id: str, card: str) -> Pledge:
    """Replace the card with a test card, in the sandbox only.

    Raises:
        Conflict: payments are live; and whatever ``replace_card`` raises.
    """
    if context.gateway.name != "sandbox":
        raise Conflict("Members replace their card on the website.")
    return replace_card(context, member_id, card)


def refresh_pledge(context: Context, member_id: str) -> Pledge:
    """Read the subscription from the provider, without waiting for a webhook.

    Raises:
        NotFound: the member has no pledge.
    """
    with context.store.read() as work:
        pledge = _pledge_of(work, member_id)
        is_joining = work.registrations.by_member(member_id) is not None
    return refresh_stored(context, pledge, is_joining=is_joining)


def refresh_stored(context: Context, pledge: Pledge, *, is_joining: bool) -> Pledge:
    """Do the same for a pledge that was just read, and may belong to a registration."""
    facts = read_facts(context, pledge)
    if facts is None or pledge.state is PledgeState.CANCELED:
        return pledge
    if not is_joining and subscription_sync.apply_facts(pledge, facts, at=context.now()) == pledge:
        return pledge
    with context.store.write() as work:
        current = work.pledges.get(pledge.member_id)
        if current is None or current.id != pledge.id:
            return pledge
        if current == pledge:
            return subscription_sync.keep_facts(context, work, current, facts)
    # It was changed while the provider was asked, so the facts may be older than the change.
    return refresh_stored(context, current, is_joining=is_joining)


def read_facts(context: Context, pledge: Pledge) -> SubscriptionFacts | None:
    """Read a pledge's subscription, even if its id was never stored."""
    if pledge.subscription_id is not None:
        return context.gateway.subscription(pledge.subscription_id)
    if pledge.customer_id is None:
        return None
    running = (
        facts
        for facts in context.gateway.subscriptions_of(pledge.customer_id)
        if facts.state in RUNNING
    )
    return next(running, None)


def billing_url(context: Context, member_id: str) -> str:
    """Return the URL of the provider's page with a member's payments and card.

    Raises:
        NotFound: the member has no pledge.
        Conflict: the provider has not confirmed it yet.
    """
    context.require_cards()
    pledge = find_pledge(context, member_id)
    if pledge.customer_id is None:
        raise Conflict("The payment provider has not confirmed your pledge yet.")
    back = f"{context.rules.site_url}/dashboard"
    return context.gateway.billing_url(pledge.customer_id, return_url=back)


def find_pledge(context: Context, member_id: str) -> Pledge:
    """Return a member's pledge.

    Raises:
        NotFound: there is no such member, or they have no pledge.
    """
    with context.store.read() as work:
        return _pledge_of(work, member_id)


def require_pledge(context: Context, member_id: str) -> MemberPledge:
    """Return a member's pledge with its subscription.

    Raises:
        NotFound: there is no such member, or they have no pledge.
        Conflict: the subscription is not known yet.
    """
    with context.store.read() as work:
        pledge = _pledge_of(work, member_id)
        member = require_member(work, member_id)
    if pledge.way is not PaymentWay.CARD:
        raise Conflict(
            "This pledge is paid by {way}, so nothing is charged: only amount and way can change.",
            way=tr(pledge.way.phrase),
        )
    if pledge.subscription_id is None:
        raise Conflict("The payment provider has not confirmed the pledge yet.")
    return MemberPledge(member, pledge, pledge.subscription_id)


def _pledge_of(work: UnitOfWork, member_id: str) -> Pledge:
    pledge = work.pledges.get(member_id)
    if pledge is None:
        raise NotFound("The member {member} has no pledge.", member=member_id)
    return pledge


def _keep(
    context: Context,
    current: MemberPledge,
    facts: SubscriptionFacts,
    *,
    billing_day: BillingDay | None = None,
) -> Pledge:
    with context.store.write() as work:
        pledge = _pledge_of(work, current.member.id)
        if pledge.id != current.pledge.id:
            raise Conflict(PLEDGE_CHANGED)
        if billing_day is not None:
            pledge = replace(pledge, billing_day=billing_day)
        return subscription_sync.keep_facts(context, work, pledge, facts)


def start_again(
    context: Context,
    member_id: str,
    *,
    payment_method: str,
    amount: object = None,
    billing_day: object = None,
) -> StartedPledge:
    """Start a pledge with a card; amount and day default to the earlier ones.

    An unfinished pledge, and a promise, is cancelled first. The new pledge is stored before the
    provider is called, so that a retry after a crash does not charge twice.

    Raises:
        NotFound: there is no such member.
        Conflict: the pledge is running; only its card can be replaced.
        CardDeclined: the card was declined; the pledge is canceled.
    """
    with context.store.read() as work:
        member, earlier = require_member(work, member_id), work.pledges.get(member_id)
    if earlier is not None and earlier.state is PledgeState.INCOMPLETE:
        earlier = refresh_pledge(context, member_id)
        if earlier.state in RUNNING and amount in {None, earlier.dollars}:
            # This is the same request again, after its first answer was lost.
            with context.store.write() as work:
                queue_welcome(context, work, member, earlier)
            return StartedPledge(PaymentOutcome.PAID, member, earlier)
    if earlier is not None and earlier.state in RUNNING and earlier.way is PaymentWay.CARD:
        raise Conflict(
            "The pledge is already {state}; its card can be replaced.", state=tr(earlier.state)
        )
    pledge = _new_pledge(context, member, earlier, amount, billing_day)
    if earlier is not None:
        cancel_pledge(context, member_id)
    pledge = _attach_card(context, member, pledge, payment_method)
    return _start(context, member, pledge, payment_method)


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
        zone=context.zone,
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
    try:
        with context.store.write() as work:
            require_member(work, member.id)
            work.pledges.put(pledge, member_key=member.key, at=context.now())
            work.contributors.put(customer_handle(customer_id), member.key)
    except NotFound:
        context.gateway.delete_customer(customer_id)  # the account was closed meanwhile
        raise
    return pledge


def _start(context: Context, member: Member, pledge: Pledge, payment_method: str) -> StartedPledge:
    attempt = _call_provider(context, member, pledge, payment_method)
    facts = context.gateway.subscription(attempt.reference)
    with context.store.write() as work:
        current = _pledge_of(work, member.id)
        is_wanted = current.id == pledge.id and current.state is not PledgeState.CANCELED
        if is_wanted:
            pledge = subscription_sync.keep_facts(context, work, current, facts)
            if pledge.state in RUNNING:
                queue_welcome(context, work, member, pledge)
    if not is_wanted:
        context.gateway.cancel(attempt.reference)
        raise Conflict(
            "Your pledge was stopped or started anew at the same time, so this one is canceled. "
            "If it was charged, that is among your contributions."
        )
    if attempt.outcome is PaymentOutcome.DECLINED:
        cancel_pledge(context, member.id)
        raise CardDeclined(attempt.message)
    return subscription_sync.started(member, pledge, attempt)


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


def _tell_stopped(
    context: Context, work: UnitOfWork, stopped: Pledge, *, by_operator: bool
) -> None:
    """Email a member that the pledge was stopped, and what they have to do themselves."""
    once = f"pledge-stopped:{stopped.subscription_id or stopped.id}"
    values = {
        "amountCents": stopped.dollars * 100,
        "isByCard": stopped.way is PaymentWay.CARD,
        "isByOperator": by_operator,
        "contact": read_identity(context, work).contact,
    }
    member = require_member(work, stopped.member_id)
    queue_member_email(context, work, "pledge_stopped", member, values=values, once_key=once)


def _cancel_by_operator(context: Context, member_id: str) -> Pledge:
    pledge = find_pledge(context, member_id)
    is_running = pledge.state is not PledgeState.CANCELED
    tell = partial(_tell_stopped, context, by_operator=True)
    return _cancel(context, pledge, tell if is_running else None)


STOPS: Mapping[str, Callable[[Context, str], Pledge]] = {
    "pledges.pause": pause_pledge,
    "pledges.cancel": _cancel_by_operator,
}
"""What stops a pledge, by the act."""


def stop_for_member(
    context: Context, action: str, member: Member, *, why: str = ""
) -> Pledge | Approval:
    """Pause or cancel a member's pledge as an operator; the action is a key of `STOPS`.

    Raises:
        NotFound: the member has no pledge.
        IllegalTransition: the pledge is not in a state that allows it.
    """
    stop = partial(STOPS[action], context, member.id)
    act = partial(act_for_member, context, action, member, stop, why=why)
    return take_vote(context, action, member, act, why=why)


def _stop_approved(action: str, context: Context, payload: Mapping[str, Any]) -> object:
    return stop_for_member(context, action, member_of(context, payload), why=payload["why"])


HANDLERS: Mapping[str, Handler] = {action: partial(_stop_approved, action) for action in STOPS}
