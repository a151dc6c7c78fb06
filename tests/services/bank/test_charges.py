"""Charges that the bank takes off a line: gifts stand in full, the charge is an expense."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.bank.booking import Part
from jara.domain.books.account import FEES, Fund
from jara.domain.errors import InvalidInput
from jara.domain.giving.pledge import PledgeState
from jara.services.bank.answering import book_line, list_waiting, match_with_entries
from jara.services.context import Context
from jara.services.operations.import_undo import undo_import
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.services.bank.bank_books import compared, open_with, take
from tests.services.bank.test_contributions import pledge_of, promised, ready
from tests.services.bank.test_settling import spend
from tests.services.books.ledger_builders import all_entries, money_findings


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation that accepts transfers, at the end of May."""
    return ready(place)


def fees(context: Context) -> int:
    """Return what the books have in charges."""
    postings = [p for posted in all_entries(context) for p in posted.postings]
    return sum(p.cents for p in postings if p.account == FEES)


def test_a_charge_leaves_the_contribution_whole(context: Context) -> None:
    """A member who gave 10.00 has paid the month, although 9.41 arrived."""
    reference = promised(context, "ada")
    statement = a_statement(a_line(941, reference, day=4, fee_cents=59))
    outcome = take(context, statement)

    assert (outcome.settled.by_member, outcome.settled.waiting) == (1, 0)
    assert pledge_of(context, "ada").state is PledgeState.ACTIVE
    assert fees(context) == 59
    assert compared(context).difference_cents == 0
    assert money_findings(context) == []


def test_an_undone_import_takes_its_charges_back(context: Context) -> None:
    """The same file can be imported again, with its charges once."""
    statement = a_statement(a_line(941, promised(context, "ada"), day=4, fee_cents=59))
    outcome = take(context, statement)

    undo_import(context, outcome.id, why="wrong file")
    assert fees(context) == 0
    take(context, statement)
    assert fees(context) == 59
    assert compared(context).difference_cents == 0


def test_a_return_with_a_charge_refunds_the_gift(context: Context) -> None:
    """The bank takes its charge with the money that it returns."""
    reference = promised(context, "ada")
    lines = [
        a_line(1000, reference, day=4),
        a_line(-1300, f"RETURN {reference}", day=6, is_reversal=True, fee_cents=300),
    ]
    settled = take(context, a_statement(*lines)).settled

    assert (settled.by_member, settled.waiting) == (2, 0)
    assert pledge_of(context, "ada").state is not PledgeState.ACTIVE
    assert fees(context) == 300
    assert compared(context).difference_cents == 0


@pytest.mark.parametrize(
    "parts",
    [
        [Part("expenses:operations")],
        [Part("expenses:operations", None, 4000)],
        [Part("expenses:operations", None, 4000), Part(FEES, Fund.OTHER, 40)],
    ],
)
def test_a_line_that_is_booked_by_hand_has_its_charge_once(
    context: Context, parts: list[Part]
) -> None:
    """The parts are those of the amount without the charge, or of all of it."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-4040, "HOST", day=4, fee_cents=40), opening=10_000))
    (line,) = list_waiting(context)

    book_line(context, line.id, parts, why="Asked for")

    assert fees(context) == 40
    assert compared(context).difference_cents == 0


def test_a_line_that_is_matched_by_hand_has_its_charge(context: Context) -> None:
    """The entry has the amount without the charge."""
    open_with(context, 10_000)
    take(context, a_statement(a_line(-4040, "HOST", day=4, fee_cents=40), opening=10_000))
    (line,) = list_waiting(context)

    match_with_entries(context, line.id, [spend(context, 4000).id])

    assert fees(context) == 40
    assert compared(context).difference_cents == 0


def test_rebuilt_books_have_each_charge_once(context: Context) -> None:
    """An entry names its line, and so does its charge: the file books neither again."""
    statement = a_statement(a_line(941, promised(context, "ada"), day=4, fee_cents=59))
    take(context, statement)
    with context.store.write() as work:
        work.sql.run("DELETE FROM bank_matches")
        work.sql.run("DELETE FROM bank_lines")

    assert take(context, statement).settled.by_entry == 1
    assert fees(context) == 59
    assert compared(context).difference_cents == 0


def test_a_line_that_the_bank_takes_back_must_not_be_stored(context: Context) -> None:
    """An earlier file brought it: its payment would stand for ever."""
    reference = promised(context, "ada")
    first = a_statement(a_line(1000, reference, day=4, bank_ref="F1"), last=date(2026, 5, 10))
    take(context, first)

    second = a_statement(a_line(-500, "HOST", day=12), opening=None)
    with pytest.raises(InvalidInput, match="The bank corrects the line"):
        take(context, second._replace(corrected=("F1",)))
