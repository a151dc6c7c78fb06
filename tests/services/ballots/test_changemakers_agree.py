"""The SQL that maintains the changemakers agrees with the definition in the domain."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.changemaker import (
    CARD_PERIOD,
    GRACE,
    Changemakers,
    is_changemaker,
    paid_until,
    payment_gives_vote,
)
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import TRANSITIONS, PledgeState, move_pledge
from jara.domain.giving.standing import PledgePayment
from jara.domain.time_zone import UTC_ZONE
from jara.services.ballots.casting import changemakers, require_elector
from jara.services.ballots.counting import voted_on, voters_among
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork
from tests.harness import clock_of, make_organisation
from tests.places import so_many
from tests.services.ballots.voting_world import add_member, leave, open_vote, pay, vote
from tests.sizes import size

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
                GRACE,
                GRACE + timedelta(seconds=1),
                CARD_PERIOD,
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
        until = paid_until(
            _giving(work, member), work.pledges.changes_of(member.key), zone=UTC_ZONE
        )
        if pledge is not None and is_changemaker(pledge, until, now=now):
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
        if payment_gives_vote(
            kind=one.kind,
            cents=one.cents,
            returned_cents=one.returned_cents,
            dispute=one.dispute,
            proof=one.proof,
            least_dollars=least,
        )
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
