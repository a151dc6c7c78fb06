"""Several changes of a pledge in one request: all of them, or none."""

from datetime import UTC, datetime
from typing import Any

import pytest

from jara.domain.errors import CardDeclined, Conflict, InvalidInput, JaraError, Unavailable
from jara.domain.giving import pledge as pledge_rules
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.pledge_changes import PledgeChange, change_or_start
from jara.services.giving.pledging import find_pledge, pause_pledge, require_pledge
from jara.services.members.accounts import find_member
from jara.services.members.documents import show_member
from jara.services.members.operators import search_members
from jara.services.members.profiles import require_member
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.giving.joiners import breaking, join, pass_time
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


OLD = pledge_rules.PLEDGE_DOLLARS_MIN
MINIMUM = OLD + 3
TOO_LITTLE = rf"\${OLD} a month is too little; the smallest pledge is \${MINIMUM}\."


@pytest.fixture
def old_member(context: Context, monkeypatch: pytest.MonkeyPatch) -> str:
    """A member who pledged the minimum before it was raised."""
    member_id = join(context, contribution=str(OLD)).member.id
    monkeypatch.setattr(pledge_rules, "PLEDGE_DOLLARS_MIN", MINIMUM)
    return member_id


def test_an_old_pledge_works_as_before(context: Context, old_member: str) -> None:
    """It is shown, votes, is charged, paused and stopped."""
    assert show_member(context, old_member).subscription_amount == OLD
    assert [one.pledge and one.pledge.dollars for one in search_members(context)] == [OLD]
    vote(context, find_member(context, old_member), proposal=open_vote(context))

    pass_time(context, datetime(2026, 12, 20, 12, tzinfo=UTC))
    assert find_pledge(context, old_member).dollars == OLD
    assert pause_pledge(context, old_member).state is PledgeState.PAUSED
    assert pledging.resume_pledge(context, old_member).state is PledgeState.ACTIVE
    assert pledging.cancel_pledge(context, old_member).state is PledgeState.CANCELED


def test_a_new_amount_has_the_new_minimum(context: Context, old_member: str) -> None:
    """A new pledge, a change, and a pledge started again with the old amount are refused."""
    with pytest.raises(InvalidInput, match=TOO_LITTLE):
        join(context, "kofi@example.org", contribution=str(OLD))
    with pytest.raises(InvalidInput, match=rf"\${OLD + 1} a month is too little"):
        pledging.change_amount(context, old_member, OLD + 1)
    assert pledging.change_amount(context, old_member, MINIMUM).dollars == MINIMUM


def test_a_pledge_started_again_has_the_new_minimum(context: Context, old_member: str) -> None:
    """The earlier amount is not taken over if it is below the minimum."""
    pledging.cancel_pledge(context, old_member)

    with pytest.raises(InvalidInput, match=TOO_LITTLE):
        pledging.start_again(context, old_member, payment_method="pm_card_visa")
    started = pledging.start_again(
        context, old_member, payment_method="pm_card_visa", amount=MINIMUM
    )
    assert started.pledge.dollars == MINIMUM
