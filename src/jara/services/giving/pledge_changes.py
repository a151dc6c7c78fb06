"""What a member changes of a pledge on the website, in one request."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput, blaming
from jara.domain.giving.pledge import RUNNING
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.subscription_sync import StartedPledge


class PledgeChange(NamedTuple):
    """What a member asks to change; None leaves it as it is.

    Args:
        named: the fields that the request names, also those that are null.
    """

    named: AbstractSet[str]
    billing_day: object = None
    paused: bool | None = None
    skip_next: bool | None = None
    canceled: bool | None = None
    payment_method_id: str | None = None
    subscription_amount: object = None


def change_or_start(context: Context, member_id: str, change: PledgeChange) -> StartedPledge | None:
    """Change a pledge; a card for one that does not run starts a new one, which is returned.

    Raises:
        InvalidInput: a value breaks its rule; ``fields`` names it.
        Conflict: the state of the pledge does not allow it.
        CardDeclined: the card was declined.
    """
    if not change.named:
        raise InvalidInput("No change given.")
    if change.payment_method_id is not None and not _is_running(context, member_id):
        return _start(context, member_id, change, change.payment_method_id)
    _change(context, member_id, change)
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
    if change.canceled:
        if len(change.named) > 1:
            raise Conflict("A pledge cannot be canceled and changed at once.")
        pledging.cancel_pledge(context, member_id)
    if change.subscription_amount is not None:
        with blaming("subscriptionAmount"):
            pledging.change_amount(context, member_id, change.subscription_amount)
    if change.payment_method_id is not None:
        pledging.replace_card(context, member_id, change.payment_method_id)
    if change.billing_day is not None:
        with blaming("billingDay"):
            pledging.change_day(context, member_id, change.billing_day)
    if change.paused is not None:
        pause = pledging.pause_pledge if change.paused else pledging.resume_pledge
        pause(context, member_id)
    if change.skip_next is not None:
        skip = pledging.skip_next if change.skip_next else pledging.keep_next
        skip(context, member_id)


def _is_running(context: Context, member_id: str) -> bool:
    with context.store.read() as work:
        pledge = work.pledges.get(member_id)
    return pledge is not None and pledge.state in RUNNING
