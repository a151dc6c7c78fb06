"""Who has voted is known by tokens while the key exists, and by a list afterwards."""

from pathlib import Path

import pytest

from jara.domain.errors import AlreadyVoted
from jara.services.ballots.counting import voted_on, voters_among
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key, destroy_due_keys
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, leave, open_vote, vote


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with an open vote."""
    made = make_organisation(place)
    open_vote(made)
    return made


def listed(context: Context) -> set[str]:
    """Return the list of participants."""
    with context.store.read() as work:
        return work.ballots.participants("prop_01")


def rows(context: Context, table: str) -> int:
    """Return the number of rows of a table."""
    with context.store.read() as work:
        sql = work.ballots._sql
        return int(sql.all(f"SELECT COUNT(*) FROM {table}")[0][0])  # noqa: S608 - a name of ours


def test_the_list_is_written_when_the_key_is_destroyed(context: Context) -> None:
    """Until the key is destroyed no row names a voter; the close empties the box."""
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, bob)
    vote(context, ada)
    vote(context, cyd)
    leave(context, cyd)
    assert (listed(context), rows(context, "ballot_claims")) == (set(), 9)

    clock_of(context).advance(days=11)
    close_due_votes(context)
    assert (rows(context, "sealed_ballots"), rows(context, "ballot_claims")) == (0, 0)
    destroy_ballot_key(context, "prop_01")

    assert listed(context) == {ada.id, bob.id}
    with context.store.read() as work:
        assert voted_on(context, work, ada.id) == ["prop_01"]
        everybody = frozenset({ada.id, cyd.id})
        assert voters_among(context, work, "prop_01", everybody) == {ada.id}
    with pytest.raises(AlreadyVoted):
        vote(context, ada)


def test_a_key_that_outlived_a_crash_is_destroyed(context: Context) -> None:
    """The next daily run finishes destroying the key; the list is not written again."""
    ada = add_member(context, "ada")
    vote(context, ada)
    key = context.vault.ballot_key("prop_01")
    assert key is not None
    clock_of(context).advance(days=11)
    close_due_votes(context)
    destroy_ballot_key(context, "prop_01")
    assert destroy_due_keys(context) == []
    (context.vault.folder / "ballot-prop_01.key").write_text(key.hex())

    assert destroy_due_keys(context) == ["prop_01"]
    assert context.vault.ballot_key("prop_01") is None
    assert listed(context) == {ada.id}


def test_without_its_key_a_vote_has_no_list(context: Context) -> None:
    """If the key was lost, its destruction is recorded without a list of voters."""
    vote(context, add_member(context, "ada"))
    clock_of(context).advance(days=11)
    close_due_votes(context)
    context.vault.destroy_ballot_key("prop_01")

    destroy_ballot_key(context, "prop_01")
    assert listed(context) == set()
