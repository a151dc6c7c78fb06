"""Reversals by the bank, which are booked if they undo an expense, and those in the books."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.bank.matching import NOTHING_FITS
from jara.domain.bank.rules import Direction
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Conflict
from jara.services.bank.answering import add_rule, list_waiting, match_with_entries, remove_rule
from jara.services.books.bookkeeping import reverse_entry
from jara.services.context import Context, Rules
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import make_organisation
from tests.rows import as_written
from tests.services.bank.bank_books import compared, open_with, take, waiting
from tests.services.bank.test_settling import a_rule, spend
from tests.services.books.ledger_builders import all_entries


def test_a_reversal_by_the_bank_undoes_an_expense(context: Context) -> None:
    """The bank's reversal of a booked line returns the cost to its fund."""
    open_with(context, 10_000)
    add_rule(context, a_rule())
    fee = a_line(-500, "HOSTING", day=3)
    back = a_line(500, "HOSTING", day=5, is_reversal=True)
    settled = take(context, a_statement(fee, back, opening=10_000)).settled
    entries = all_entries(context)

    assert (settled.by_rule, settled.by_reversal, settled.waiting) == (1, 1, 0)
    assert as_written(entries[-1]) == "expenses:operations o -500 · assets:bank o +500"
    assert entries[-1].of is not None
    assert compared(context).difference_cents == 0


def test_a_reversal_never_passes_the_limit_for_approval(place: Path) -> None:
    """The bank takes back a large sum that came in for a cost: the line waits for a signature."""
    context = make_organisation(place, rules=Rules(approval_cents=5000))
    with context.store.write() as work:
        work.meta.put("seen", "1")
    add_rule(context, a_rule(direction=Direction.IN))
    paid_back = a_line(6000, "HOSTING", day=3)
    again = a_line(-6000, "HOSTING", day=5, is_reversal=True)
    settled = take(context, a_statement(paid_back, again)).settled
    ((cents, reason),) = waiting(context)

    assert (settled.by_rule, settled.by_reversal, cents) == (1, 0, -6000)
    assert "It spends $60.00, which needs another operator's approval" in reason


def test_a_second_reversal_of_one_line_waits(context: Context) -> None:
    """A second reversal waits, since the cost cannot be returned twice."""
    open_with(context, 10_000)
    add_rule(context, a_rule())
    lines = [a_line(-500, "HOSTING", day=3), *(
        a_line(500, "HOSTING", day=day, is_reversal=True) for day in (5, 6)
    )]  # fmt: skip
    first = a_statement(*lines[:2], opening=10_000, last=date(2026, 5, 5))
    take(context, first)
    take(context, a_statement(*lines, opening=10_000))

    assert [cents for cents, _ in waiting(context)] == [500]


def test_a_reversal_of_something_else_waits(context: Context) -> None:
    """Reversals of a gift, of a manual entry or of a reversed entry wait for a person."""
    open_with(context, 10_000)
    add_rule(context, a_rule("donate", id="rule_g", direction=Direction.IN, account="income:gifts"))
    add_rule(context, a_rule())
    spend(context, 700, day=2)
    lines = [
        a_line(300, "DONATE", day=2),
        a_line(-300, "DONATE", day=3, is_reversal=True),
        a_line(-700, "BY HAND", day=2),
        a_line(700, "BY HAND", day=3, is_reversal=True),
        a_line(-500, "HOSTING", day=2),
        a_line(500, "HOSTING", day=6, is_reversal=True),
    ]
    take(context, a_statement(*lines[:-1], opening=10_000, last=date(2026, 5, 5)))
    hosting = next(e for e in all_entries(context) if e.source == "bank" and e.kind == "expense")
    with context.store.read() as work:
        index = work.journal.known_external_ids([hosting.external_id or ""])
        posted = work.journal.get(next(iter(index.values())))
    reverse_entry(context, posted.id, why="wrong", day=date(2026, 5, 3))
    remove_rule(context, "rule_1")
    take(context, a_statement(*lines, opening=10_000))

    reason = "The bank reversed a line; match it by hand."
    assert sorted(waiting(context)) == [
        (-500, NOTHING_FITS),
        (-300, reason),
        (500, reason),
        (700, reason),
    ]
    compared(context)


def test_a_reversed_entry_takes_no_line(context: Context) -> None:
    """Neither a reversed entry nor its reversal can be matched with a line."""
    open_with(context, 10_000)
    wrong = spend(context, 1000, day=1)
    undone = reverse_entry(context, wrong.id, why="twice", day=date(2026, 5, 1))
    assert isinstance(undone, PostedEntry)
    take(context, a_statement(a_line(-1000, "A"), a_line(1000, "B", line=2), opening=10_000))
    out, back = list_waiting(context)

    for line, entry in ((out, wrong), (back, undone)):
        with pytest.raises(Conflict, match=f"{entry.id} is matched already, is reversed"):
            match_with_entries(context, line.id, [entry.id])
