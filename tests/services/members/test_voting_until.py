"""Emails, site and API say the same as the vote itself: until when a member may vote."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta

import pytest

from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.members.documents import show_member
from jara.services.operations.daily_run import queue_due_emails
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import promise, show_payment
from jara.services.payments.receiving import follow_payments, receive
from jara.services.payments.refunding import refund_payment
from tests.harness import clock_of
from tests.services.ballots.voting_world import may_vote
from tests.services.giving.joiners import FAILS, join, pass_time

ABOUT_VOTE = {"charge_failed", "payment_missing"}

pytestmark = pytest.mark.usefixtures("cash")


def days(context: Context, count: int) -> None:
    """Let days pass with their charges."""
    pass_time(context, clock_of(context).at + timedelta(days=count))


def first_charge_fails(context: Context) -> Member:
    """The first charge is later, and the card fails then."""
    member = join(context, card=FAILS, billing_day="1").member
    days(context, 11)
    return member


def second_charge_fails(context: Context) -> Member:
    """The first month is paid, and the second one is not."""
    return next_charge_fails(context, join(context).member)


def charge_fails_after_pause(context: Context) -> Member:
    """After a pause of four months, the payment before it gives no vote any more."""
    member = join(context).member
    pledging.pause_pledge(context, member.id)
    days(context, 120)
    pledging.resume_pledge(context, member.id)
    return next_charge_fails(context, member)


def refunded_and_fails(context: Context) -> Member:
    """The first month is refunded, and the second charge fails."""
    member = join(context).member
    with context.store.read() as work:
        charge = str(work.payments.of_member(member.key)[0].source_id)
    refund_payment(context, charge, why="asked")
    collect_movements(context)
    return next_charge_fails(context, member)


def next_charge_fails(context: Context, member: Member) -> Member:
    """The member's next charge fails."""
    pledging.replace_card(context, member.id, FAILS)
    days(context, 31)
    return member


def cash_member(context: Context) -> Member:
    """A member pays one month in cash, two hundred days after a pledge by card."""
    member = join(context).member
    pledging.cancel_pledge(context, member.id)
    days(context, 200)
    promise(context, member.id, dollars=10, way=PaymentWay.CASH)
    receive(context, member.id, 1000, name="a")
    return member


def cash_runs_out(context: Context) -> Member:
    """The month in cash is over."""
    member = cash_member(context)
    days(context, 31)
    follow_payments(context)
    return member


def cash_is_refunded(context: Context) -> Member:
    """The month in cash is given back."""
    member = cash_member(context)
    days(context, 5)
    refund_payment(context, "received:a", why="asked")
    return member


def skips(context: Context) -> Member:
    """A member who paid, whose next charge is a month away."""
    member = join(context).member
    days(context, 5)
    return member


CASES: list[Callable[[Context], Member]] = [
    first_charge_fails,
    second_charge_fails,
    charge_fails_after_pause,
    refunded_and_fails,
    cash_member,
    cash_runs_out,
    cash_is_refunded,
    skips,
]


def told(context: Context, member: Member) -> Iterator[date | None]:
    """Yield the last day of the vote, by everybody who names one."""
    queue_due_emails(context)
    with context.store.read() as work:
        emails = [one for one in work.outbox.of_member(member.id) if one.kind in ABOUT_VOTE]
    for email in emails[-1:]:
        yield date.fromisoformat(email.doc["restsOn"]) if email.doc["restsOn"] else None
    yield show_member(context, member.id).may_vote_until
    if pledging.find_pledge(context, member.id).way is not PaymentWay.CARD:
        until = show_payment(context, member.id)["mayVoteUntil"]
        yield None if until is None else date.fromisoformat(until)


@pytest.mark.parametrize("case", CASES)
def test_emails_and_profile_name_the_last_day_of_the_vote(
    context: Context, case: Callable[[Context], Member]
) -> None:
    """On the whole last day the vote is taken, and without such a day it is refused."""
    member = case(context)
    [last] = set(told(context, member))

    assert may_vote(context, member) is (last is not None)
    assert show_member(context, member.id).may_vote is (last is not None)
    if last is not None:
        clock_of(context).set(datetime.combine(last, time(23, 59, 59), tzinfo=UTC))
        assert may_vote(context, member)
        clock_of(context).advance(days=1, seconds=1)
        assert not may_vote(context, member)


@pytest.mark.parametrize("case", [first_charge_fails, charge_fails_after_pause, refunded_and_fails])
def test_no_vote_is_promised_without_a_payment(
    context: Context, case: Callable[[Context], Member]
) -> None:
    """The email about a failed charge names no day to somebody who may not vote."""
    member = case(context)
    queue_due_emails(context)
    with context.store.read() as work:
        emails = [one for one in work.outbox.of_member(member.id) if one.kind == "charge_failed"]

    profile = show_member(context, member.id)
    assert [email.doc["restsOn"] for email in emails] == [""]
    retries = [day.isoformat() for day in profile.retries_on]
    assert [email.doc["attempts"] for email in emails] == [retries], "one set of days"
    assert retries
