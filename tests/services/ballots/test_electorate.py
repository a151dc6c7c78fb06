"""Changemakers: who may vote, in the domain and in SQL."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.errors import NotAChangemaker
from jara.domain.giving import changemaker
from jara.domain.giving.changemaker import Changemakers
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentProof
from jara.domain.giving.pledge import TRANSITIONS, PledgeState, counted_cents, move_pledge
from jara.domain.giving.standing import PledgePayment
from jara.domain.time_zone import UTC_ZONE
from jara.services.ballots.casting import changemakers, require_elector
from jara.services.ballots.counting import voted_on, voters_among
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    pause_pledge,
    replace_card,
    skip_next,
    start_again,
)
from jara.services.giving.statistics import forecast_pledges, pledge_statistics
from jara.services.members.documents import show_member
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote
from jara.store.unit_of_work import UnitOfWork
from tests.harness import clock_of, make_organisation
from tests.places import so_many
from tests.services.ballots.voting_world import add_member, leave, open_vote, pay, vote
from tests.services.giving.joiners import join, pass_time
from tests.sizes import size


def now_of(context: Context) -> Changemakers:
    """Return today's changemakers after checking that nobody else may vote."""
    ids = ids_of(context)
    with context.store.read() as work:
        found = changemakers(work, context.now())
        for member in work.members.all():
            if member.id in ids:
                require_elector(work, member.id, context.now())
            else:
                with pytest.raises(NotAChangemaker):
                    require_elector(work, member.id, context.now())
        assert list(work.electors.discrepancies()) == []
    assert len(ids) == found.count
    return found


def ids_of(context: Context) -> frozenset[str]:
    """Return the ids of today's changemakers."""
    with context.store.read() as work:
        return work.electors.member_ids(context.now())


def test_nobody_votes_for_free(context: Context) -> None:
    """With a later billing day, the vote starts at the first payment, and a refusal says when."""
    payer = join(context, contribution=20).member
    waiting = join(context, "kofi@example.org", billing_day="28").member

    assert (now_of(context).count, now_of(context).monthly_cents) == (1, 2000)
    days = [show_member(context, m.id).may_vote_from for m in (payer, waiting)]
    assert days == [date(2026, 11, 20), date(2026, 11, 28)]

    pass_time(context, datetime(2026, 11, 28, 12, tzinfo=UTC))
    assert ids_of(context) == {payer.id, waiting.id}


def test_a_pledge_that_starts_again_votes_by_earlier_payments(context: Context) -> None:
    """The first payment of the new pledge is later; the last one of the earlier still counts."""
    member = join(context).member
    cancel_pledge(context, member.id)
    assert ids_of(context) == frozenset()

    again = start_again(context, member.id, payment_method="pm_card_visa", billing_day="28")

    assert again.pledge.next_charge_on == date(2026, 11, 28)
    assert ids_of(context) == {member.id}


def test_the_vote_follows_the_pledge(context: Context) -> None:
    """A past-due pledge counts for 14 days; paused and canceled ones do not; a skip does."""
    members = [join(context, f"m{n}@example.org").member.id for n in range(4)]
    skip_next(context, members[0])
    pause_pledge(context, members[1])
    cancel_pledge(context, members[2])
    replace_card(context, members[3], "pm_card_chargeCustomerFail")
    pass_time(context, datetime(2026, 12, 20, 12, tzinfo=UTC))

    assert ids_of(context) == {members[0], members[3]}
    assert (now_of(context).count, now_of(context).monthly_cents) == (2, 2000)
    clock_of(context).advance(days=14, seconds=1)
    assert ids_of(context) == {members[0]}
    assert (now_of(context).count, now_of(context).monthly_cents) == (1, 1000)


def test_a_ballot_outlasts_the_grace_of_its_member(context: Context) -> None:
    """A voter is on the final roll after a failed charge has ended the right to vote."""
    started = join(context)
    open_vote(context, endDate="2027-02-28")
    vote(context, started.member)
    replace_card(context, started.member.id, "pm_card_chargeCustomerFail")
    pass_time(context, datetime(2026, 12, 20, 12, tzinfo=UTC))
    assert tally_vote(context, "prop_01")["roll"] == 1

    clock_of(context).advance(days=14, seconds=1)
    shown = tally_vote(context, "prop_01")
    assert (now_of(context).count, shown["roll"], shown["yes"]) == (0, 0, 1)
    clock_of(context).advance(days=60)
    [closed] = close_due_votes(context)
    assert (closed.tally.roll, closed.tally.yes) == (1, 1)


def test_the_statistics_count_every_state(context: Context) -> None:
    """A state without pledges is listed with zero."""
    join(context, contribution=15)
    pause_pledge(context, join(context, "kofi@example.org").member.id)

    figures = pledge_statistics(context)

    assert figures.counts == {
        PledgeState.INCOMPLETE: 0,
        PledgeState.ACTIVE: 1,
        PledgeState.PAST_DUE: 0,
        PledgeState.PAUSED: 1,
        PledgeState.CANCELED: 0,
    }
    assert figures.cents[PledgeState.ACTIVE] == 1500
    assert (figures.changemakers, figures.changemakers_cents) == (1, 1500)


def test_the_forecast_equals_the_charges_of_the_calendar(context: Context) -> None:
    """Each pledge is charged on its own day; a skip is left out, and a pause stays a pause."""
    join(context, contribution=10)  # on the 20th, charged today
    join(context, "kofi@example.org", contribution=20, billing_day="28")
    skip_next(context, join(context, "esi@example.org", contribution=30).member.id)
    pause_pledge(context, join(context, "yaw@example.org").member.id)

    forecast = forecast_pledges(context, 3)

    assert [(m.month, m.charges, m.cents) for m in forecast] == [
        (date(2026, 11, 1), 1, 2000),
        (date(2026, 12, 1), 2, 3000),
        (date(2027, 1, 1), 3, 6000),
    ]
    pass_time(context, datetime(2027, 1, 31, tzinfo=UTC))
    received = [row.amount for row in context.gateway.rows() if row.category == "charge"]
    joined_today = 1000 + 3000 + 1000
    assert sum(month.cents for month in forecast) == sum(received) - joined_today


def test_a_pledge_without_a_known_day_is_expected_from_today(context: Context) -> None:
    """Without a next charge day, the forecast uses the calendar from today."""
    started = join(context)
    with context.store.write() as work:
        work.pledges.put(
            replace(started.pledge, next_charge_on=None),
            member_key=started.member.key,
            at=context.now(),
        )

    assert [month.charges for month in forecast_pledges(context, 2)] == [1, 1]


HISTORIES = size(20, 60, full=60)
WHO = st.integers(0, 9)
STEPS = st.one_of(
    st.tuples(st.just("join"), WHO, st.sampled_from([0, 1000])),
    st.tuples(st.just("pay"), WHO, st.sampled_from(["pledge", "gift"])),
    st.tuples(st.just("refund"), WHO, st.sampled_from([0, 400, 501, 999, 1000])),
    st.tuples(st.just("dispute"), WHO, st.sampled_from(["none", "open", "won", "lost"])),
    st.tuples(st.just("move"), WHO, st.sampled_from(PledgeState)),
    st.tuples(st.just("amount"), WHO, st.integers(5, 999)),
    st.tuples(st.just("vote"), WHO, st.none()),
    st.tuples(st.just("leave"), WHO, st.none()),
    st.tuples(
        st.just("wait"),
        WHO,
        st.sampled_from(
            [
                timedelta(days=1),
                changemaker.GRACE,
                changemaker.GRACE + timedelta(seconds=1),
                changemaker.CARD_PERIOD,
                timedelta(days=30),
            ]
        ),
    ),
)
names = count()


def test_sql_agrees_with_the_domain(place: Path) -> None:
    """After every step both name the same changemakers, pledges and first payments."""
    context = make_organisation(place)
    open_vote(context, endDate="2999-12-31")

    @settings(max_examples=so_many(HISTORIES, place), deadline=None)
    @given(history=st.lists(STEPS, max_size=12))
    def agrees(history: list[tuple[str, int, object]]) -> None:
        members = [add_member(context, f"m{next(names)}")]
        for what, who, value in history:
            _take(context, members, what, who, value)
            with context.store.read() as work:
                _check(context, work, members)
        for member in members:
            leave(context, member)

    agrees()
    context.store.close()


def _check(context: Context, work: UnitOfWork, members: list[Member]) -> None:
    now = context.now()
    expected: dict[str, int] = {}
    for member in members:
        pledge = work.pledges.get(member.id)
        first_paid_on = _first_paid_on(work, member)
        assert first_paid_on == work.pledges.account(member.id, now=context.now()).first_paid_on
        until = changemaker.paid_until(
            _giving(work, member), work.pledges.changes_of(member.key), zone=UTC_ZONE
        )
        if pledge is not None and changemaker.is_changemaker(pledge, until, now=now):
            expected[member.id] = pledge.dollars
        assert (member.id in expected) is _may_vote(context, work, member)

    assert work.electors.member_ids(now) == set(expected)
    assert Changemakers(len(expected), 100 * sum(expected.values())) == changemakers(work, now)
    here = frozenset(one.id for one in members)
    voted = voters_among(context, work, "prop_01", here)
    lapsed = work.electors.lapsed(now)
    assert {one.key for one in members if one.id in voted - set(expected)} <= lapsed
    assert not {one.key for one in members if one.id in expected} & lapsed
    assert list(work.electors.discrepancies()) == []


def _first_paid_on(work: UnitOfWork, member: Member) -> date | None:
    least = min((one.dollars for one in work.pledges.changes_of(member.key)), default=None)
    days = [
        one.day
        for one in work.payments.of_member(member.key)
        if one.kind == "pledge"
        and one.proof is not PaymentProof.NONE
        and changemaker.payment_counts(
            cents=one.cents, returned_cents=one.returned_cents, dispute=one.dispute
        )
        and one.cents - one.returned_cents >= counted_cents(least)
    ]
    return min(days, default=None)


def _giving(work: UnitOfWork, member: Member) -> list[PledgePayment]:
    return [
        PledgePayment(
            member.key,
            one.day,
            one.way,
            one.cents,
            one.cents - one.returned_cents,
            work.journal.get(one.index).booked_at,
        )
        for one in work.payments.of_member(member.key)
        if one.kind == "pledge" and one.is_kept
    ]


def _may_vote(context: Context, work: UnitOfWork, member: Member) -> bool:
    try:
        require_elector(work, member.id, context.now())
    except NotAChangemaker:
        return False
    return True


def _take(context: Context, members: list[Member], what: str, who: int, value: object) -> None:
    if what == "wait":
        assert isinstance(value, timedelta)
        clock_of(context).at += value
    elif what == "join":
        assert isinstance(value, int)
        members.append(add_member(context, f"m{next(names)}", cents=value))
    elif members:
        member = members[who % len(members)]
        if what == "pay":
            pay(context, member, kind=str(value))
        elif what == "leave":
            leave(context, member)
            members.remove(member)
        elif what == "vote":
            _try_to_vote(context, member)
        else:
            _change(context, member, what, value)


def _try_to_vote(context: Context, member: Member) -> None:
    with context.store.read() as work:
        able = _may_vote(context, work, member)
        able = able and "prop_01" not in voted_on(context, work, member.id)
    if able:
        vote(context, member)


def _change(context: Context, member: Member, what: str, value: object) -> None:
    with context.store.write() as work:
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        payments = work.payments.of_member(member.key)
        if what == "amount":
            assert isinstance(value, int)
            changed = replace(pledge, dollars=value)
            work.pledges.put(changed, member_key=member.key, at=context.now())
        elif what == "move" and value in TRANSITIONS[pledge.state]:
            changed = move_pledge(pledge, PledgeState(str(value)), at=context.now())
            work.pledges.put(changed, member_key=member.key, at=context.now())
        elif what == "refund" and payments:
            assert isinstance(value, int)
            first = payments[0]
            work.payments.update(first.index, returned_cents=value, dispute=first.dispute)
        elif what == "dispute" and payments:
            first = payments[0]
            work.payments.update(
                first.index, returned_cents=first.returned_cents, dispute=str(value)
            )
