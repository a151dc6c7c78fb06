"""Adopting the live subscriptions of the payment account as pledges, by address.

Pledges are charged by the provider as subscriptions, and so is an adopted one: the same
subscription continues on the same days. Whatever happens in between, there is one
subscription and so one charge each month. Earlier payments are booked from the
provider's movements, each once.
"""

from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput, JaraError
from jara.domain.giving.adoption import LiveSubscription, dollars_of
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import RUNNING, PledgeState, start_pledge
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.giving.subscription_sync import apply_facts
from jara.services.members.contributors import customer_handle
from jara.services.ports.payments import SubscriptionTakeover
from jara.store.unit_of_work import UnitOfWork

ACTION = "stripe.adopt"


class Adoption(StrEnum):
    """The outcome for a subscription."""

    ADOPTED = "adopted"
    KNOWN = "already a pledge"
    REFUSED = "refused"


class AdoptionRow(NamedTuple):
    """A subscription with its outcome, and the reason for a refusal."""

    subscription: LiveSubscription
    result: Adoption
    reason: str = ""
    member_id: str = ""
    dollars: int = 0


def check_adoptions(context: Context, takeover: SubscriptionTakeover) -> list[AdoptionRow]:
    """Return what adopting would do with each live subscription; change nothing."""
    subscriptions = list(takeover.live())
    by_member: dict[str, list[str]] = defaultdict(list)
    with context.store.read() as work:
        rows = [_check(work, subscription) for subscription in subscriptions]
    for row in rows:
        by_member[row.member_id].append(row.subscription.id)
    return [_alone(row, by_member[row.member_id]) for row in rows]


def adopt_subscriptions(context: Context, takeover: SubscriptionTakeover) -> list[AdoptionRow]:
    """Adopt every subscription that fits exactly; safe to repeat, even after a crash.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.write() as work:
        require_operator(context, work, ACTION)
    return [_adopt(context, takeover, row) for row in check_adoptions(context, takeover)]


def _check(work: UnitOfWork, subscription: LiveSubscription) -> AdoptionRow:
    pledge = work.pledges.by_subscription(subscription.id)
    if pledge is not None:
        return AdoptionRow(subscription, Adoption.KNOWN, member_id=pledge.member_id)
    member = work.members.by_email(subscription.email)
    if member is None:
        reason = "No member has this address; `jara members import` makes members of a list."
        return AdoptionRow(subscription, Adoption.REFUSED, reason)
    try:
        _require_free(work, member, subscription)
        dollars = dollars_of(subscription)
    except InvalidInput as error:
        return AdoptionRow(subscription, Adoption.REFUSED, error.message, member_id=member.id)
    return AdoptionRow(subscription, Adoption.ADOPTED, member_id=member.id, dollars=dollars)


def _require_free(work: UnitOfWork, member: Member, subscription: LiveSubscription) -> None:
    if subscription.owner not in {None, member.id}:
        raise InvalidInput("It is marked as another member's.")
    is_unknown = not (member.email_confirmed or member.is_added)
    if is_unknown and work.members.password_hash(member.id) is not None:
        raise InvalidInput("The member has not shown that the address is theirs.")
    pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.state is not PledgeState.CANCELED:
        raise InvalidInput("The member already has a pledge.")


def _alone(row: AdoptionRow, subscriptions: Iterable[str]) -> AdoptionRow:
    """Refuse a subscription if its member has several: a member has only one pledge."""
    others = [one for one in subscriptions if one != row.subscription.id]
    if row.result is not Adoption.ADOPTED or not others:
        return row
    reason = f"The member has another live subscription, {', '.join(others)}; keep one in Stripe."
    return row._replace(result=Adoption.REFUSED, reason=reason)


def _adopt(context: Context, takeover: SubscriptionTakeover, row: AdoptionRow) -> AdoptionRow:
    """Change the subscription at the provider, then store its new state."""
    if row.result is not Adoption.ADOPTED:
        return row
    subscription = row.subscription
    try:
        takeover.take_over(
            subscription.id,
            customer_id=subscription.customer_id,
            member_id=row.member_id,
            dollars=row.dollars,
        )
        _store(context, row)
    except JaraError as error:
        return row._replace(result=Adoption.REFUSED, reason=error.message)
    return row


def _store(context: Context, row: AdoptionRow) -> None:
    """Store the pledge, unless the member got another one meanwhile.

    Raises:
        InvalidInput: they did, or the subscription has ended.
    """
    facts, now = context.gateway.subscription(row.subscription.id), context.now()
    if facts.state not in RUNNING:
        raise InvalidInput("It has ended meanwhile.")
    pledge = start_pledge(
        pledge_id=context.new_id(),
        member_id=row.member_id,
        dollars=row.dollars,
        billing_day=BillingDay.CURRENT,
        now=now,
        zone=context.zone,
    )
    pledge = apply_facts(pledge, facts, at=now)
    with context.store.write() as work:
        member = work.members.find(row.member_id)
        _require_free(work, member, row.subscription)
        work.pledges.put(pledge, member_key=member.key, at=now)
        work.contributors.put(customer_handle(facts.customer_id), member.key)
        about = {"subscription": row.subscription.id, "dollars": row.dollars}
        record_act(context, work, ACTION, member.key, facts=about)
