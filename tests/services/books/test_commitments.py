"""Money committed to passed proposals: held, queued, topped up, released."""

from pathlib import Path

import pytest

from jara.domain.books.account import BANK, STRIPE, Fund
from jara.domain.books.commitment import Commitment
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.errors import FundOverdrawn, InvalidInput, NotFound
from jara.services.books.commitments import release_commitment, top_up
from jara.services.books.posting import Books, asset_cells
from jara.services.context import Context
from tests.harness import make_organisation
from tests.services.books.ledger_builders import funds, give, money_findings, pass_proposal


@pytest.fixture
def context(place: Path) -> Context:
    """Return books with $80.00 free for projects."""
    context = make_organisation(place)
    give(context, 10_000)
    return context


def of(context: Context, name: str) -> Commitment:
    """Return a proposal's commitment."""
    with context.store.read() as work:
        record = work.commitments.get(f"prop_{name}")
    assert record is not None
    return record.commitment


def run_top_up(context: Context) -> int:
    """Hold the money that has become free."""
    with context.store.write() as work:
        return top_up(context, work, Books(context, work))


def give_up(context: Context, name: str, cents: int | None) -> Commitment:
    """Release some of a proposal's money."""
    left = release_commitment(context, f"prop_{name}", cents=cents, why="Done.")
    assert isinstance(left, Commitment)
    return left


def test_a_passed_proposal_holds_free_money_and_queues_the_rest(context: Context) -> None:
    """Passed proposals get the free money, and later income, in order of decision."""
    pass_proposal(context, 6000, "first")
    pass_proposal(context, 5000, "second")
    assert (of(context, "first").held, of(context, "second").held) == (6000, 2000)
    assert (funds(context)[Fund.PROJECTS], funds(context)[Fund.COMMITTED]) == (0, 8000)
    assert run_top_up(context) == 0

    give(context, 5000, "2")
    assert run_top_up(context) == 3000

    assert of(context, "second") == Commitment("prop_second", 5000, held=5000)
    assert funds(context)[Fund.PROJECTS] == 1000
    assert money_findings(context) == []


def test_earlier_proposals_get_money_first(context: Context) -> None:
    """A new vote takes nothing from an older one that still waits."""
    pass_proposal(context, 9000, "first")
    give(context, 1000, "2")
    pass_proposal(context, 500, "second")

    assert (of(context, "first").held, of(context, "second").held) == (8800, 0)


def test_released_money_is_not_held_again(context: Context) -> None:
    """A part can be released, then all the rest, including the queued amount."""
    pass_proposal(context, 9000, "first")

    assert give_up(context, "first", 1000) == Commitment(
        "prop_first", 9000, held=7000, released=1000
    )
    assert run_top_up(context) == 1000  # the money is free again, and the queued part still waits
    assert give_up(context, "first", None) == Commitment("prop_first", 9000, released=9000)
    assert give_up(context, "first", None) == Commitment("prop_first", 9000, released=9000)
    assert run_top_up(context) == 0
    assert money_findings(context) == []
    with pytest.raises(FundOverdrawn, match=r"\$0.00 is held"):
        give_up(context, "first", 1)
    with pytest.raises(InvalidInput, match="needs a reason"):
        release_commitment(context, "prop_first", cents=None, why=" ")
    with context.store.read() as work:
        acts = [row.action for row in work.operations.audit()]
    assert acts.count("proposals.release") == 3


def test_nothing_was_promised_to_a_proposal_that_has_not_passed(context: Context) -> None:
    """Only a passed proposal has money."""
    with pytest.raises(NotFound, match="prop_lost"):
        give_up(context, "lost", None)


def test_a_release_comes_from_the_accounts_where_the_money_is_held(context: Context) -> None:
    """Money held at Stripe is released at Stripe, even if the projects' money is at the bank."""
    pass_proposal(context, 8000, "wells")  # everything at Stripe
    with context.store.write() as work:
        Books(context, work).post(
            JournalEntry(
                day=context.today(),
                kind=EntryKind.GRANT,
                description="Grant",
                postings=(
                    Posting(BANK, Fund.PROJECTS, 5000),
                    Posting("income:grants", Fund.PROJECTS, -5000),
                ),
            )
        )

    give_up(context, "wells", 3000)

    assert cells(context, Fund.COMMITTED) == {STRIPE: 5000}
    assert cells(context, Fund.PROJECTS) == {BANK: 5000, STRIPE: 3000}
    assert money_findings(context) == []


def cells(context: Context, fund: Fund) -> dict[str, int]:
    """Return what a fund has on each asset account."""
    with context.store.read() as work:
        return {account: cents for account, cents in asset_cells(work, fund).items() if cents}
