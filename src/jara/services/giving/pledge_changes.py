"""What a member changes of a pledge on the website in one request, or pays of it when past due."""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from functools import partial
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput, JaraError
from jara.domain.giving import pledge as rules
from jara.domain.giving.billing_day import parse_billing_day
from jara.domain.giving.member import FieldErrors, Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import RUNNING, Pledge, PledgeState
from jara.domain.texts import Text, listing, tr
from jara.services import idempotency
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.ports.payments import Attempt, IntentType, PaymentOutcome
from jara.services.rate_limits import Limits, counting_declined


class PledgeChange(NamedTuple):
    """What a member asks to change; None leaves it as it is."""

    named: AbstractSet[str]  # the fields that the request names, also those that are null
    billing_day: object = None
    paused: bool | None = None
    skip_next: bool | None = None
    canceled: bool | None = None
    payment_method_id: str | None = None
    subscription_amount: object = None
    way: str | None = None


def change_or_start(
    context: Context, limits: Limits, member: Member, change: PledgeChange, *, network: str
) -> StartedPledge | None:
    """Change a pledge; a card for one that does not run starts a new one, which is returned.

    Raises:
        InvalidInput: a value breaks its rule; ``fields`` names it.
        Conflict: the state of the pledge does not allow it.
        CardDeclined: the card was declined.
        TooManyRequests: too many declined cards.
    """
    if not change.named:
        raise InvalidInput("No change given.")
    if change.payment_method_id is None:
        _change(context, member.id, change)
        return None
    context.require_cards()
    with counting_declined(context, limits, member.email, network=network):
        if not _is_charged(context, member.id):
            return _start(context, member.id, change, change.payment_method_id)
        _change(context, member.id, change)
    return None


def _start(
    context: Context, member_id: str, change: PledgeChange, payment_method: str
) -> StartedPledge:
    if any(one is not None for one in (change.paused, change.skip_next, change.canceled)):
        raise InvalidInput("A new pledge accepts only a card, an amount and a payment day.")
    return pledging.start_again(
        context,
        member_id,
        payment_method=payment_method,
        amount=change.subscription_amount,
        billing_day=change.billing_day,
    )


def _change(context: Context, member_id: str, change: PledgeChange) -> None:
    """Make all changes, or none: what the rules refuse is refused before the provider is asked."""
    if change.canceled:
        if len(change.named) > 1:
            raise Conflict("A pledge cannot be canceled and changed at once.")
        pledging.cancel_pledge(context, member_id)
        return
    _judge(context, pledging.find_pledge(context, member_id), change)
    done: list[Text] = []
    for what, make in _steps(context, member_id, change):
        try:
            make()
        except JaraError as error:
            if done:
                error.message = tr(
                    "{error} Before that, this was changed: {done}.",
                    error=error.message,
                    done=listing(done),
                )
                error.args = (error.message,)
            raise
        done.append(what)


def _judge(context: Context, pledge: Pledge, change: PledgeChange) -> None:
    """Apply the rules of all changes to a pledge, one after the other, in memory."""
    errors, today = FieldErrors(), context.today()
    amount, day = change.subscription_amount, change.billing_day
    if amount is not None:
        asked = partial(rules.change_amount, pledge, amount)
        pledge = errors.collect("subscriptionAmount", asked, pledge)
    if day is not None:
        choice = errors.collect("billingDay", lambda: parse_billing_day(day), pledge.billing_day)
    errors.raise_any()
    if day is not None:
        pledge = rules.change_day(pledge, choice, charge_on=pledge.next_charge_on or today)
    if change.paused:
        pledge = rules.pause_pledge(pledge, at=context.now())
    elif change.paused is not None:
        pledge = rules.resume_pledge(pledge, at=context.now(), zone=context.zone)
    if change.skip_next is not None:
        skip = rules.skip_next if change.skip_next else rules.keep_next
        skip(pledge, today=today)


def _steps(
    context: Context, member_id: str, change: PledgeChange
) -> Iterator[tuple[Text, Callable[[], object]]]:
    """Return each change, by its name; the card comes first, because only its bank can judge it."""
    who = context, member_id
    if change.payment_method_id is not None:
        yield tr("the card"), partial(pledging.replace_card, *who, change.payment_method_id)
    if change.subscription_amount is not None:
        yield tr("the amount"), partial(pledging.change_amount, *who, change.subscription_amount)
    if change.billing_day is not None:
        yield tr("the payment day"), partial(pledging.change_day, *who, change.billing_day)
    if change.paused is not None:
        pause = pledging.pause_pledge if change.paused else pledging.resume_pledge
        yield tr("the pause"), partial(pause, *who)
    if change.skip_next is not None:
        skip = pledging.skip_next if change.skip_next else pledging.keep_next
        yield tr("the next charge"), partial(skip, *who)


def _is_charged(context: Context, member_id: str) -> bool:
    """Return whether a pledge runs by card; a promise ends when a card is given for it."""
    with context.store.read() as work:
        pledge = work.pledges.get(member_id)
    return pledge is not None and pledge.state in RUNNING and pledge.way is PaymentWay.CARD


_SCOPE = "failed-charge"


def pay_failed_charge(
    context: Context, limits: Limits, member: Member, *, address: str, key: str | None
) -> Attempt | None:
    """Charge the member's card for the month that is past due; None if nothing is due.

    The provider takes an open charge once, whoever asks: the member, twice, or a retry. The payment
    is booked like any other, from the provider's movements. `limits` are those of declined cards,
    `address` is the member's network address, and `key` the client's idempotency key; None if it
    sent none.

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
    subscription_id = pledging.require_pledge(context, member.id).subscription_id
    try:
        with counting_declined(context, limits, member.email, network=address):
            attempt = context.gateway.pay_due(subscription_id, key=key)
    except Conflict:
        if pledging.refresh_pledge(context, member.id).state is PledgeState.ACTIVE:
            return None  # it was paid in another tab or by a retry
        raise
    pledging.refresh_pledge(context, member.id)
    return attempt


def _attempt_again(context: Context, member: Member, secret: str | None) -> Attempt | None:
    """Return the earlier answer to a key; what the cardholder has confirmed since is paid."""
    pledge = pledging.find_pledge(context, member.id)
    is_paid = secret is None or pledge.state is PledgeState.ACTIVE
    outcome = PaymentOutcome.PAID if is_paid else PaymentOutcome.REQUIRES_ACTION
    reference = pledge.subscription_id or pledge.id
    if is_paid:
        return Attempt(outcome, reference)
    return Attempt(outcome, reference, intent_type=IntentType.PAYMENT, client_secret=secret)
