"""One person has one place on the roll of a vote, also after leaving and joining again."""

from pathlib import Path

import pytest

from jara.domain.errors import AlreadyVoted, CardVoted
from jara.domain.giving.member import Member
from jara.services.ballots.counting import show_roll
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.members.accounts import close_account
from jara.services.members.operators import allow_shared_card
from jara.services.payments.importing import collect_movements
from jara.services.payments.refunding import refund_payment
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.views import verify_vote
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import open_vote, vote
from tests.services.giving.joiners import join

OWN = "pm_card_visa_debit"
OTHER = "pm_card_mastercard"
STAYS = "pm_card_visa"


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with one member who stays, and an open vote."""
    context = make_organisation(place)
    join(context, "stays@example.org", card=STAYS)
    open_vote(context)
    return context


def close(context: Context) -> tuple[int, int]:
    """Close the vote; return the yes votes and the size of the roll."""
    clock_of(context).advance(days=20)
    [closed] = close_due_votes(context)
    assert verify_vote(context, "prop_01").ok
    assert verify_books(context).ok
    assert show_roll(context, "prop_01").size == closed.tally.roll
    return closed.tally.yes, closed.tally.roll


def voter(context: Context, email: str = "ama@example.org") -> Member:
    """Return a new member who has voted."""
    member = join(context, email, card=OWN).member
    vote(context, member)
    return member


@pytest.mark.parametrize(
    ("email", "card", "refusal"),
    [
        ("ama@example.org", OWN, AlreadyVoted),
        ("ama@example.org", OTHER, AlreadyVoted),
        ("AMA@example.org", OTHER, AlreadyVoted),
        ("new@example.org", OWN, CardVoted),
    ],
)
def test_a_rejoined_voter_has_one_place(
    context: Context, email: str, card: str, refusal: type[Exception]
) -> None:
    """The ballot of the earlier account counts; the new account adds nobody to the roll."""
    close_account(context, voter(context).id)
    clock_of(context).advance(days=1)
    again = join(context, email, card=card).member
    with pytest.raises(refusal):
        vote(context, again)

    assert close(context) == (1, 2)


def test_a_voter_who_rejoins_twice_has_one_place(context: Context) -> None:
    """However often somebody leaves and joins again."""
    close_account(context, voter(context).id)
    for _ in range(2):
        clock_of(context).advance(days=1)
        member = join(context, card=OTHER).member
        close_account(context, member.id)
    clock_of(context).advance(days=1)
    join(context, card=OWN)

    assert close(context) == (1, 2)


def test_a_rejoined_member_without_ballot_has_one_place(context: Context) -> None:
    """An account that left without a ballot has no place."""
    close_account(context, join(context, card=OWN).member.id)
    clock_of(context).advance(days=1)
    vote(context, join(context, card=OWN).member)

    assert close(context) == (1, 2)


def test_a_dropped_ballot_holds_no_place(context: Context) -> None:
    """Who got the money back has no ballot; the new account then is the one place."""
    member = voter(context)
    with context.store.read() as work:
        charge = str(work.payments.of_member(member.key)[0].source_id)
    close_account(context, member.id)
    refund_payment(context, charge, why="asked")
    collect_movements(context)
    clock_of(context).advance(days=1)
    join(context, card=OWN)

    assert close(context) == (0, 2)


def test_a_family_with_one_card_has_two_places(context: Context) -> None:
    """Another person who pays with the card of a voter is an elector, with or without a vote."""
    voter(context)
    clock_of(context).advance(days=1)
    join(context, "kofi@example.org", card=OWN)

    assert close(context) == (1, 3)


def test_a_shared_card_of_a_former_member_takes_no_place(context: Context) -> None:
    """Operators said that several people pay with it."""
    member = voter(context)
    allow_shared_card(context, member.id, why="two sisters")
    close_account(context, member.id)
    clock_of(context).advance(days=1)
    vote(context, join(context, "kofi@example.org", card=OWN).member)

    assert close(context) == (2, 3)
