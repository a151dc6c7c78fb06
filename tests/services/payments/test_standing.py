"""For how long payments keep a promise: by transfer, in cash or by mobile money."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.services.ballots.casting import changemakers
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge, find_pledge
from jara.services.operations.daily_run import queue_due_emails
from jara.services.payments.charging import cancel_overdue
from jara.services.payments.promising import promise
from jara.services.payments.receiving import follow_payments, receive
from jara.services.payments.refunding import refund_payment
from jara.services.payments.ways import set_way
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member
from tests.services.giving.joiners import join

WAYS = [PaymentWay.CASH, PaymentWay.TRANSFER, PaymentWay.MOBILE]


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that takes every way to pay; it is 20 November 2026."""
    context = make_organisation(place)
    for way in WAYS:
        account = f"assets:{way}"
        with context.store.write() as work:
            work.book_settings.put_account(account, kind="assets", meaning="Money.")
        set_way(context, way, ledger=account, details="At the office.")
    return context


def newcomer(context: Context, name: str = "ada") -> Member:
    """Add a member without a payment, whose pledge by card has ended."""
    member = add_member(context, name, cents=0)
    with context.store.write() as work:
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        work.sql.run("UPDATE pledges SET subscription_id = NULL")
    cancel_pledge(context, member.id)
    return member


def night(context: Context, *, days: int = 1) -> None:
    """Let days pass, each with its daily run."""
    for _ in range(days):
        clock_of(context).advance(days=1)
        follow_payments(context)
        cancel_overdue(context)
        queue_due_emails(context)


def may_vote(context: Context) -> bool:
    """Return whether the only member may vote."""
    with context.store.read() as work:
        assert list(work.electors.discrepancies()) == []
        return changemakers(work, context.now()).count == 1


def emails(context: Context) -> list[str]:
    """Return the kinds of all emails written so far."""
    with context.store.read() as work:
        return [email.kind for email in work.outbox.all()]


def seen(pledge: Pledge) -> tuple[PledgeState, date | None]:
    """Return what a member sees of a pledge: its state, and until when it is paid."""
    return pledge.state, pledge.next_charge_on


@pytest.mark.parametrize("way", WAYS)
def test_a_new_promise_begins_on_its_day(context: Context, way: PaymentWay) -> None:
    """Payments of an earlier promise, long used up, do not make the new one overdue."""
    member = newcomer(context)
    promise(context, member.id, dollars=10, way=way)
    receive(context, member.id, 1000)
    night(context, days=70)
    assert find_pledge(context, member.id).state is PledgeState.CANCELED
    clock_of(context).advance(days=200)

    again = promise(context, member.id, dollars=10, way=way)
    assert seen(again) == (PledgeState.INCOMPLETE, None)
    night(context, days=40)
    assert seen(find_pledge(context, member.id)) == (PledgeState.INCOMPLETE, None)
    assert not may_vote(context)
    receive(context, member.id, 1000)
    assert find_pledge(context, member.id).state is PledgeState.ACTIVE
    assert may_vote(context)


def test_a_month_by_card_is_not_paid_again(context: Context) -> None:
    """Who changes from card to cash has paid until a month after the last charge."""
    member = join(context).member
    cancel_pledge(context, member.id)
    clock_of(context).advance(days=10)

    again = promise(context, member.id, dollars=20, way=PaymentWay.CASH)
    assert seen(again) == (PledgeState.ACTIVE, date(2026, 12, 20))
    receive(context, member.id, 2000)
    assert seen(find_pledge(context, member.id)) == (PledgeState.ACTIVE, date(2027, 1, 20))


@pytest.mark.parametrize("way", WAYS)
def test_a_refund_leaves_thirty_days(context: Context, way: PaymentWay) -> None:
    """The pledge is due from the day of the refund, and its email says what happened."""
    member = newcomer(context)
    promise(context, member.id, dollars=40, way=way)
    clock_of(context).advance(days=45)
    receive(context, member.id, 4000, name="a")
    night(context, days=20)
    refund_payment(context, "received:a", why="asked")
    refunded_at = context.today()
    pledge = find_pledge(context, member.id)
    assert (pledge.state, pledge.past_due_since) == (
        PledgeState.PAST_DUE,
        datetime(refunded_at.year, refunded_at.month, refunded_at.day, tzinfo=UTC),
    )
    assert not may_vote(context)

    night(context, days=29)
    assert find_pledge(context, member.id) == pledge
    assert "payment_ended" not in emails(context)
    night(context)
    assert find_pledge(context, member.id).state is PledgeState.CANCELED
    assert emails(context).count("payment_ended") == 1


def test_a_payment_booked_by_mistake_was_never_there(context: Context) -> None:
    """After its reversal the promise waits for its first payment, as before."""
    member = newcomer(context)
    before = promise(context, member.id, dollars=10, way=PaymentWay.CASH)
    wrong = receive(context, member.id, 1000).posted
    night(context, days=10)
    reverse_entry(context, wrong.id, why="another member's")
    follow_payments(context)

    assert find_pledge(context, member.id) == before
    night(context, days=40)
    assert find_pledge(context, member.id) == before
