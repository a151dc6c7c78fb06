"""While the payment provider answers one request, another of the same person is carried out.

What the slow request stores comes from what is stored then, so that it puts nothing back.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest

from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Conflict, NotFound
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import RUNNING, PledgeState, move_pledge
from jara.payments.no_cards import no_cards
from jara.payments.sandbox.objects import Customer, Payer
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    change_amount,
    change_day,
    find_pledge,
    pause_pledge,
    refresh_pledge,
    replace_card,
    skip_next,
    start_again,
    stop_by_link,
)
from jara.services.mailed_codes import UnusableCode
from jara.services.members import profiles
from jara.services.members.accounts import (
    add_member,
    close_account,
    erase_member,
    find_member,
)
from jara.services.members.editing import MemberEdit, edit_member
from jara.services.members.operators import remove_address
from jara.services.members.profiles import confirm_address, rename, undo_change
from jara.services.payments.charging import cancel_overdue, refresh_pledges
from jara.services.payments.promising import promise
from jara.services.payments.ways import set_way
from tests.harness import clock_of
from tests.sent_emails import mailed_code
from tests.services.giving.joiners import EMAIL, FAILS, form, join, pass_time, sandbox_of
from tests.services.giving.test_stop_link import stop_code
from tests.services.members.codes_world import SECURED, ask_for_address, move_to

THIEF = "thief@example.org"
CARD = "pm_card_visa"


def overtaken(context: Context, call: str, meanwhile: Callable[[], object]) -> Context:
    """Return a context whose provider takes so long for one call that something else happens."""
    sandbox = sandbox_of(context)
    waiting = [meanwhile]

    class Slow:
        """Passes every call on; the slow one once carries out what happens meanwhile."""

        def __getattr__(self, name: str) -> Any:
            real = getattr(sandbox, name)
            if name != call:
                return real

            def answer(*args: Any, **kwargs: Any) -> Any:
                answered = real(*args, **kwargs)
                while waiting:
                    waiting.pop()()
                return answered

            return answer

    slow: Any = Slow()
    return replace(context, gateway=slow)


def at_provider(context: Context, member_id: str) -> list[str]:
    """Return the address of each customer of a member at the provider."""
    objects = sandbox_of(context)._objects
    customers = [objects.get(Customer, one) for one in _customers(context, member_id)]
    payers = [objects.get(Payer, one.payer) for one in customers]
    return [one.email for one in payers]


def _customers(context: Context, member_id: str) -> list[str]:
    return context.gateway.find_customers(member_id=member_id, email="")


def running(context: Context, member_id: str) -> list[str]:
    """Return the running subscriptions of a member at the provider."""
    return [
        facts.subscription_id
        for customer in _customers(context, member_id)
        for facts in context.gateway.subscriptions_of(customer)
        if facts.state in RUNNING
    ]


def assert_agreed(context: Context, member_id: str) -> None:
    """Check that the provider has the member's address, and charges the stored pledge."""
    member, pledge = find_member(context, member_id), find_pledge(context, member_id)
    assert at_provider(context, member_id) == [member.email]
    is_running = pledge.state in RUNNING
    assert running(context, member_id) == ([pledge.subscription_id] if is_running else [])


@pytest.fixture
def promised(context: Context) -> Context:
    """An organisation with a member who pays by transfer."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="Any bank")
    add_member(context, form())
    promise(context, EMAIL, dollars=10, way=PaymentWay.TRANSFER)
    return context


def a_rename(context: Context, member_id: str) -> None:
    """Change the name, as a member."""
    rename(context, member_id, firstname="Efua", lastname="Owusu")


def move_and_undo(context: Context, member_id: str) -> None:
    """Take the account back from a thief who changed the address."""
    move_to(context, member_id, THIEF)
    undo_change(context, mailed_code(context, "address_changed", EMAIL))


def an_edit(context: Context, member_id: str) -> None:
    """Change the name, as an operator."""
    edit_member(context, member_id, MemberEdit(firstname="Efua", lastname="Owusu"))


MEANWHILE: dict[str, Callable[[Context, str], object]] = {
    **SECURED,
    "undo": move_and_undo,
    "language": lambda context, member_id: profiles.set_language(context, member_id, "fr"),
    "country": lambda context, member_id: profiles.set_country(context, member_id, "Kenya"),
    "emails": lambda context, member_id: profiles.set_email_choice(
        context, member_id, EmailChoice.NOTHING
    ),
    "no address": lambda context, member_id: remove_address(
        context, find_member(context, member_id), why="asked"
    ),
}


@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE)
@pytest.mark.parametrize("slow", [a_rename, an_edit])
def test_a_new_name_puts_nothing_else_back(
    context: Context,
    member_id: str,
    slow: Callable[[Context, str], None],
    meanwhile: Callable[[Context, str], object],
) -> None:
    """Address, sessions, language and consent stay as the other request left them."""
    seen = []

    def other() -> None:
        meanwhile(context, member_id)
        seen.append(find_member(context, member_id))

    slow(overtaken(context, "change_customer", other), member_id)

    after = find_member(context, member_id)
    assert after == seen[0]._replace(firstname="Efua", lastname="Owusu")
    if after.email:
        assert_agreed(context, member_id)


@pytest.mark.parametrize("use", [confirm_address, undo_change])
def test_a_link_that_is_used_twice_at_once_counts_once(
    context: Context, member_id: str, use: Callable[[Context, str], None]
) -> None:
    """The provider ends with the address that is stored, not with the one before."""
    if use is confirm_address:
        ask_for_address(context, member_id, THIEF)
        code = mailed_code(context, "address_confirm", THIEF)
    else:
        move_to(context, member_id, THIEF)
        code = mailed_code(context, "address_changed", EMAIL)

    with pytest.raises(UnusableCode):
        use(overtaken(context, "change_customer", lambda: use(context, code)), code)

    assert_agreed(context, member_id)


def a_new_pledge(context: Context, member_id: str) -> None:
    """Stop the pledge and start another one."""
    cancel_pledge(context, member_id)
    start_again(context, member_id, payment_method=CARD, amount=50)


SLOW: dict[str, tuple[str, Callable[[Context, str], object]]] = {
    "cancel": ("cancel", cancel_pledge),
    "refresh": ("subscription", refresh_pledge),
    "pause": ("pause", pause_pledge),
    "amount": ("change_amount", lambda context, member_id: change_amount(context, member_id, 20)),
    "day": (
        "change_day",
        lambda context, member_id: change_day(context, member_id, BillingDay.FIRST.value),
    ),
}


@pytest.mark.parametrize(("call", "change"), SLOW.values(), ids=SLOW)
def test_a_change_of_a_pledge_leaves_the_next_one_alone(
    context: Context, member_id: str, call: str, change: Callable[[Context, str], object]
) -> None:
    """What was asked of one pledge is not done to another one."""
    slow = overtaken(context, call, lambda: a_new_pledge(context, member_id))
    if change in {cancel_pledge, refresh_pledge}:
        assert change(slow, member_id) != find_pledge(context, member_id)
    else:
        with pytest.raises(Conflict):
            change(slow, member_id)

    new = find_pledge(context, member_id)
    assert (new.dollars, new.state) == (50, PledgeState.ACTIVE)
    assert_agreed(context, member_id)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (pause_pledge, "state"),
        (skip_next, "skips_on"),
        (partial(change_day, value=BillingDay.TWENTY_EIGHTH.value), "next_charge_on"),
        (cancel_pledge, "state"),
        (a_new_pledge, "id"),
    ],
)
def test_older_facts_of_the_provider_put_no_change_back(
    context: Context, member_id: str, change: Callable[[Context, str], object], name: str
) -> None:
    """The daily run asked the provider just before the member changed the pledge."""
    stale = replace(find_pledge(context, member_id), card_fingerprint="another")
    with context.store.write() as work:
        work.pledges.put(stale, member_key="key", at=context.now())
    slow = overtaken(context, "subscription", lambda: change(context, member_id))
    refresh_pledges(slow)

    now = find_pledge(context, member_id)
    assert getattr(now, name) != getattr(stale, name)
    assert refresh_pledge(context, member_id) == now


def test_a_stop_link_stops_the_pledge_that_it_was_made_for(
    context: Context, member_id: str
) -> None:
    """The next one goes on, and is not said to be stopped."""
    code, first = stop_code(context), find_pledge(context, member_id)
    stop_by_link(overtaken(context, "cancel", lambda: a_new_pledge(context, member_id)), code)

    assert find_pledge(context, member_id).state is PledgeState.ACTIVE
    assert_agreed(context, member_id)
    with context.store.read() as work:
        told = [one.doc for one in work.outbox.of_member(member_id) if one.kind == "pledge_stopped"]
    assert [one["amountCents"] for one in told] == [first.dollars * 100]


def test_a_stop_also_stops_what_starts_meanwhile(
    context: Context, member_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pledge was read before it had a subscription."""
    unstarted = replace(find_pledge(context, member_id), subscription_id=None)
    monkeypatch.setattr("jara.services.giving.pledging.find_pledge", lambda *_: unstarted)

    assert cancel_pledge(context, member_id).state is PledgeState.CANCELED

    monkeypatch.undo()
    assert_agreed(context, member_id)


STARTS: dict[str, tuple[str, Callable[[Context, str], object]]] = {
    "stopped": ("start_subscription", cancel_pledge),
    "started anew": ("start_subscription", a_new_pledge),
}


@pytest.mark.parametrize(("call", "meanwhile"), STARTS.values(), ids=STARTS)
def test_a_start_that_was_overtaken_runs_nowhere(
    context: Context, member_id: str, call: str, meanwhile: Callable[[Context, str], object]
) -> None:
    """Nobody is charged each month for a pledge that is not stored."""
    cancel_pledge(context, member_id)
    slow = overtaken(context, call, lambda: meanwhile(context, member_id))

    with pytest.raises(Conflict):
        start_again(slow, member_id, payment_method=CARD, amount=15)

    assert_agreed(context, member_id)


CLOSES: dict[str, Callable[[Context, str], object]] = {
    "member": close_account,
    "operator": lambda context, member_id: erase_member(context, member_id, why="asked"),
}


@pytest.mark.parametrize("call", ["create_customer", "start_subscription", "subscription"])
@pytest.mark.parametrize("close", CLOSES.values(), ids=CLOSES)
def test_a_closed_account_leaves_nothing_at_the_provider(
    promised: Context, call: str, close: Callable[[Context, str], object]
) -> None:
    """Also if a pledge by card is being started at that moment."""
    member_id = find_member(promised, EMAIL).id
    slow = overtaken(promised, call, lambda: close(promised, member_id))

    with pytest.raises((NotFound, Conflict)):
        start_again(slow, member_id, payment_method=CARD)

    assert at_provider(promised, member_id) == []


def test_an_account_is_not_closed_beside_a_pledge_that_starts(promised: Context) -> None:
    """Its customer would stay at the provider, and be charged."""
    member_id = find_member(promised, EMAIL).id

    def start() -> None:
        start_again(promised, member_id, payment_method=CARD)

    with pytest.raises(Conflict, match="try again"):
        close_account(overtaken(promised, "find_customers", start), member_id)

    assert_agreed(promised, member_id)
    close_account(promised, member_id)
    assert at_provider(promised, member_id) == []


@pytest.mark.parametrize("close", CLOSES.values(), ids=CLOSES)
def test_an_account_is_closed_where_cards_were_given_up(
    context: Context, member_id: str, close: Callable[[Context, str], object]
) -> None:
    """The customer from before is at a provider that is not used any more."""
    cancel_pledge(context, member_id)

    close(replace(context, gateway=no_cards()), member_id)

    with pytest.raises(NotFound):
        find_member(context, member_id)


def test_a_debt_that_is_paid_while_other_pledges_end_is_no_debt(context: Context) -> None:
    """The list of overdue pledges was made before the provider was asked about the first."""
    members = [join(context, f"{name}@example.org").member.id for name in ("ben", "cyd")]
    for member_id in members:
        replace_card(context, member_id, FAILS)
    pass_time(context, datetime(2026, 12, 20, 12, tzinfo=UTC))
    clock_of(context).advance(days=30)

    def pay() -> None:
        with context.store.write() as work:
            for pledge in work.pledges.in_states(PledgeState.PAST_DUE):
                paid = move_pledge(pledge, PledgeState.ACTIVE, at=context.now())
                work.pledges.put(paid, member_key="key", at=context.now())

    assert cancel_overdue(overtaken(context, "cancel", pay)) == 1
    states = {find_pledge(context, member_id).state for member_id in members}
    assert states == {PledgeState.ACTIVE, PledgeState.CANCELED}
