"""Casting ballots: who may vote, once each, and the receipt for the voter."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jara.domain.checks.log import read_leaf
from jara.domain.errors import (
    AlreadyVoted,
    CardVoted,
    Conflict,
    InvalidInput,
    NotAChangemaker,
    NotFound,
    Unavailable,
    VotingClosed,
)
from jara.domain.publiclog import canonical, merkle, notes
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import cast_ballot
from jara.services.ballots.counting import show_roll, void_ballots
from jara.services.context import Context
from jara.services.log_keys import verification_key
from jara.services.members.operators import allow_shared_card
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key
from jara.services.proposals.lifecycle import draft_proposal, withdraw_proposal
from jara.services.proposals.views import tally_vote
from jara.services.publiclog.receipts import check_receipt, read_receipt
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import (
    PROPOSAL,
    add_member,
    leave,
    open_vote,
    pay,
    refund,
    vote,
)

NONCE = bytes(range(16))


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with one open vote."""
    context = make_organisation(place)
    open_vote(context)
    return context


def test_a_ballot_is_counted_and_proven(context: Context) -> None:
    """The receipt proves the ballot under a signed checkpoint of exactly its own size."""
    ada = add_member(context, "ada")
    receipt = cast_ballot(context, "clean-water", ada.id, Choice.UP, nonce=NONCE)
    checkpoint = notes.parse_checkpoint(receipt.checkpoint)
    proof = [bytes.fromhex(step) for step in receipt.proof]

    assert receipt.size == receipt.index + 1 == checkpoint.size
    assert receipt.root == checkpoint.root.hex()
    assert NONCE.hex() == receipt.nonce
    assert merkle.verify_inclusion(
        bytes.fromhex(receipt.leaf), receipt.index, receipt.size, proof, checkpoint.root
    )
    assert all(point.ok for point in check_receipt(context, receipt.document()))
    assert tally_vote(context, "prop_01")["yes"] == 1


def test_the_same_nonce_gives_the_same_receipt(context: Context) -> None:
    """A retry after a lost answer gets the same receipt; another nonce or choice is refused."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    first = cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)
    vote(context, bob)

    assert first == cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)
    for choice, nonce in ((Choice.UP, bytes(16)), (Choice.DOWN, NONCE), (Choice.UP, None)):
        with pytest.raises(AlreadyVoted, match="a vote is final"):
            cast_ballot(context, "prop_01", ada.id, choice, nonce=nonce)
    assert tally_vote(context, "prop_01")["yes"] == 2


def test_the_same_receipt_comes_after_the_end_too(context: Context) -> None:
    """A retry after the end gets the receipt too, until the key is destroyed."""
    ada = add_member(context, "ada")
    first = cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)
    clock_of(context).advance(days=30)

    assert first == cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)
    close_due_votes(context)
    destroy_ballot_key(context, "prop_01")
    with pytest.raises(AlreadyVoted):
        cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)


def test_only_changemakers_vote(context: Context) -> None:
    """Without a payment there is no vote, and the refusal names the day it begins."""
    eve = add_member(context, "eve", cents=0)

    with pytest.raises(NotAChangemaker, match="20 November 2026"):
        vote(context, eve)
    assert tally_vote(context, "prop_01")["roll"] == 0


def test_nobody_votes_outside_the_time_of_the_vote(context: Context) -> None:
    """No ballot is taken after the end, whether or not the vote is closed already."""
    ada = add_member(context, "ada")
    clock_of(context).advance(days=30)
    with pytest.raises(VotingClosed, match="is over"):
        vote(context, ada)
    withdraw_proposal(context, "prop_01", reason="Late")
    with pytest.raises(VotingClosed, match="withdrawn"):
        vote(context, ada)


def test_drafts_and_strangers_are_not_found(context: Context) -> None:
    """A draft is not found, and neither is a member whose account is closed or erased."""
    ada = add_member(context, "ada")
    draft_proposal(context, {**PROPOSAL, "id": "draft"})

    with pytest.raises(NotFound, match="no proposal 'draft'"):
        vote(context, ada, proposal="draft")
    with context.store.write() as work:
        work.members.update(ada._replace(closed_at=context.now()))
    with pytest.raises(NotFound, match="no member"):
        vote(context, ada)
    leave(context, ada)
    with pytest.raises(NotFound, match="no member"):
        vote(context, ada)


def test_without_its_key_nobody_can_vote(context: Context) -> None:
    """If a ballot key is lost, voting stops instead of using another key."""
    ada = add_member(context, "ada")
    context.vault.destroy_ballot_key("prop_01")

    with pytest.raises(Unavailable, match="can only be withdrawn"):
        vote(context, ada)


def test_another_secrets_folder_takes_no_votes(context: Context, place: Path) -> None:
    """With the secrets of another folder no vote is taken, as the receipt would prove nothing."""
    other = make_organisation(place / "other", seed="other")
    ada = add_member(context, "ada")
    stray = type(context)(
        store=context.store,
        clock=context.clock,
        entropy=context.entropy,
        vault=other.vault,
        gateway=context.gateway,
        hasher=context.hasher,
        rules=context.rules,
    )

    with pytest.raises(Unavailable, match="secrets folder"):
        vote(stray, ada)


def test_no_table_joins_a_member_and_a_choice(context: Context) -> None:
    """The audit log does not record who voted, or where in the log either."""
    ada = add_member(context, "ada")
    receipt = vote(context, ada)
    with context.store.read() as work:
        acts = work.operations.audit()
        leaf = work.log.leaf(receipt.index).body.decode()

    assert ada.id not in leaf
    assert ada.key not in leaf
    assert not [act for act in acts if ada.id in str(act) or receipt.leaf in str(act)]


def test_losing_the_last_contribution_voids_the_ballot(context: Context) -> None:
    """A full refund voids the ballot publicly and once; a partial one changes nothing."""
    ada = add_member(context, "ada")
    receipt = vote(context, ada)
    assert refund(context, ada, 400) == []
    [void] = refund(context, ada, 600)
    with context.store.write() as work:
        leaf = canonical.decode(work.log.leaf(void).body)
        again = void_ballots(context, work, [ada.key])
        nobody = void_ballots(context, work, [])
        counts = work.ballots.counts("prop_01")

    assert leaf == {
        "ballot": receipt.index,
        "reason": "no_contribution_left",
        "t": "jara/v1/ballot_void",
    }
    assert (again, nobody) == ([], [])
    assert counts == (0, 0, 1)
    with pytest.raises(AlreadyVoted):
        vote(context, ada)


def test_a_gift_keeps_no_ballot(context: Context) -> None:
    """Only payments of a pledge give the vote; a gift does not keep a ballot valid."""
    ada = add_member(context, "ada")
    vote(context, ada)
    pay(context, ada, cents=500, kind="gift")

    assert len(refund(context, ada, 1000)) == 1
    with context.store.read() as work:
        assert work.ballots.counts("prop_01") == (0, 0, 1)


def test_the_roll_of_an_open_vote(context: Context) -> None:
    """The roll is today's changemakers and voters who left; voters with a voided ballot are not."""
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    dan = add_member(context, "dan")
    vote(context, ada)
    vote(context, bob, "down")
    vote(context, cyd)
    leave(context, ada)
    before = show_roll(context, "prop_01")
    refund(context, cyd, 1000)
    after = show_roll(context, "prop_01")

    assert (before.size, before.voted, set(before.members)) == (4, 1, {bob.id, cyd.id, dan.id})
    assert (after.size, after.voted, set(after.members)) == (3, 1, {bob.id, dan.id})
    assert tally_vote(context, "prop_01")["roll"] == 3
    context.vault.destroy_ballot_key("prop_01")
    assert show_roll(context, "prop_01").size == 2


def test_a_refund_voids_the_ballot_also_after_leaving(context: Context) -> None:
    """A refund after leaving still voids the ballot."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    index = vote(context, ada).index
    leave(context, ada)

    [void] = refund(context, ada, 1000)
    assert refund(context, bob, 1000) == []
    with context.store.read() as work:
        assert (canonical.decode(work.log.leaf(void).body)) == {
            "ballot": index,
            "reason": "no_contribution_left",
            "t": "jara/v1/ballot_void",
        }
    assert (
        tally_vote(context, "prop_01")["yes"],
        tally_vote(context, "prop_01")["void"],
    ) == (0, 1)


def after_the_end(context: Context) -> Context:
    """Move the clock past the end of the vote."""
    clock_of(context).advance(days=11)
    return context


def test_one_address_votes_once(context: Context) -> None:
    """Leaving and joining again with the same address gives no second ballot."""
    vote(context, add_member(context, "ada"))
    with context.store.read() as work:
        [ada] = work.members.all()
    leave(context, ada)
    again = add_member(context, "ada", name_at_provider="ada2")

    with pytest.raises(AlreadyVoted, match="with your email address is already counted"):
        vote(context, again)
    assert tally_vote(context, "prop_01")["yes"] == 1


def test_one_card_votes_once_unless_a_family_shares_it(context: Context) -> None:
    """Six accounts on one card have one vote, until an operator allows it with a reason."""
    family = [add_member(context, name, card="card_1") for name in ("ada", "ben", "cyd")]
    other = add_member(context, "dan", card="card_2")
    vote(context, family[0])
    vote(context, other)

    with_contact = replace(context, rules=context.rules._replace(contact_email="hello@example.org"))
    with pytest.raises(CardVoted, match=r"ask us to allow that: hello@example\.org"):
        vote(with_contact, family[1])
    allow_shared_card(context, "ben@example.org", why="two sisters")
    vote(context, family[1])
    [closed] = close_due_votes(after_the_end(context))
    with context.store.read() as work:
        leaf = read_leaf(work.log.leaf(closed.record.closed_index or 0).body)
        [row] = work.operations.audit(action="members.share-card")
    assert (leaf["yes"], leaf["shared_cards"], leaf["emails"]) == (3, 2, 4)
    assert (row.why, row.subject) == ("two sisters", family[1].key)


def test_a_card_that_nobody_knows_is_not_shared(context: Context) -> None:
    """An operator can allow sharing only for a card of a pledge."""
    add_member(context, "ada")

    with pytest.raises(Conflict, match="no card is known"):
        allow_shared_card(context, "ada@example.org", why="x")


def test_the_ballot_behind_another_key_is_not_voided(context: Context) -> None:
    """A refund voids nothing if the key in the folder is not the vote's key."""
    ada = add_member(context, "ada")
    vote(context, ada)
    context.vault.destroy_ballot_key("prop_01")
    context.vault.make_ballot_key("prop_01")

    assert refund(context, ada, 1000) == []


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"leafBytes": '{"t":"x"}'}, {"leaf", "nonce", "log"}),
        ({"leafBytes": "nothing"}, {"leaf", "nonce", "log"}),
        ({"tracker": "AAAA-AAAA-AAAA"}, {"tracker"}),
        ({"nonce": "00" * 16}, {"nonce"}),
        ({"root": "00" * 32}, {"proof", "signature", "log"}),
        ({"checkpoint": "nothing"}, {"signature"}),
        ({"size": 1000}, {"proof", "signature", "log"}),
    ],
)
def test_a_changed_receipt_is_found(
    context: Context, changes: dict[str, object], wrong: set[str]
) -> None:
    """Each part of a receipt is checked by itself."""
    ada = add_member(context, "ada")
    document = {**vote(context, ada).document(), **changes}

    assert {point.name for point in check_receipt(context, document) if not point.ok} == wrong


@pytest.mark.parametrize(
    "changes",
    [
        {"proof": None},
        {"leaf": "xyz"},
        {"leaf": 5},
        {"index": True},
        {"index": "1"},
        {"size": -1},
        {"size": 2**53},
        {"leafBytes": None},
        {"nonce": "AA" * 16},
    ],
)
def test_documents_that_are_not_receipts_are_refused(
    context: Context, changes: dict[str, object]
) -> None:
    """A file in another format is refused as such before any check runs."""
    ada = add_member(context, "ada")
    document = vote(context, ada).document()

    assert document == read_receipt(document).document()
    with pytest.raises(InvalidInput, match="not a receipt"):
        read_receipt({**document, **changes})


def test_the_log_has_one_verification_key(context: Context) -> None:
    """The verification key has the same name as in the notes."""
    assert verification_key(context).text().startswith("jara.example/log+")


def test_money_is_booked_though_a_ballot_key_is_lost(context: Context) -> None:
    """A refund is booked without voiding a ballot whose key is lost."""
    ada = add_member(context, "ada")
    vote(context, ada)
    context.vault.destroy_ballot_key("prop_01")

    assert refund(context, ada, 1000) == []
    with context.store.read() as work:
        assert work.ballots.counts("prop_01") == (1, 0, 0)
