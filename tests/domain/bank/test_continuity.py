"""The balances of statements follow from their lines."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.bank.continuity import RunningBalance, Span
from jara.domain.errors import InvalidInput

DAYS = [date(2026, 5, day) for day in range(1, 31)]


@given(st.lists(st.integers(-500, 500), min_size=30, max_size=30), st.sets(st.integers(1, 29)))
def test_consecutive_statements_follow(sums: list[int], cuts: set[int]) -> None:
    """However a month is cut into statements, each opens with the closing balance of the last."""
    places = [0, *sorted(cuts), 30]
    spans = [
        Span(DAYS[a], DAYS[b - 1], 1000 + sum(sums[:a]), 1000 + sum(sums[:b]))
        for a, b in pairwise(places)
    ]
    running = RunningBalance(spans, dict(zip(DAYS, sums, strict=True)))

    running.require_follows()
    assert running.before(DAYS[0]) == 1000
    assert running.after(DAYS[-1]) == 1000 + sum(sums)


@pytest.mark.parametrize(
    ("span", "message"),
    [
        (Span(DAYS[10], DAYS[19], 1101, 1300), "begins with \\$11.01.*\\$11.00"),
        (Span(DAYS[10], DAYS[19], 1100, 1300), "ends with \\$13.00.*\\$12.00"),
        (Span(DAYS[10], DAYS[19], None, 1300), "ends with"),
    ],
)
def test_a_gap_is_named(span: Span, message: str) -> None:
    """A missing line shows in the balance before or after it."""
    first = Span(DAYS[0], DAYS[9], 1000, 1100)
    running = RunningBalance([first, span], {DAYS[4]: 100, DAYS[14]: 100})

    with pytest.raises(InvalidInput, match=message):
        running.require_follows()


def test_a_statement_may_end_within_a_day() -> None:
    """The next statement starts with its balance, on the same day."""
    spans = [Span(DAYS[0], DAYS[4], 0, 100), Span(DAYS[4], DAYS[6], 100, 350)]
    running = RunningBalance(spans, {DAYS[4]: 300, DAYS[6]: 50})

    running.require_follows()
    assert running.after(DAYS[4]) == 300


def test_a_closing_balance_alone_says_where_to_count_from() -> None:
    """Without an opening balance, the closing balance gives the starting point."""
    running = RunningBalance([Span(DAYS[0], DAYS[9], None, 500)], {DAYS[4]: 100})

    assert (running.before(DAYS[0]), running.after(DAYS[9])) == (400, 500)


def test_without_any_balance_none_is_known() -> None:
    """A balance that no statement gives is unknown."""
    running = RunningBalance([Span(DAYS[0], DAYS[9], None, None)], {DAYS[4]: 100})

    running.require_follows()
    assert (running.before(DAYS[0]), running.after(DAYS[9])) == (None, None)
