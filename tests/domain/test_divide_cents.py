"""Dividing an amount by weights."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from jara.domain.money import divide_cents

WEIGHTS = st.lists(st.integers(0, 10**9), min_size=1, max_size=40).filter(any)


@given(st.integers(0, 10**9), WEIGHTS)
def test_the_parts_are_the_amount_each_within_a_cent(cents: int, weights: list[int]) -> None:
    """Nothing is lost, nothing is added, and nothing without weight gets anything."""
    parts = divide_cents(cents, weights)

    assert sum(parts) == cents
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - Fraction(cents * weight, sum(weights))) < 1
        assert weight or not part


def test_the_cents_that_are_left_go_to_the_largest_remainders_ties_to_the_earlier() -> None:
    """A third of a dollar three times."""
    assert divide_cents(100, [1, 1, 1]) == [34, 33, 33]
    assert divide_cents(10, [0, 29, 11]) == [0, 7, 3]
