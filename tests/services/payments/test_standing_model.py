"""Random histories of one payer, against a model that goes through them day by day."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.errors import Conflict, IllegalTransition
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import RUNNING, PledgeState
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    find_pledge,
    pause_pledge,
    resume_pledge,
    start_again,
)
from jara.services.members.accounts import close_account
from jara.services.payments.charging import cancel_overdue, charge_due
from jara.services.payments.importing import collect_movements
from jara.services.payments.promising import promise
from jara.services.payments.receiving import follow_payer, follow_payments, receive
from jara.services.payments.refunding import refund_payment
from jara.services.payments.ways import set_way
from tests.harness import clock_of, make_organisation
from tests.places import so_many
from tests.services.ballots.voting_world import may_vote
from tests.services.giving.joiners import join, sandbox_of
from tests.sizes import size

HISTORIES = size(25, 60, full=60)
WAYS = [PaymentWay.CASH, PaymentWay.TRANSFER, PaymentWay.MOBILE]
CARD_DAYS = 77
GRACE_DAYS = 14
OVERDUE_DAYS = 30
LEAST = 500
names = count()

WAITS = st.tuples(st.just("wait"), st.sampled_from([1, 10, 14, 30, 31, 62, 200]))
PROMISES = st.tuples(st.just("promise"), st.sampled_from([5, 10, 20, 100]))
PAYMENTS = st.tuples(st.just("pay"), st.sampled_from([300, 500, 1000, 2000, 3000, 10000]))
REFUNDS = st.tuples(st.just("refund"), st.sampled_from([1, 400, 501, 1000, 2500]))
OTHERS = st.one_of(
    st.tuples(st.just("pay late"), st.integers(1, 40)),
    st.tuples(st.just("mistake"), st.integers(0, 3)),
    st.tuples(st.just("card"), st.sampled_from([5, 20])),
    st.tuples(st.sampled_from(["pause", "resume", "cancel", "come back"]), st.just(0)),
)
STEPS = st.one_of(WAITS, PROMISES, PAYMENTS, REFUNDS, OTHERS)
HISTORY = st.builds(
    lambda start, steps: [*start, *steps],
    st.sampled_from([[("promise", 10)], [("wait", 62), ("promise", 10)], []]),
    st.lists(STEPS, min_size=3, max_size=12),
)


@dataclass
class Paid:
    """A payment of the model; a month of it costs `month_cents`."""

    entry: str
    day: date
    cents: int
    month_cents: int
    is_card: bool = False
    returns: list[tuple[date, int]] = field(default_factory=list)

    def months(self, until: date) -> int:
        """Return how many months stand after the refunds up to a day."""
        left = self.cents - sum(cents for day, cents in self.returns if day <= until)
        paid = 1 if self.is_card else self.cents // self.month_cents
        months = 0
        while months < paid and left - months * self.month_cents >= LEAST:
            months += 1
        return months


@dataclass
class Payer:
    """The model of one payer."""

    member: Member
    began: date
    paid: list[Paid] = field(default_factory=list)
    amounts: dict[date, set[int]] = field(default_factory=dict)
    """The amounts in force on each day, while a pledge ran."""

    def covered(self, day: date, returned: date) -> date:
        """Return the first uncovered day, from what was paid and returned up to two days."""
        end = date.min
        for one in sorted(self.paid, key=lambda one: one.day):
            if one.day <= day and one.months(returned):
                end = later(max(end, one.day), one.months(returned))
        return end

    def standing(self, today: date) -> tuple[PledgeState, date | None]:
        """Return the state of the promise, and since when it is due."""
        state, due = PledgeState.INCOMPLETE, None
        for number in range((today - self.began).days + 1):
            day = self.began + timedelta(days=number)
            if day < self.covered(day, day):
                state, due = PledgeState.ACTIVE, None
            elif day < self.covered(day, day - timedelta(days=1)) or state is PledgeState.ACTIVE:
                state, due = PledgeState.PAST_DUE, day
        return state, due

    def votes_until(self, today: date) -> datetime | None:
        """Return until when the payments give the vote."""
        ends = [
            datetime.combine(one.day, time(), tzinfo=UTC) + timedelta(days=CARD_DAYS)
            for one in self.paid
            if one.is_card and one.months(today)
        ]
        if any(not one.is_card and one.months(today) for one in self.paid):
            covered = datetime.combine(self.covered(today, today), time(), tzinfo=UTC)
            ends.append(covered + timedelta(days=GRACE_DAYS))
        return max(ends, default=None)


def later(day: date, months: int) -> date:
    """Return the same day of a later month; the days are 28 at most."""
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, day.day)


def test_standing_and_vote_agree_with_a_model(place: Path) -> None:
    """After every step: the state of the pledge, since when it is due, and the right to vote."""
    context = make_organisation(place)
    for way in WAYS:
        with context.store.write() as work:
            work.book_settings.put_account(f"assets:{way}", kind="assets", meaning="Money.")
        set_way(context, way, ledger=f"assets:{way}", details="At the office.")

    @settings(max_examples=so_many(HISTORIES, place), deadline=None)
    @given(way=st.sampled_from(WAYS), history=HISTORY)
    def agrees(way: PaymentWay, history: list[tuple[str, int]]) -> None:
        clock_of(context).at = datetime.combine(
            later(context.today().replace(day=20), 1), time(12), tzinfo=UTC
        )
        payer = newcomer(context)
        for what, value in history:
            payer = take(context, payer, way, what, value)
            note_card_payments(context, payer)
            check(context, payer, after_night=what == "wait")
            note_amount(context, payer)
            clock_of(context).advance(seconds=1)  # no two steps are at the same instant
        close_account(context, payer.member.id)

    agrees()
    context.store.close()


def newcomer(context: Context) -> Payer:
    """Return a member who paid one month of $10 by card and ended that pledge."""
    member = join(context, f"m{next(names)}@example.org").member
    payer = Payer(member, context.today())
    note_card_payments(context, payer)
    cancel_pledge(context, member.id)
    return payer


def take(context: Context, payer: Payer, way: PaymentWay, what: str, value: int) -> Payer:
    """Take one step, if it is possible; return the payer, who may be a new member."""
    pledge = find_pledge(context, payer.member.id)
    runs = pledge.state is not PledgeState.CANCELED
    if what == "come back":
        close_account(context, payer.member.id)
        return newcomer(context)
    if what == "promise" and not (runs and pledge.way is PaymentWay.CARD):
        payer.began = payer.began if runs else context.today()
        promise(context, payer.member.id, dollars=value, way=way)
    elif what == "cancel" and runs:
        cancel_pledge(context, payer.member.id)
    elif what in ALWAYS:
        ALWAYS[what](context, payer, value)
    elif what in WITH_PROMISE and runs and pledge.way is not PaymentWay.CARD:
        WITH_PROMISE[what](context, payer, value)
    elif what in {"pause", "resume"} and runs and pledge.way is PaymentWay.CARD:
        change = pause_pledge if what == "pause" else resume_pledge
        with suppress(Conflict, IllegalTransition):
            change(context, payer.member.id)
    elif what == "card" and not runs:
        start_again(context, payer.member.id, payment_method="pm_card_visa", amount=value)
        collect_movements(context)
        payer.began = context.today()
    return payer


def wait(context: Context, _payer: Payer, days: int) -> None:
    """Let days pass, to a day that every month has."""
    clock_of(context).advance(days=days)
    while context.today().day > 28:
        clock_of(context).advance(days=1)
    night(context)


def pay(context: Context, payer: Payer, cents: int) -> None:
    """Pay today."""
    dollars = find_pledge(context, payer.member.id).dollars
    posted = receive(context, payer.member.id, cents).posted
    payer.paid.append(Paid(posted.id, context.today(), cents, dollars * 100))


def pay_late(context: Context, payer: Payer, days: int) -> None:
    """Book a payment of an earlier day on which only one amount was in force."""
    day = context.today() - timedelta(days=days)
    amounts = payer.amounts.get(day, set())
    if day.day <= 28 and len(amounts) == 1:
        [dollars] = amounts
        posted = receive(context, payer.member.id, 2000, day=day).posted
        payer.paid.append(Paid(posted.id, day, 2000, dollars * 100))


def find_mistake(context: Context, payer: Payer, number: int) -> None:
    """Reverse a payment that was booked by mistake."""
    whole = [one for one in payer.paid if not one.is_card and not one.returns]
    if whole:
        wrong = whole[number % len(whole)]
        reverse_entry(context, wrong.entry, why="another member's")
        payer.paid.remove(wrong)
        follow(context, payer)


def give_back(context: Context, payer: Payer, cents: int) -> None:
    """Refund a part of the newest payment of which that much is left.

    Refunds on several days leave their time to pay again each, which the model does not follow.
    """
    today = context.today()
    rich = [
        one
        for one in payer.paid
        if one.cents - sum(part for _, part in one.returns) >= cents
        and all(day == today for day, _ in one.returns)
    ]
    if rich:
        refund_payment(context, rich[-1].entry, cents=cents, why="asked")
        rich[-1].returns.append((today, cents))
        collect_movements(context)
        follow(context, payer)


Step = Callable[[Context, Payer, int], None]
ALWAYS: dict[str, Step] = {"wait": wait, "refund": give_back, "mistake": find_mistake}
WITH_PROMISE: dict[str, Step] = {"pay": pay, "pay late": pay_late}


def night(context: Context) -> None:
    """Run what a day's run does about pledges."""
    charge_due(context, sandbox_of(context))
    follow_payments(context)
    cancel_overdue(context)


def follow(context: Context, payer: Payer) -> None:
    """Let the payer's pledge follow the payments, as the next night does."""
    with context.store.write() as work:
        follow_payer(context, work, payer.member.key)


def note_card_payments(context: Context, payer: Payer) -> None:
    """Add the charges that the provider made to the model."""
    known = {one.entry for one in payer.paid}
    with context.store.read() as work:
        for one in work.payments.of_member(payer.member.key):
            entry = work.journal.get(one.index).id
            if one.way is PaymentWay.CARD and entry not in known:
                payer.paid.append(Paid(entry, one.day, one.cents, one.cents, is_card=True))


def note_amount(context: Context, payer: Payer) -> None:
    """Remember which amounts were in force on the day, and on the days since the last note."""
    pledge = find_pledge(context, payer.member.id)
    if pledge.state is PledgeState.CANCELED:
        payer.amounts.setdefault(context.today(), set()).update({0, -1})  # no single amount
        return
    day = context.today()
    while day >= payer.began and payer.amounts.get(day) is None:
        payer.amounts[day] = {pledge.dollars}
        day -= timedelta(days=1)
    payer.amounts[context.today()].add(pledge.dollars)


def check(context: Context, payer: Payer, *, after_night: bool) -> None:
    """Compare the pledge and the right to vote with the model."""
    pledge, now, today = find_pledge(context, payer.member.id), context.now(), context.today()
    by_card = pledge.way is PaymentWay.CARD
    if by_card or pledge.state is PledgeState.CANCELED:
        state, since = pledge.state, pledge.past_due_since
    else:
        state, due = payer.standing(today)
        since = None if due is None else datetime.combine(due, time(), tzinfo=UTC)
        assert (pledge.state, pledge.past_due_since) == (state, since)
        if after_night and since is not None:
            assert now < since + timedelta(days=OVERDUE_DAYS)
    until = payer.votes_until(today)
    if since is not None and until is not None:
        until = min(until, since + timedelta(days=GRACE_DAYS))
    votes = state in RUNNING - {PledgeState.PAUSED} and until is not None and now <= until
    assert may_vote(context, payer.member) is votes
    with context.store.read() as work:
        assert list(work.electors.discrepancies()) == []
        electors = work.electors.member_ids(now)
        assert (payer.member.id in electors) is votes
