"""Restarting a pledge: the same customer, a new pledge, and no double charge."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from jara.domain.errors import CardDeclined, Conflict, InvalidInput, Unavailable
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    find_pledge,
    refresh_pledge,
    require_pledge,
    start_again,
)
from jara.services.members.accounts import add_member
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import PaymentOutcome
from tests.harness import clock_of
from tests.services.giving.joiners import ASKS, FAILS, breaking, charges, form, join, sandbox_of


def test_a_stopped_pledge_can_be_restarted(context: Context, member_id: str) -> None:
    """The same customer, a new pledge; amount and day are the old ones unless given."""
    old = cancel_pledge(context, member_id)

    again = start_again(context, member_id, payment_method="pm_card_visa")

    assert PaymentOutcome.PAID is again.outcome
    assert (old.dollars, old.billing_day) == (again.pledge.dollars, again.pledge.billing_day)
    assert old.customer_id == again.pledge.customer_id
    assert old.id != again.pledge.id
    assert charges(context) == [1000, 1000]
    with pytest.raises(Conflict, match="already active"):
        start_again(context, member_id, payment_method="pm_card_visa")


def test_a_member_without_a_pledge_starts_one(context: Context) -> None:
    """A member added at the terminal starts with the defaults or with given values."""
    ama = add_member(context, form())
    kofi = add_member(context, form("kofi@example.org"))

    first = start_again(context, ama.id, payment_method="pm_card_visa")
    second = start_again(context, kofi.id, payment_method="pm_card_visa", amount=7)

    assert (first.pledge.dollars, second.pledge.dollars) == (10, 7)
    collect_movements(context)
    with context.store.read() as work:
        assert [p.cents for p in work.payments.of_member(ama.key)] == [1000]


def test_a_bad_card_makes_no_customer(context: Context) -> None:
    """A first card that cannot be attached leaves the member without a pledge."""
    member = add_member(context, form())

    with pytest.raises(CardDeclined):
        start_again(context, member.id, payment_method="pm_card_chargeDeclined")

    with context.store.read() as work:
        assert work.pledges.get(member.id) is None


def test_starting_again_with_another_amount_and_day(context: Context, member_id: str) -> None:
    """The new values are checked before anything else happens."""
    cancel_pledge(context, member_id)
    with pytest.raises(InvalidInput):
        start_again(context, member_id, payment_method="pm_card_visa", amount=1)

    again = start_again(
        context, member_id, payment_method="pm_card_visa", amount=30, billing_day="28"
    )

    assert (again.pledge.dollars, again.pledge.next_charge_on) == (30, date(2026, 11, 28))


@pytest.mark.parametrize("card", ["pm_card_chargeDeclined", FAILS])
def test_starting_again_with_a_bad_card(context: Context, member_id: str, card: str) -> None:
    """The account stays, the pledge stays canceled, nothing runs at the provider."""
    pledge = cancel_pledge(context, member_id)

    with pytest.raises(CardDeclined):
        start_again(context, member_id, payment_method=card)

    assert PledgeState.CANCELED is find_pledge(context, member_id).state
    assert {
        facts.state for facts in context.gateway.subscriptions_of(pledge.customer_id or "")
    } == {PledgeState.CANCELED}


def test_another_card_for_an_unfinished_registration(context: Context) -> None:
    """The unconfirmed attempt is ended first; then the registration is completed."""
    first = join(context, card=ASKS)

    again = start_again(context, first.member.id, payment_method="pm_card_visa")

    assert PaymentOutcome.PAID is again.outcome
    assert charges(context) == [1000]
    with context.store.read() as work:
        assert work.registrations.all() == []


def test_a_pledge_confirmed_meanwhile_is_kept(context: Context) -> None:
    """The provider is asked before another pledge is begun; another amount is refused."""
    first = join(context, card=ASKS)
    sandbox_of(context).confirm(first.client_secret or "", succeed=True)

    with pytest.raises(Conflict, match="already active"):
        start_again(context, first.member.id, payment_method="pm_card_visa", amount=99)
    assert charges(context) == [1000]


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", ["start_subscription", "subscription"])
def test_a_restart_cut_off_is_not_charged_twice(
    context: Context, member_id: str, call: str, after: bool
) -> None:
    """The pledge is stored before the provider is called, and found by the retry."""
    cancel_pledge(context, member_id)
    with pytest.raises(Unavailable):
        start_again(breaking(context, call, after=after), member_id, payment_method="pm_card_visa")
    clock_of(context).advance(seconds=1)

    again = start_again(context, member_id, payment_method="pm_card_visa")

    assert again.outcome is PaymentOutcome.PAID
    assert PledgeState.ACTIVE is find_pledge(context, member_id).state
    assert charges(context) == [1000, 1000]


def test_a_restart_that_the_provider_refuses_is_canceled(context: Context, member_id: str) -> None:
    """A refusal by the provider leaves a canceled pledge, not a waiting one."""
    cancel_pledge(context, member_id)
    refused = breaking(context, "start_subscription", error=Conflict("no such price"))

    with pytest.raises(Conflict, match="no such price"):
        start_again(refused, member_id, payment_method="pm_card_visa")

    assert PledgeState.CANCELED is find_pledge(context, member_id).state


def test_a_pledge_without_a_subscription_waits(context: Context) -> None:
    """A restart that never reached the provider cannot be changed yet, but can be canceled."""
    member_id = join(context).member.id
    cancel_pledge(context, member_id)
    with pytest.raises(Unavailable):
        start_again(
            breaking(context, "start_subscription"), member_id, payment_method="pm_card_visa"
        )

    with pytest.raises(Conflict, match="provider has not confirmed"):
        require_pledge(context, member_id)
    assert PledgeState.INCOMPLETE is refresh_pledge(context, member_id).state
    assert PledgeState.CANCELED is cancel_pledge(context, member_id).state


def test_a_refresh_overtaken_by_a_new_pledge_changes_nothing(
    context: Context, member_id: str
) -> None:
    """Data read for the old pledge is not written to the new one."""
    sandbox = sandbox_of(context)
    old = find_pledge(context, member_id)

    class Overtaking:
        """Starts a new pledge while the old one's subscription is read."""

        def __getattr__(self, name: str) -> object:
            return getattr(sandbox, name)

        def subscription(self, subscription_id: str) -> object:
            facts = sandbox.subscription(subscription_id)
            cancel_pledge(context, member_id)
            start_again(context, member_id, payment_method="pm_card_visa", amount=50)
            return facts

    seen: Pledge = refresh_pledge(replace(context, gateway=Overtaking()), member_id)  # type: ignore[arg-type] # as much of a gateway as is asked for

    assert old == seen
    assert find_pledge(context, member_id).dollars == 50
