"""Verifying votes: duplicate ballots, an invalid salt, and one vote alone."""

from pathlib import Path

import pytest

from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import verify_vote
from tests.harness import clock_of
from tests.services.operations.planted_faults import found, plant, with_every_row


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with every kind of row."""
    return with_every_row(place)


def test_two_ballots_of_one_voter_are_found(context: Context) -> None:
    """A duplicate ballot is found even without the primary key."""
    plant(
        context,
        "ALTER TABLE ballots RENAME TO old_ballots",
        "CREATE TABLE ballots AS SELECT * FROM old_ballots",
        "INSERT INTO ballots SELECT proposal, voter, choice, 15 FROM ballots WHERE log_index = 9",
    )
    messages = [finding.message for finding in verify_books(context).findings]

    assert any("has two ballots of one voter" in message for message in messages)


def test_a_ballot_that_is_both_listed_and_dropped_is_found(context: Context) -> None:
    """A dropped ballot is in no list of the log."""
    plant(
        context,
        "INSERT INTO dropped_ballots SELECT proposal, voter FROM ballots WHERE log_index = 9",
    )
    messages = [finding.message for finding in verify_books(context).findings]

    assert any("has a ballot that it dropped" in message for message in messages)


def test_an_invalid_salt_is_found(context: Context) -> None:
    """A leaf whose salt cannot be read is named instead of stopping the check."""
    body = b'{"salt":"x","t":"jara/v1/entry"}'.hex()
    plant(context, f"UPDATE log SET body = X'{body}' WHERE idx = 3")  # noqa: S608 - bytes of the test

    assert "leaf 3" in found(context)["entry_columns"]


def test_one_vote_is_verified_by_itself(context: Context) -> None:
    """It covers a recount, the rules and each ballot's proof; a planted change is found."""
    good = verify_vote(context, "prop_01")
    plant(
        context,
        "UPDATE tallies SET yes = 4 WHERE proposal = 'prop_01'",
        "UPDATE ballots SET choice = 'down' WHERE log_index = 9",
        "UPDATE log SET hash = zeroblob(32) WHERE idx = 10",
    )
    bad = verify_vote(context, "prop_01")

    assert good.ok
    ballots = [(ballot.index, ballot.choice) for ballot in good.ballots]
    assert ballots == [(9, "up"), (10, "up"), (11, "up")]
    assert {point.name for point in bad.points if not point.ok} == {"recount", "rules", "proofs"}


def test_the_ballots_of_other_votes_are_left_out(context: Context) -> None:
    """The log lists them beside those of the vote that is verified."""
    clock_of(context).advance(days=40)
    close_due_votes(context)

    for proposal, choices in (("prop_01", ["up"] * 3), ("prop_03", ["up"])):
        checked = verify_vote(context, proposal)
        assert checked.ok
        assert [ballot.choice for ballot in checked.ballots] == choices


def test_an_open_vote_needs_its_key(context: Context) -> None:
    """With the key the sealed ballots are counted; without it nobody can recount them."""
    good = verify_vote(context, "prop_03")
    context.vault.destroy_ballot_key("prop_03")
    lost = verify_vote(context, "prop_03")

    assert good.ok
    assert good.points[0].message.startswith("The ballots count 1 yes and 0 no; they are sealed")
    assert [(point.name, point.message) for point in lost.points if not point.ok] == [
        ("recount", "The ballot key does not open the ballots.")
    ]
