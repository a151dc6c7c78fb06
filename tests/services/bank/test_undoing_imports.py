"""Undoing the import of a bank statement: its entries are reversed and its lines ignored."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from jara.domain.bank.booking import Part
from jara.domain.bank.rules import Direction, Rule
from jara.domain.books.account import BANK, Fund
from jara.domain.books.spending import Spending, spending_entry
from jara.domain.errors import Conflict, NotFound
from jara.records.operations import Approval
from jara.services.bank.answering import add_rule, book_line, list_waiting
from jara.services.books.bookkeeping import post_entry, reverse_entry
from jara.services.context import Context
from jara.services.operations.import_undo import ImportLine, find_import, list_imports, undo_import
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import clock_of, make_organisation
from tests.places import NewPlace
from tests.services.bank.bank_books import compared, open_with, take, waiting
from tests.services.books.ledger_builders import money_findings


@pytest.fixture
def context(new_place: NewPlace) -> Iterator[Context]:
    """An organisation with $500 at the bank and a rule for fees, at the end of May."""
    context = make_organisation(new_place())
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    open_with(context, 50_000)
    add_rule(
        context, Rule("fees", Direction.OUT, "expenses:fees:bank", contains="BANK FEE", why="Fee")
    )
    yield context
    context.store.close()


def newest(context: Context) -> ImportLine:
    """Return the newest import."""
    return list_imports(context)[0]


def test_an_undone_statement_leaves_no_trace_in_balances(context: Context) -> None:
    """Its entries are reversed, its lines no longer wait, and the day reconciles as before."""
    take(context, a_statement(a_line(-700, "BANK FEE"), a_line(1000, "ADA"), opening=50_000))
    done = newest(context)
    undone = undo_import(context, done.id[:8], why="the wrong bank")

    assert (done.file, done.lines, done.posted, done.undone) == ("may.xml", 2, 1, False)
    assert not isinstance(undone, Approval)
    assert (undone.reversed, undone.skipped) == (1, 0)
    assert waiting(context) == []
    assert (newest(context).lines, newest(context).undone) == (0, True)
    assert money_findings(context) == []


def test_every_month_compares_as_without_the_statement(context: Context) -> None:
    """Reversals are dated like their entries, so past months still reconcile afterwards."""
    statement = a_statement(a_line(-700, "BANK FEE", day=4), opening=50_000)
    outcome = take(context, statement)
    clock_of(context).at = clock_of(context).at.replace(month=9, day=1)
    undo_import(context, outcome.id, why="again")
    take(context, statement)

    assert compared(context).difference_cents == 0


def test_the_same_file_can_be_imported_again(context: Context) -> None:
    """Each line is new again, and known after the second import."""
    statement = a_statement(a_line(-700, "BANK FEE"), a_line(1000, "ADA"), opening=50_000)
    for _ in range(2):
        outcome = take(context, statement)
        assert (outcome.added, outcome.settled.by_rule, outcome.settled.waiting) == (2, 1, 1)
        assert take(context, statement).added == 0
        undo_import(context, outcome.id, why="again")
    outcome = take(context, statement)

    assert (outcome.added, len(waiting(context))) == (2, 1)
    assert compared(context).difference_cents == 1000
    assert money_findings(context) == []


def test_later_statements_go_first(context: Context) -> None:
    """A later import must be undone first, since it skipped lines of the earlier one."""
    fee = a_line(-700, "BANK FEE", day=4)
    one = take(context, a_statement(fee, opening=50_000, last=date(2026, 5, 4))).id
    both = a_statement(fee, a_line(1000, "ADA", day=5), opening=50_000)
    two = take(context, both).id

    with pytest.raises(Conflict, match=f"{two} brought later lines of this account; undo it first"):
        undo_import(context, one, why="wrong")
    undo_import(context, two, why="wrong")
    undo_import(context, one, why="wrong")
    assert waiting(context) == []
    with pytest.raises(Conflict, match=f"Every entry of {one} is already reversed"):
        undo_import(context, one, why="wrong")
    assert take(context, both).added == 2


def test_a_matched_entry_waits_for_its_line_again(context: Context) -> None:
    """An entry older than the statement is not reversed, and can match the line again."""
    spending = Spending("expenses:operations", Fund.OTHER, 900, note="Asked for")
    posted = post_entry(context, spending_entry(date(2026, 5, 4), spending, available_cents=900))
    assert not isinstance(posted, Approval)
    statement = a_statement(a_line(-900, "RENT", day=4), opening=50_000)
    first = take(context, statement)
    undo_import(context, first.id, why="the wrong month")

    again = take(context, statement)
    assert (again.settled.by_entry, again.settled.matched) == (1, 1)
    with context.store.read() as work:
        assert work.journal.reversal_of(posted.index) is None
        known = work.bank.lines_of(posted.index)
    assert [(line.line.text, undone) for line, undone in known] == [("RENT", True), ("RENT", False)]
    assert len({line.id for line, _ in known}) == 2
    assert compared(context).difference_cents == 0


def test_undoing_an_import_reverses_later_bookings_of_its_lines(context: Context) -> None:
    """Entries booked later from the lines, by hand or by a new rule, are reversed too."""
    lines = [a_line(-900, "RENT"), a_line(-300, "PHONE"), a_line(-700, "BANK FEE")]
    first = take(context, a_statement(*lines, opening=50_000))
    rent = next(line for line in list_waiting(context) if line.line.text == "RENT")
    for _ in range(2):
        posted = book_line(
            context, rent.id, [Part("expenses:fees:bank", None, None)], why="Asked for"
        )
        reverse_entry(context, posted.id, why="another account")
    book_line(context, rent.id, [Part("expenses:operations", None, None)], why="Asked for")
    add_rule(
        context, Rule("phone", Direction.OUT, "expenses:fees:bank", contains="PHONE", why="Fee")
    )
    before = newest(context)
    undone = undo_import(context, first.id, why="the wrong bank")

    assert (before.posted, before.left, before.cents) == (5, 3, 1900)
    assert not isinstance(undone, Approval)
    assert (undone.reversed, undone.skipped) == (3, 2)
    assert (newest(context).posted, newest(context).left) == (5, 0)
    with context.store.read() as work:
        assert sum(row.cents for row in work.journal.balances(accounts=(BANK,))) == 50_000
    assert money_findings(context) == []


def test_a_reversal_is_matched_with_the_valid_line(context: Context) -> None:
    """The bank's reversal is matched with the valid line and not with the undone one."""
    fee = a_line(-700, "BANK FEE", day=4)
    statement = a_statement(fee, opening=50_000, last=date(2026, 5, 4))
    undo_import(context, take(context, statement).id, why="again")
    take(context, statement)
    back = replace(a_line(700, "BANK FEE", day=6), is_reversal=True)
    both = a_statement(fee, back, opening=50_000)

    assert take(context, both).settled.by_reversal == 1


def test_an_undone_line_is_not_found_by_its_id(context: Context) -> None:
    """An undone line is not found by its id."""
    outcome = take(context, a_statement(a_line(1000, "ADA"), opening=50_000))
    (line,) = list_waiting(context)
    undo_import(context, outcome.id, why="again")

    with pytest.raises(NotFound, match=line.id):
        book_line(context, line.id, [Part("expenses:fees:bank", None, None)], why="Asked for")
    with pytest.raises(NotFound, match="There is no import"):
        find_import(context, "imp_none")
