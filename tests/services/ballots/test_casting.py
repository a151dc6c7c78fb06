"""Casting ballots: who may vote, once each, and the receipt for the voter."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jara.documents import to_document
from jara.domain.errors import (
    AlreadyVoted,
    CardVoted,
    Conflict,
    InvalidInput,
    NotAChangemaker,
    NotFound,
    TooManyRequests,
    Unavailable,
    VotingClosed,
)
from jara.domain.organisation import IdentityPart
from jara.domain.voting.tally import Choice
from jara.payments.no_cards import no_cards
from jara.services.ballots import casting
from jara.services.ballots.casting import cards_of, cast_ballot, claims_of
from jara.services.ballots.counting import show_roll
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.members.operators import allow_shared_card
from jara.services.operations.backups import votes_without_key
from jara.services.operations.upkeep import upgrade
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key
from jara.services.proposals.lifecycle import draft_proposal, withdraw_proposal
from jara.services.proposals.views import tally_vote
from jara.services.publiclog.receipts import Receipt, check_receipt, read_receipt
from tests.harness import clock_of, make_organisation
from tests.services.ballots import voting_world
from tests.services.ballots.voting_world import add_member, vote
from tests.services.members.codes_world import LIMITS

NONCE = bytes(range(16))

pytestmark = pytest.mark.usefixtures("open_vote")


def close(context: Context) -> dict[str, Any]:
    """Close the vote after its end; return the leaf of the close."""
    clock_of(context).advance(days=11)
    close_due_votes(context)
    return voting_world.closing_leaf(context)


def outcome(context: Context, receipt: Receipt) -> str:
    """Return what this log says about a receipt, all of whose other checks hold."""
    *points, last = check_receipt(context, receipt.document())
    assert all(point.ok for point in points)
    return last.message if last.ok else f"FAILED: {last.message}"


def test_a_receipt_promises_the_ballot_until_it_is_listed(context: Context) -> None:
    """While the vote is open no leaf is written; after the close the receipt names its leaf."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    with context.store.read() as work:
        size = work.log.size()
    yes = cast_ballot(context, "clean-water", ada.id, Choice.UP, nonce=NONCE)
    no = vote(context, bob, "down")

    with context.store.read() as work:
        assert work.log.size() == size
    assert NONCE.hex() == yes.nonce
    assert tally_vote(context, "prop_01")["yes"] == 1
    assert outcome(context, yes) == "Promised; listed on 2026-12-01 at the latest."
    leaf = close(context)
    assert (leaf["yes"], leaf["no"], leaf["dropped"]) == (1, 1, [])
    assert re.fullmatch(r"Listed in leaf \d+, counted as yes\.", outcome(context, yes))
    assert re.fullmatch(r"Listed in leaf \d+, counted as no\.", outcome(context, no))


def test_a_promise_that_is_not_kept_is_found(context: Context) -> None:
    """A ballot that the close does not list, or a vote that nobody closes, breaks the promise."""
    receipt = vote(context, add_member(context, "ada"))
    clock_of(context).advance(days=13)
    assert outcome(context, receipt).startswith("FAILED: Promised and missing: keep this file")
    with context.store.write() as work:
        work.box.empty("prop_01")
    close_due_votes(context)

    assert outcome(context, receipt).startswith("FAILED: Promised and missing")


def test_a_withdrawn_vote_destroys_its_ballots(context: Context) -> None:
    """Nothing of a withdrawn vote is listed, and its receipts say so."""
    receipt = vote(context, add_member(context, "ada"))
    withdraw_proposal(context, "prop_01", reason="Late")

    assert outcome(context, receipt) == "The vote was withdrawn; nothing was counted."
    with context.store.read() as work:
        assert work.box.tokens("prop_01") == frozenset()
        assert not list(work.log.leaves_of("jara/v1/ballot"))


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
    assert first == cast_ballot(context, "prop_01", ada.id, Choice.UP, nonce=NONCE)
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


def test_a_server_with_a_slow_clock_takes_no_ballot_after_the_close(context: Context) -> None:
    """Another server's clock is five minutes ahead: what it closes early stays closed."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    clock = clock_of(context)
    clock.set(datetime(2026, 11, 30, 23, 57, tzinfo=UTC))
    receipt = vote(context, ada)
    clock.advance(minutes=5)
    close_due_votes(context)
    clock.advance(minutes=-5)

    with pytest.raises(VotingClosed):
        vote(context, bob)
    assert outcome(context, receipt).startswith("Listed in leaf")


def test_drafts_and_strangers_are_not_found(context: Context) -> None:
    """A draft is not found, and neither is a member whose account is closed or erased."""
    ada = add_member(context, "ada")
    draft_proposal(context, {**voting_world.PROPOSAL, "id": "draft"})

    with pytest.raises(NotFound, match="no proposal 'draft'"):
        vote(context, ada, proposal="draft")
    with context.store.write() as work:
        work.members.update(ada._replace(closed_at=context.now()))
    with pytest.raises(NotFound, match="no member"):
        vote(context, ada)
    voting_world.leave(context, ada)
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


def test_no_row_joins_a_member_and_a_choice(context: Context) -> None:
    """The audit log does not record who voted; a sealed ballot has one length and no name."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    receipt = vote(context, ada)
    vote(context, bob, "down")
    with context.store.read() as work:
        acts = work.operations.audit()
        sealed = list(work.box.since("prop_01"))

    assert not [act for act in acts if ada.id in str(act) or receipt.leaf in str(act)]
    assert len({len(row.sealed) for row in sealed}) == 1
    assert not [row for row in sealed if row.box in receipt.leaf_bytes]


def test_losing_the_last_contribution_drops_the_ballot_at_the_close(context: Context) -> None:
    """A full refund writes nothing about the vote; the close drops the ballot."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    receipt = vote(context, ada)
    vote(context, bob)
    assert voting_world.refund(context, ada, 400) == []
    assert voting_world.refund(context, ada, 600) == []
    assert tally_vote(context, "prop_01")["yes"] == 2

    leaf = close(context)
    assert (leaf["yes"], leaf["void"], leaf["dropped"]) == (1, 1, [receipt.leaf])
    assert outcome(context, receipt) == "Dropped, because no contribution was left."
    with pytest.raises(AlreadyVoted, match="was not counted"):
        vote(context, ada)


def test_a_later_payment_keeps_the_ballot(context: Context) -> None:
    """Only the close decides what counts: a refund and a new payment leave the ballot valid."""
    ada = add_member(context, "ada")
    vote(context, ada)
    voting_world.refund(context, ada, 1000)
    voting_world.pay(context, ada)

    assert close(context)["yes"] == 1


def test_a_gift_keeps_no_ballot(context: Context) -> None:
    """Only payments of a pledge give the vote; a gift does not keep a ballot valid."""
    ada = add_member(context, "ada")
    vote(context, ada)
    voting_world.pay(context, ada, cents=500, kind="gift")
    voting_world.refund(context, ada, 1000)

    assert (close(context)["yes"], tally_vote(context, "prop_01")["void"]) == (0, 1)


def test_the_roll_of_an_open_vote_does_not_tell_who_voted(context: Context) -> None:
    """It is today's changemakers: a voter who leaves and one who did not vote change it alike."""
    ada, bob, cyd = (add_member(context, name) for name in ("ada", "bob", "cyd"))
    vote(context, ada)
    voting_world.leave(context, ada)
    voter_left = show_roll(context, "prop_01")
    voting_world.leave(context, bob)

    assert (voter_left.size, set(voter_left.members)) == (2, {bob.id, cyd.id})
    assert show_roll(context, "prop_01").members == (cyd.id,)
    tally = tally_vote(context, "prop_01")
    assert (tally["roll"], tally["yes"]) == (1, 1)
    assert close(context)["roll_size"] == 2


def test_one_card_votes_once_unless_a_family_shares_it(context: Context) -> None:
    """Six accounts on one card have one vote, until an operator allows it with a reason."""
    family = [add_member(context, name, card="card_1") for name in ("ada", "ben", "cyd")]
    other = add_member(context, "dan", card="card_2")
    vote(context, family[0])
    vote(context, other)

    change_values(context, {IdentityPart.CONTACT: "hello@example.org"})
    with pytest.raises(CardVoted, match=r"ask us to allow that: hello@example\.org"):
        vote(context, family[1])
    allow_shared_card(context, "ben@example.org", why="two sisters")
    vote(context, family[1])
    leaf = close(context)
    with context.store.read() as work:
        [row] = work.operations.audit(action="members.share-card")
    assert (leaf["yes"], leaf["shared_cards"], leaf["emails"]) == (3, 2, 4)
    assert (row.why, row.subject) == ("two sisters", family[1].key)


def test_a_shared_account_is_no_card_where_there_are_none(context: Context) -> None:
    """The words fit the ways to pay that there are."""
    context = replace(context, gateway=no_cards())
    ada, ben = (add_member(context, name, card="account") for name in ("ada", "ben"))
    vote(context, ada)

    with pytest.raises(CardVoted, match="A vote paid from the same account is already"):
        vote(context, ben)


def test_a_card_that_nobody_knows_is_not_shared(context: Context) -> None:
    """An operator can allow sharing only for a card of a pledge."""
    add_member(context, "ada")

    with pytest.raises(Conflict, match="no card or account: none is known"):
        allow_shared_card(context, "ada@example.org", why="x")


def test_another_key_takes_no_ballots_and_counts_none(context: Context) -> None:
    """If another key is in the folder, nobody votes, the counts are zero, and it cannot close."""
    ada, bob = add_member(context, "ada"), add_member(context, "bob")
    vote(context, ada)
    context.vault.destroy_ballot_key("prop_01")
    context.vault.make_ballot_key("prop_01")

    with pytest.raises(Unavailable, match="does not open its ballots"):
        vote(context, bob)
    assert tally_vote(context, "prop_01")["yes"] == 0
    assert votes_without_key(context) == ["Clean water"]
    clock_of(context).advance(days=11)
    with pytest.raises(Unavailable, match="does not open its ballots"):
        close_due_votes(context)
    with context.store.read() as work:
        assert len(work.box.tokens("prop_01")) == 1


def test_without_the_named_promise_key_no_ballot_is_taken(context: Context, place: Path) -> None:
    """A receipt must be signed by a key that the log names; an upgrade makes and names one."""
    ada = add_member(context, "ada")
    (place / "secrets" / "promise.key").unlink()
    with pytest.raises(Unavailable, match="jara migrate"):
        vote(context, ada)

    upgrade(context)
    assert outcome(context, vote(context, ada)).startswith("Promised")
    with context.store.read() as work:
        assert len(list(work.log.leaves_of("jara/v1/promise_key"))) == 2


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"leafBytes": '{"t":"x"}'}, {"leaf", "nonce"}),
        ({"leafBytes": "nothing"}, {"leaf", "nonce"}),
        ({"tracker": "AAAA-AAAA-AAAA"}, {"tracker"}),
        ({"nonce": "00" * 16}, {"nonce"}),
        ({"signature": "00" * 64}, {"promise"}),
        ({"listedBy": "2030-01-01T00:00:00Z"}, {"promise"}),
        ({"listedBy": "2020-01-01T00:00:00Z"}, {"promise", "log"}),
        ({"key": "00" * 32}, {"promise", "key"}),
        ({"proposal": "prop_02"}, {"promise"}),
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
        {"listedBy": None},
        {"listedBy": "soon"},
        {"listedBy": "2026-12-02T00:00:00"},  # without a time zone it is no instant
        {"leaf": "xyz"},
        {"leaf": 5},
        {"key": "00"},
        {"signature": None},
        {"leafBytes": None},
        {"proposal": 7},
        {"nonce": "AA" * 16},
    ],
)
def test_documents_that_are_not_receipts_are_refused(
    context: Context, changes: dict[str, object]
) -> None:
    """A file in another format is refused as such before any check runs."""
    ada = add_member(context, "ada")
    document = vote(context, ada).document()

    assert document == to_document(read_receipt(document))
    with pytest.raises(InvalidInput, match="receipt"):
        read_receipt({**document, **changes})


@pytest.mark.parametrize("card", ["card-1", None])
def test_a_ballot_has_as_many_claims_with_a_card_as_without(
    context: Context, card: str | None
) -> None:
    """A backup does not tell by the number of rows who pays without a card."""
    member = add_member(context, "ann", card=card)
    with context.store.read() as work:
        cards = cards_of(work, member, work.pledges.get(member.id), context.now())

    assert len(claims_of(bytes(32), "prop_01", member, cards).tokens) == 3


@pytest.mark.parametrize("name", ["prop_01", "clean-water"])
def test_a_proposal_is_named_by_its_whole_id_or_slug(context: Context, name: str) -> None:
    """A proposal is found by its whole id or slug, and the receipt names the ballot."""
    assert (
        '"prop_01"'
        in casting.vote(context, LIMITS, name, add_member(context, "ama").id, Choice.UP).leaf_bytes
    )


@pytest.mark.parametrize("name", ["prop", "clean", ""])
def test_a_beginning_of_a_name_is_no_proposal(context: Context, name: str) -> None:
    """A vote with only the beginning of a name is refused."""
    with pytest.raises(NotFound):
        casting.vote(context, LIMITS, name, add_member(context, "ama").id, Choice.UP)


def test_a_draft_is_not_told_about(context: Context) -> None:
    """A guessed name of a draft is answered like an unknown one."""
    draft_proposal(
        context, {**voting_world.PROPOSAL, "id": "draft", "slug": "draft", "title": "A draft"}
    )
    with pytest.raises(NotFound, match="no proposal 'draft'"):
        casting.vote(context, LIMITS, "draft", add_member(context, "ama").id, Choice.UP)


def test_refused_votes_count_for_the_limit(context: Context) -> None:
    """Accepted and refused votes both count, three a minute here, until the minute has passed."""
    member = add_member(context, "ama").id
    casting.vote(context, LIMITS, "prop_01", member, Choice.UP)
    for _ in range(2):
        with pytest.raises(AlreadyVoted):
            casting.vote(context, LIMITS, "prop_01", member, Choice.DOWN)
    with pytest.raises(TooManyRequests):
        casting.vote(context, LIMITS, "prop_01", member, Choice.DOWN)
    clock_of(context).advance(minutes=1)

    with pytest.raises(AlreadyVoted):
        casting.vote(context, LIMITS, "prop_01", member, Choice.DOWN)
