"""Deciding which lines of a statement are new."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.identity import KnownLine
from jara.domain.bank.statement import (
    StatementLine,
    account_number,
)
from jara.domain.errors import InvalidInput
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.domain.bank.stored_account import StoredAccount

LINES = st.builds(
    a_line,
    st.sampled_from([1000, -1000, 2500]),
    st.sampled_from(["GIFT ADA", "Gift, Ada", "RENT", ""]),
    day=st.integers(1, 3),
    bank_ref=st.sampled_from(["", "NONREF", "B1", "B2"]),
)


def kept(lines: list[StatementLine], form: str = "camt.053", *known: KnownLine) -> list[KnownLine]:
    """Return the stored lines after importing a statement without balances of the whole month."""
    account = StoredAccount(known=list(known))
    account.take(a_statement(*lines, opening=None, first=date(2026, 4, 30), form=form))
    return account.known


@given(st.lists(LINES, max_size=12), st.sampled_from(["camt.053", "mt940"]))
def test_the_same_statement_twice_adds_nothing(lines: list[StatementLine], form: str) -> None:
    """Importing the same statement again adds nothing, in its own format or in another."""
    once = kept(lines)

    assert kept(lines, form, *once) == once
    assert len(lines) == len({one.id for one in once})


@given(st.lists(LINES, max_size=12), st.data())
def test_overlapping_statements_keep_each_line_once(
    lines: list[StatementLine], data: st.DataObject
) -> None:
    """Whatever days the first statement covers, the second adds the missing lines."""
    days = data.draw(st.sets(st.integers(1, 3)))
    first = [line for line in lines if line.day.day in days]

    assert len(lines) == len(kept(lines, "camt.053", *kept(first)))


def test_equal_lines_of_one_day_are_two() -> None:
    """Two equal payments of one member on one day are distinguished by their number."""
    one = kept([a_line(1000, "GIFT ADA")])
    two = kept([a_line(1000, "GIFT ADA"), a_line(1000, "GIFT ADA")], "camt.053", *one)

    assert len(two) == 2
    assert one == two[:1]


def test_a_line_with_another_reference_is_counted() -> None:
    """A file with the whole day has as many lines as before, or more: those are new."""
    one = kept([a_line(1000, "GIFT", bank_ref="B1")])
    lines = [a_line(1000, "GIFT", bank_ref=f"B{n}") for n in (2, 3)]

    assert kept(lines[:1], "camt.053", *one) == one
    assert len(kept(lines, "camt.053", *one)) == 2


def test_another_format_is_paired_by_its_text_first() -> None:
    """A truncated text is paired with the line whose text starts with it."""
    known = kept([a_line(1000, "GIFT ADA EXAMPLE"), a_line(1000, "GIFT BO EXAMPLE")])

    assert kept([a_line(1000, "Gift Bo")], "mt940", *known) == known
    assert len(kept([a_line(1000, f"gift {n}") for n in "abc"], "mt940", *known)) == 3


@pytest.mark.parametrize("text", ["", " / ", "9" * 65])
def test_an_account_number_has_letters_or_digits(text: str) -> None:
    """A text without letters and digits is not an account number."""
    with pytest.raises(InvalidInput, match="account number"):
        account_number(text)


def test_texts_are_plain_and_short() -> None:
    """Texts are stored without control characters and with a limited length."""
    line = a_line(5, "A\0B\x1b[31m\n", party="P" * 5000)

    assert (line.text, len(line.party)) == ("A B [31m", 1000)
