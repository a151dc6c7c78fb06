"""A higher minimum applies to new amounts; stored pledges stay as they are."""

from datetime import UTC, datetime

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.giving import pledge as pledge_rules
from jara.domain.giving.pledge import PledgeState
from jara.services.ballots.counting import count_open
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.members.documents import show_member
from jara.services.members.operators import search_members
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.giving.joiners import join, pass_time

OLD = pledge_rules.PLEDGE_DOLLARS_MIN
MINIMUM = OLD + 3
TOO_LITTLE = rf"\${OLD} a month is too little; the smallest pledge is \${MINIMUM}\."


@pytest.fixture
def old_member(context: Context, monkeypatch: pytest.MonkeyPatch) -> str:
    """A member who pledged the minimum before it was raised."""
    member_id = join(context, contribution=str(OLD)).member.id
    monkeypatch.setattr(pledge_rules, "PLEDGE_DOLLARS_MIN", MINIMUM)
    return member_id


def test_an_old_pledge_is_shown(context: Context, old_member: str) -> None:
    """The profile and the list of members read it."""
    assert show_member(context, old_member).subscription_amount == OLD
    assert [one.pledge and one.pledge.dollars for one in search_members(context)] == [OLD]


def test_an_old_pledge_keeps_its_vote(context: Context, old_member: str) -> None:
    """A member who pays the earlier minimum still votes."""
    with context.store.read() as work:
        member = work.members.find(old_member)

    vote(context, member, proposal=open_vote(context))

    with context.store.read() as work:
        assert count_open(context, work, "prop_01") == (1, 0)


def test_an_old_pledge_is_charged_paused_and_stopped(context: Context, old_member: str) -> None:
    """Everything but a new amount works as before."""
    pass_time(context, datetime(2026, 12, 20, 12, tzinfo=UTC))
    assert pledging.find_pledge(context, old_member).dollars == OLD

    assert pledging.pause_pledge(context, old_member).state is PledgeState.PAUSED
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
