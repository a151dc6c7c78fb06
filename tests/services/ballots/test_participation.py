"""Who has voted is known by tokens while the key exists, and by a list afterwards."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from jara.domain.errors import AlreadyVoted
from jara.services.ballots.counting import voted_on, voters_among
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key, destroy_due_keys
from tests.fakes.kills import Killed, survive
from tests.harness import clock_of, make_organisation
from tests.places import NewPlace, database_of
from tests.services.ballots.voting_world import add_member, leave, open_vote, vote
from tests.services.stored_rows import rows_of


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


def test_the_list_is_written_when_the_key_is_destroyed(context: Context) -> None:
    """Until the key is destroyed no row names a voter; the close empties the box."""
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, bob)
    vote(context, ada)
    vote(context, cyd)
    leave(context, cyd)
    assert (listed(context), len(rows_of(context, "ballot_claims"))) == (set(), 9)

    clock_of(context).advance(days=11)
    close_due_votes(context)
    assert rows_of(context, "sealed_ballots") == rows_of(context, "ballot_claims") == []
    destroy_ballot_key(context, "prop_01")

    assert listed(context) == {ada.id, bob.id}
    with context.store.read() as work:
        assert voted_on(context, work, ada.id) == ["prop_01"]
        everybody = frozenset({ada.id, cyd.id})
        assert voters_among(context, work, "prop_01", everybody) == {ada.id}
    with pytest.raises(AlreadyVoted):
        vote(context, ada)


def test_without_its_key_a_vote_has_no_list(context: Context) -> None:
    """If the key was lost, its destruction is recorded without a list of voters."""
    vote(context, add_member(context, "ada"))
    clock_of(context).advance(days=11)
    close_due_votes(context)
    context.vault.destroy_ballot_key("prop_01")

    destroy_ballot_key(context, "prop_01")
    assert listed(context) == set()


def closed_vote(folder: Path) -> Context:
    """Return an organisation with a closed vote of three voters."""
    context = make_organisation(folder, database=database_of(folder))
    open_vote(context)
    for name in ("ada", "ben", "cyd"):
        vote(context, add_member(context, name))
    clock_of(context).advance(days=11)
    close_due_votes(context)
    clock_of(context).advance(days=14)
    return context


def is_sealed(context: Context) -> bool:
    """Return whether list, mark and destroyed key are all there; list and mark must agree."""
    with context.store.read() as work:
        record = work.proposals.find("prop_01")
        listed = len(work.ballots.participants("prop_01"))
    marked = record.key_destroyed_at is not None
    assert listed == (3 if marked else 0)
    return marked and context.vault.ballot_key("prop_01") is None


def test_a_kill_at_each_statement_leaves_nothing_half_done(new_place: NewPlace) -> None:
    """The list and the mark come together, and the next daily run finishes."""
    for step in count():
        context = closed_vote(new_place())
        ended = survive(partial(destroy_ballot_key, context, "prop_01"), step)
        assert ended is is_sealed(context)
        assert context.vault.ballot_key("prop_01") is not None or ended

        destroy_due_keys(context)
        assert is_sealed(context)
        assert verify_books(context).findings == ()
        context.store.close()
        if ended:
            break
    assert step > 3


def test_a_kill_before_the_key_is_gone_is_made_good(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next daily run destroys the key and keeps the list that was already written."""
    context = closed_vote(place)

    def killed(_proposal: str) -> bool:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(context.vault, "destroy_ballot_key", killed)
        with pytest.raises(Killed):
            destroy_ballot_key(context, "prop_01")
    assert not is_sealed(context)
    assert destroy_due_keys(context) == ["prop_01"]
    assert is_sealed(context)


def test_two_servers_destroy_a_key_once(place: Path) -> None:
    """Two servers write the list only once."""
    context = closed_vote(place)

    with ThreadPoolExecutor(4) as pool:
        records = list(pool.map(lambda _: destroy_ballot_key(context, "prop_01"), range(8)))

    assert is_sealed(context)
    assert len({record.key_destroyed_at for record in records}) == 1
    with context.store.read() as work:
        assert len(work.operations.audit(action="votes.seal")) == 1
