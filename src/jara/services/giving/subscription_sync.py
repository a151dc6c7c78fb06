"""Updates a pledge from its subscription at the payment provider."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from jara.domain.giving.member import Member
from jara.domain.giving.pledge import RUNNING, Pledge, move_pledge, steps_to
from jara.services.context import Context
from jara.services.giving.pledge_emails import queue_pledge_emails, queue_pledge_ended
from jara.services.members.profiles import require_member
from jara.services.notices.emails import queue_amount_changed
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome, SubscriptionFacts
from jara.store.unit_of_work import UnitOfWork


class StartedPledge(NamedTuple):
    """The result of starting a pledge.

    With ``requires_action`` the cardholder must confirm the intent.
    """

    outcome: PaymentOutcome
    member: Member
    pledge: Pledge
    intent_type: IntentType | None = None
    client_secret: str | None = None


def started(member: Member, pledge: Pledge, attempt: Attempt) -> StartedPledge:
    """Return the result of starting a pledge."""
    return StartedPledge(
        attempt.outcome, member, pledge, attempt.intent_type, attempt.client_secret
    )


def started_document(result: StartedPledge) -> dict[str, str | None]:
    """Return the result of a sign-up as a document that is stored with its request."""
    return {
        "member": result.member.id,
        "outcome": result.outcome.value,
        "intent": result.intent_type.value if result.intent_type else None,
        "secret": result.client_secret,
    }


def apply_facts(pledge: Pledge, facts: SubscriptionFacts, *, at: datetime) -> Pledge:
    """Return a pledge with the state of its subscription.

    Raises:
        IllegalTransition: no steps lead there.
    """
    for state in steps_to(pledge.state, facts.state):
        pledge = move_pledge(pledge, state, at=facts.past_due_since or at)
    return replace(
        pledge,
        dollars=facts.dollars,
        anchor_on=facts.anchor_on,
        next_charge_on=facts.next_charge_on,
        skips_on=facts.skips_on,
        resumes_on=facts.resumes_on,
        due_cents=facts.due_cents or pledge.due_cents,
        customer_id=facts.customer_id,
        subscription_id=facts.subscription_id,
        card_expires_on=facts.card_expires_on,
        card_fingerprint=facts.card_fingerprint,
    )


def keep_facts(
    context: Context, work: UnitOfWork, pledge: Pledge, facts: SubscriptionFacts
) -> Pledge:
    """Store the state of a subscription; a confirmed one finishes its registration.

    Raises:
        IllegalTransition: the pledge cannot reach this state.
    """
    changed = apply_facts(pledge, facts, at=context.now())
    if changed != pledge:
        keep_pledge(context, work, changed)
    if facts.ended_unpaid and pledge.state is not changed.state:
        member = require_member(work, pledge.member_id)
        queue_pledge_ended(context, work, member, changed)
    if changed.state in RUNNING:
        pending = work.registrations.by_member(pledge.member_id)
        if pending is not None:
            work.registrations.remove(pending.id)
    return changed


def keep_pledge(context: Context, work: UnitOfWork, pledge: Pledge) -> None:
    """Store a pledge with its history, and queue the emails about the change."""
    member, now = require_member(work, pledge.member_id), context.now()
    before = work.pledges.get(pledge.member_id)
    work.pledges.put(pledge, member_key=member.key, at=now)
    if before is not None and before.dollars != pledge.dollars:
        queue_amount_changed(
            context,
            work,
            member,
            before_dollars=before.dollars,
            after_dollars=pledge.dollars,
            pledge=pledge,
            at=now,
        )
    queue_pledge_emails(context, work, member, pledge)
