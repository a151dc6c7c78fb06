"""Contributions, and what of them gives a right to vote."""

from __future__ import annotations

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.giving.contribution import (
    ContributionTotal,
    has_qualifying,
    total_contributions,
)
from tests.domain.giving.giving_builders import a_contribution


@pytest.mark.parametrize(
    ("changes", "qualifies", "kept"),
    [
        ({}, True, 1000),
        ({"refunded_cents": 999}, True, 1),
        ({"refunded_cents": 1000}, False, 0),
        ({"dispute_open": True, "disputed_cents": 1000}, False, 0),
        ({"dispute_lost": True, "disputed_cents": 400}, False, 600),
        ({"refunded_cents": 600, "disputed_cents": 1000, "dispute_open": True}, False, 0),
    ],
)
def test_contribution_qualifies_while_some_is_kept_and_undisputed(
    changes: dict[str, object], qualifies: bool, kept: int
) -> None:
    """A refund of all, or a dispute open or lost, takes the right to vote (money §9)."""
    contribution = a_contribution(**changes)

    assert (qualifies, kept) == (contribution.qualifies, contribution.kept_cents)


@pytest.mark.parametrize("cents", [0, -1])
def test_contribution_is_more_than_nothing(cents: int) -> None:
    """An invoice of $0 is no contribution (money §3)."""
    with pytest.raises(InvalidInput, match=r"more than \$0.00"):
        a_contribution(cents=cents)


@pytest.mark.parametrize("field", ["refunded_cents", "disputed_cents"])
@pytest.mark.parametrize("cents", [-1, 1001])
def test_no_more_is_given_back_than_was_received(field: str, cents: int) -> None:
    """Refunds and disputes stay within the payment."""
    with pytest.raises(InvalidInput, match="cannot be"):
        a_contribution(**{field: cents})


def test_total_counts_what_qualifies_and_adds_what_was_kept() -> None:
    """The figure of the site leaves out what was wholly refunded (money §9)."""
    contributions = [
        a_contribution(),
        a_contribution(refunded_cents=300),
        a_contribution(refunded_cents=1000),
    ]

    assert total_contributions(contributions) == ContributionTotal(count=2, cents=1700)
    assert has_qualifying(contributions)
    assert not has_qualifying(contributions[2:])
