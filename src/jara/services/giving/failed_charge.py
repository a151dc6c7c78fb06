"""A monthly charge that failed, paid by its member at once instead of at the next retry."""

from __future__ import annotations

from jara.domain.errors import Conflict
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.services import idempotency
from jara.services.context import Context
from jara.services.giving.pledging import find_pledge, refresh_pledge, require_pledge
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome
from jara.services.rate_limits import Limits, counting_declined

_SCOPE = "failed-charge"


def pay_failed_charge(
    context: Context, limits: Limits, member: Member, *, address: str, key: str | None
) -> Attempt | None:
    """Charge the member's card for the month that is past due; None if nothing is due.

    The provider takes an open charge once, whoever asks: the member, twice, or a retry. The
    payment is booked like any other, from the provider's movements.

    Args:
        limits: the limits of declined cards.
        address: the member's network address.
        key: the client's idempotency key; None if it sent none.

    Raises:
        NotFound: the member has no pledge.
        Conflict: nothing can be due: the pledge is not paid by card, or does not run; or the
            key's first request is still running.
        CardDeclined: the card was refused again.
        TooManyRequests: too many declined cards.
    """
    name = context.new_id() if key is None else idempotency.name_of(_SCOPE, key)
    return idempotency.run_once(
        context,
        idempotency.Request(_SCOPE, key, member.id.encode()),
        lambda: _pay(context, limits, member, address, key=f"due:{name}"),
        dump=lambda attempt: {
            "isDue": attempt is not None,
            "secret": attempt and attempt.client_secret,
        },
        load=lambda answer: (
            _attempt_again(context, member, answer["secret"]) if answer["isDue"] else None
        ),
    )


def _pay(
    context: Context, limits: Limits, member: Member, address: str, *, key: str
) -> Attempt | None:
    subscription_id = require_pledge(context, member.id).subscription_id
    try:
        with counting_declined(context, limits, member.email, network=address):
            attempt = context.gateway.pay_due(subscription_id, key=key)
    except Conflict:
        if refresh_pledge(context, member.id).state is PledgeState.ACTIVE:
            return None  # it was paid in another tab or by a retry
        raise
    refresh_pledge(context, member.id)
    return attempt


def _attempt_again(context: Context, member: Member, secret: str | None) -> Attempt | None:
    """Return the earlier answer to a key; what the cardholder has confirmed since is paid."""
    pledge = find_pledge(context, member.id)
    is_paid = secret is None or pledge.state is PledgeState.ACTIVE
    outcome = PaymentOutcome.PAID if is_paid else PaymentOutcome.REQUIRES_ACTION
    reference = pledge.subscription_id or pledge.id
    if is_paid:
        return Attempt(outcome, reference)
    return Attempt(outcome, reference, intent_type=IntentType.PAYMENT, client_secret=secret)
