"""The daily run with its own key does everything due, and nothing else."""

from pathlib import Path

import pytest

from jara.domain.errors import Refused
from jara.services.context import Context
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.services.proposals.closing import destroy_ballot_key
from tests.fakes.operators import acting, enrol
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.news.news_world import Mailbox


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an open vote, and a key for the daily run."""
    context = make_organisation(place)
    member = add_member(context, "ama")
    open_vote(context)
    vote(context, member)
    enrol(context, ada="admin", scheduler="scheduler")
    return context


def run(context: Context, name: str) -> list[str]:
    """Run the daily steps with an operator's key; return the failures."""
    steps = daily_steps(clockwork=None, sender=Mailbox())
    results = run_daily(acting(context, name), steps)
    return [f"{one.step}: {one.message}" for one in results if not one.ok]


def test_the_scheduler_closes_votes_and_destroys_their_keys(context: Context) -> None:
    """Each step is recorded under the name of the key."""
    clock_of(context).advance(days=12)
    first = run(context, "scheduler")
    clock_of(context).advance(days=15)
    second = run(context, "scheduler")

    assert [line for line in (*first, *second) if "is for" in line or "sign" in line] == []
    with context.store.read() as work:
        acts = {row.action: row.operator for row in work.operations.audit()}
        (record,) = work.proposals.all()
    assert {"proposals.close", "votes.seal"} <= acts.keys()
    assert {acts[name] for name in ("proposals.close", "votes.seal")} == {"scheduler"}
    assert record.key_destroyed_at is not None


def test_a_key_is_not_destroyed_early_by_the_scheduler(context: Context) -> None:
    """Only a person may destroy a key early."""
    clock_of(context).advance(days=12)
    run(context, "ada")

    with pytest.raises(Refused, match=r"'votes\.destroy-early' is for admin or bookkeeper"):
        destroy_ballot_key(acting(context, "scheduler"), "prop_01")
    destroy_ballot_key(acting(context, "ada"), "prop_01")
