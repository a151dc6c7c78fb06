"""Changemakers: members with a running pledge and a qualifying contribution."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from jara.domain.errors import NotAChangemaker
from jara.domain.giving.changemaker import Changemakers
from jara.domain.giving.pledge import PledgeState
from jara.services.ballots.casting import changemakers, require_elector
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge, pause_pledge, replace_card, skip_next
from jara.services.giving.statistics import forecast_pledges, pledge_statistics
from jara.services.members.documents import show_member
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import tally_vote
from tests.harness import clock_of
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.giving.joiners import join, pass_time


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
