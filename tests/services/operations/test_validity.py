"""The times at which the pages for visitors change without any act."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jara.domain.giving.changemaker import GRACE
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.services.context import Context
from jara.services.operations.validity import valid_until
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import draft_proposal
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote

MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)
EVENING = datetime(2026, 11, 20, 18, tzinfo=UTC)
NIGHT = datetime(2026, 11, 20, 23, tzinfo=UTC)


@pytest.fixture
def organisation(place: Path) -> Context:
    """A new organisation on each engine, on 20 November 2026, noon."""
    return make_organisation(place)


def test_a_day_ends_at_midnight(organisation: Context) -> None:
    """Without votes, a page is valid until the next midnight."""
    assert valid_until(organisation) == MIDNIGHT
    clock_of(organisation).set(MIDNIGHT)
    assert valid_until(organisation) == MIDNIGHT.replace(day=22)


def test_a_vote_ends_before_the_day(organisation: Context) -> None:
    """The next end of an open vote counts; drafts and ended votes do not."""
    open_vote(organisation, id="late", slug="late", endDate="2026-11-20T23:00:00Z")
    open_vote(organisation, id="soon", slug="soon", endDate="2026-11-20T18:00:00Z")
    drafted = {**PROPOSAL, "id": "draft", "slug": "draft", "endDate": "2026-11-20T13:00:00Z"}
    draft_proposal(organisation, drafted)

    assert valid_until(organisation) == EVENING
    clock_of(organisation).set(EVENING)
    assert valid_until(organisation) == NIGHT
    close_vote(organisation, "soon")
    assert valid_until(organisation) == NIGHT
    clock_of(organisation).set(NIGHT)
    assert valid_until(organisation) == MIDNIGHT


def fail_charge(organisation: Context, member: Member) -> None:
    """Make a member's pledge past due from now on."""
    now = organisation.now()
    with organisation.store.write() as work:
        pledge = work.pledges.get(member.id)
        assert pledge is not None
        late = replace(pledge, state=PledgeState.PAST_DUE, past_due_since=now)
        work.pledges.put(late, member_key=member.key, at=now)


def test_of_two_failed_charges_the_earlier_takes_a_vote_first(organisation: Context) -> None:
    """Each failed charge has its own time."""
    clock, first = clock_of(organisation), NIGHT + GRACE
    for name, at in (("ama", EVENING), ("kofi", NIGHT)):
        clock.set(at)
        fail_charge(organisation, add_member(organisation, name))

    clock.set(first.replace(hour=1))
    assert valid_until(organisation) == first.replace(hour=18, second=1)
    clock.set(first.replace(hour=18, second=1))
    assert valid_until(organisation) == first.replace(second=1)


def test_a_failed_charge_takes_the_vote_after_its_grace(organisation: Context) -> None:
    """The page changes one second after the last moment at which the member may vote."""
    member, clock = add_member(organisation, "ama"), clock_of(organisation)
    fail_charge(organisation, member)
    last = clock.now() + GRACE

    for moment in (last.replace(hour=0), last):
        clock.set(moment)
        assert valid_until(organisation) == last.replace(second=1)
        with organisation.store.read() as work:
            assert member.id in work.electors.member_ids(clock.now())
    clock.set(last.replace(second=1))
    assert valid_until(organisation) == last.replace(day=5, hour=0)
    with organisation.store.read() as work:
        assert member.id not in work.electors.member_ids(clock.now())
