"""What members do with their pledge: amount, day, pause, skip, stop, another card.

Each asks the core whether it may be done, then the provider to do it, and then keeps
what the provider says; never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from jara.domain.errors import Conflict, NotFound
from jara.domain.giving import pledge as rules
from jara.domain.giving.billing_day import BillingDay, parse_billing_day
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import RUNNING, Pledge, PledgeState, move_pledge, parse_pledge
from jara.services.context import Context
from jara.services.giving.subscription_sync import keep_facts, keep_pledge
from jara.services.ports.payments import SubscriptionFacts


@dataclass(frozen=True, slots=True)
class MemberPledge:
    """A member with their pledge and its subscription at the provider."""

    member: Member
    pledge: Pledge
    subscription_id: str


def change_amount(context: Context, member_id: str, value: object) -> Pledge:
    """Promise another amount; it holds from the next charge on, without proration.

    Raises:
        InvalidInput: it is not a whole number of dollars from 5 to 999.
        Conflict: the pledge is canceled, or its card is not confirmed yet.
    """
    found = require_pledge(context, member_id)
    dollars = parse_pledge(value)
    rules.change_amount(found.pledge, dollars)
    return _keep(context, found, context.gateway.change_amount(found.subscription_id, dollars))


def change_day(context: Context, member_id: str, value: object) -> Pledge:
    """Move to another billing day, not before the month that is paid for is over.

    Raises:
        InvalidInput: it is neither ``current`` nor 1 nor 28.
        Conflict: the pledge is canceled, or its card is not confirmed yet.
    """
    found = require_pledge(context, member_id)
    choice = parse_billing_day(value)
    rules.change_day(found.pledge, choice, charge_on=context.today())
    facts = context.gateway.change_day(found.subscription_id, choice)
    return _keep(context, found, facts, billing_day=choice)


def skip_next(context: Context, member_id: str) -> Pledge:
    """Leave out the next charge; asked again before that day, it stays one.

    Raises:
        Conflict: the pledge is not active.
    """
    found = require_pledge(context, member_id)
    if rules.skip_next(found.pledge, today=context.today()) == found.pledge:
        return found.pledge
    return _keep(context, found, context.gateway.skip_next(found.subscription_id))


def keep_next(context: Context, member_id: str) -> Pledge:
    """Undo a skip.

    Raises:
        Conflict: the skipped day is over.
    """
    found = require_pledge(context, member_id)
    if rules.keep_next(found.pledge, today=context.today()) == found.pledge:
        return found.pledge
    return _keep(context, found, context.gateway.resume(found.subscription_id))


def pause_pledge(context: Context, member_id: str) -> Pledge:
    """Take no money until the member resumes; a paused pledge gives no vote.

    Raises:
        Conflict: the pledge is neither active nor paused.
    """
    found = require_pledge(context, member_id)
    if rules.pause_pledge(found.pledge, at=context.now()).state is found.pledge.state:
        return found.pledge
    return _keep(context, found, context.gateway.pause(found.subscription_id))


def resume_pledge(context: Context, member_id: str) -> Pledge:
    """End a pause; the next charge is on the next of the old days.

    Raises:
        Conflict: the pledge is neither paused nor active.
    """
    found = require_pledge(context, member_id)
    if rules.resume_pledge(found.pledge, at=context.now()) == found.pledge:
        return found.pledge
    return _keep(context, found, context.gateway.resume(found.subscription_id))


def cancel_pledge(context: Context, member_id: str) -> Pledge:
    """Stop giving, at once; nothing that was missed is collected.

    Raises:
        NotFound: the member has no pledge.
        Unavailable: the provider did not answer; the pledge stands.
    """
    pledge = find_pledge(context, member_id)
    if pledge.subscription_id is not None:
        context.gateway.cancel(pledge.subscription_id)
    return change_pledge(
        context,
        member_id,
        lambda found: move_pledge(found, PledgeState.CANCELED, at=context.now()),
    )


def replace_card(context: Context, member_id: str, payment_method: str) -> Pledge:
    """Use another card from now on; nothing is charged, what failed is tried again later.

    Raises:
        CardDeclined: the card was refused.
        Conflict: the pledge does not run; another card starts a new one.
    """
    found = require_pledge(context, member_id)
    if found.pledge.state not in RUNNING or found.pledge.customer_id is None:
        raise Conflict(f"The pledge is {found.pledge.state}; another card starts a new one.")
    context.gateway.set_card(found.pledge.customer_id, payment_method)
    return found.pledge


def refresh_pledge(context: Context, member_id: str) -> Pledge:
    """Read the subscription again, so that nobody waits for a webhook.

    Raises:
        NotFound: the member has no pledge.
    """
    pledge = find_pledge(context, member_id)
    facts = read_facts(context, pledge)
    if facts is None or pledge.state is PledgeState.CANCELED:
        return pledge
    with context.store.write() as work:
        current = work.pledges.get(member_id)
        if current is None or current.id != pledge.id:
            return pledge
        return keep_facts(context, work, current, facts)


def read_facts(context: Context, pledge: Pledge) -> SubscriptionFacts | None:
    """Read a pledge's subscription, also one whose id we never got to store."""
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


def find_pledge(context: Context, member_id: str) -> Pledge:
    """Return a member's pledge.

    Raises:
        NotFound: there is no such member, or they never pledged.
    """
    with context.store.read() as work:
        pledge = work.pledges.get(member_id)
    if pledge is None:
        raise NotFound(f"The member {member_id} has no pledge.")
    return pledge


def require_pledge(context: Context, member_id: str) -> MemberPledge:
    """Return a member's pledge with the subscription behind it.

    Raises:
        NotFound: there is no such member, or they never pledged.
        Conflict: the provider has not told us of the subscription yet.
    """
    with context.store.read() as work:
        member, pledge = work.members.get(member_id), work.pledges.get(member_id)
    if member is None or pledge is None:
        raise NotFound(f"The member {member_id} has no pledge.")
    if pledge.subscription_id is None:
        raise Conflict("The payment provider has not confirmed the pledge yet.")
    return MemberPledge(member, pledge, pledge.subscription_id)


def change_pledge(context: Context, member_id: str, change: Callable[[Pledge], Pledge]) -> Pledge:
    """Change a pledge as it stands now, and keep it."""
    with context.store.write() as work:
        pledge = work.pledges.get(member_id)
        if pledge is None:
            raise NotFound(f"The member {member_id} has no pledge.")
        changed = change(pledge)
        if changed != pledge:
            keep_pledge(context, work, changed)
    return changed


def _keep(
    context: Context,
    found: MemberPledge,
    facts: SubscriptionFacts,
    *,
    billing_day: BillingDay | None = None,
) -> Pledge:
    with context.store.write() as work:
        pledge = work.pledges.get(found.member.id) or found.pledge
        if billing_day is not None:
            pledge = replace(pledge, billing_day=billing_day)
        return keep_facts(context, work, pledge, facts)
