"""Several changes of a pledge in one request: all of them, or none."""

from typing import Any

import pytest

from jara.domain.errors import CardDeclined, Conflict, InvalidInput, JaraError, Unavailable
from jara.services.context import Context
from jara.services.giving.pledge_changes import PledgeChange, change_or_start
from jara.services.giving.pledging import find_pledge, pause_pledge, require_pledge
from jara.services.members.profiles import require_member
from tests.services.giving.joiners import breaking
from tests.services.members.codes_world import LIMITS


def ask(context: Context, member_id: str, **values: Any) -> None:
    """Ask for changes in one request."""
    with context.store.read() as work:
        member = require_member(work, member_id)
    change = PledgeChange(values.keys(), **values)
    change_or_start(context, LIMITS, member, change, network="192.0.2.1")


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"subscription_amount": 999, "billing_day": "99"}, InvalidInput),
        ({"subscription_amount": 1, "billing_day": "1"}, InvalidInput),
        ({"paused": True, "skip_next": True}, Conflict),
        ({"subscription_amount": 12, "paused": True, "skip_next": True}, Conflict),
        ({"subscription_amount": 12, "payment_method_id": "pm_card_chargeDeclined"}, CardDeclined),
        ({"billing_day": "1", "paused": True, "canceled": True}, Conflict),
    ],
)
def test_a_refused_request_changes_nothing(
    context: Context, member_id: str, values: dict[str, Any], refusal: type[JaraError]
) -> None:
    """Neither the stored pledge nor the subscription at the provider differs."""
    subscription = require_pledge(context, member_id).subscription_id
    before = find_pledge(context, member_id), context.gateway.subscription(subscription)

    with pytest.raises(refusal):
        ask(context, member_id, **values)

    assert (find_pledge(context, member_id), context.gateway.subscription(subscription)) == before


def test_each_wrong_value_is_named(context: Context, member_id: str) -> None:
    """A form shows every fault at once."""
    with pytest.raises(InvalidInput) as refusal:
        ask(context, member_id, subscription_amount="1", billing_day="99")

    assert refusal.value.fields.keys() == {"subscriptionAmount", "billingDay"}


def test_changes_that_depend_on_each_other_are_made(context: Context, member_id: str) -> None:
    """A paused pledge is resumed, and then skips its next charge."""
    pause_pledge(context, member_id)

    ask(context, member_id, paused=False, skip_next=True, subscription_amount=15)

    pledge = find_pledge(context, member_id)
    assert (pledge.state, pledge.dollars, pledge.skips_on is None) == ("active", 15, False)


def test_a_provider_that_fails_in_between_is_named_with_the_done_part(
    context: Context, member_id: str
) -> None:
    """The provider changes one value at a time, so the answer says how far it came."""
    broken = breaking(context, "change_day")

    with pytest.raises(Unavailable, match=r"Before that, this was changed: the amount\."):
        ask(broken, member_id, subscription_amount=15, billing_day="1")

    pledge = find_pledge(context, member_id)
    assert (pledge.dollars, pledge.billing_day) == (15, "current")
