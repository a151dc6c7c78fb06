"""Refunds in the Payments file and in the balance are the same money, booked once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.payment_state import (
    is_covered_refund,
    remaining_refund,
    require_same_amount,
)
from jara.domain.errors import DuplicateEntry
from tests.rows import a_row


def cumulated(cents: int, line: int = 9) -> dict[str, object]:
    """Describe a refund of the Payments file in the fields that matter."""
    return {"cumulative": cents, "charge_id": "ch_1", "line": line, "txn_id": None}


@pytest.mark.parametrize(
    ("booked", "cents", "missing"),
    [
        ([], 400, 400),
        ([100], 400, 300),
        ([100, 300], 400, None),
        ([100, 300], 100, None),
        ([400, -400], 400, None),
        ([400, -400, 150], 400, None),
        ([400, -400], 500, 500),
        ([], 0, None),
    ],
)
def test_only_what_is_missing_is_booked(booked: list[int], cents: int, missing: int | None) -> None:
    """Only the rest of a cumulated sum is booked; a sum already in the books yields nothing."""
    row = a_row("refund", -cents, **cumulated(cents))

    rest = remaining_refund(row, booked)

    assert missing == (None if rest is None else -rest.amount)
    if rest is not None:
        assert (rest.net, rest.fee, rest.cumulative) == (rest.amount, 0, cents)


def test_a_sum_that_never_stood_is_a_mismatch() -> None:
    """A sum below the refunds in the books is rejected by line, with both amounts."""
    row = a_row("refund", -250, **cumulated(250))
    with pytest.raises(DuplicateEntry, match=r"line 9: ch_1 shows \$2.50 .*\$4.00 is in the books"):
        remaining_refund(row, [100, 300])


def test_a_row_without_cumulated_sum_has_nothing_left() -> None:
    """A row without a cumulated sum refunds nothing."""
    assert remaining_refund(a_row("refund", -5), []) is None


@pytest.mark.parametrize(
    ("matched", "amount", "expected"), [(0, -100, True), (100, -300, True), (400, -50, False)]
)
def test_a_balance_refund_is_matched_with_the_file(
    matched: int, amount: int, expected: bool
) -> None:
    """Balance refunds are covered until they reach the cumulated sum; later ones are new."""
    row = a_row("refund", amount, charge_id="ch_1")

    assert expected is is_covered_refund(row, cumulated_cents=400, matched_cents=matched)


def test_a_refund_that_straddles_the_sum_is_a_mismatch() -> None:
    """A balance refund larger than what is left of the file's sum is rejected."""
    row = a_row("refund", -200, charge_id="ch_1", line=2)
    with pytest.raises(DuplicateEntry, match=r"line 2: a refund of \$2.00 .* \$1.00 is left"):
        is_covered_refund(row, cumulated_cents=400, matched_cents=300)


def test_a_movement_booked_before_must_have_the_same_amounts() -> None:
    """The same charge with another amount or net is rejected instead of booked again."""
    row = a_row("charge", 1000, 59)
    require_same_amount(row, amount=1000, net=941)
    with pytest.raises(DuplicateEntry, match=r"src_1 is booked with \$10.00 gross and \$9.40 net"):
        require_same_amount(row, amount=1000, net=940)


@given(refunds=st.lists(st.integers(1, 500), min_size=1, max_size=6), data=st.data())
def test_matching_law_both_directions_give_the_same_sum(
    refunds: list[int], data: st.DataObject
) -> None:
    """In any mixture of file and balance, the books refund the sum once."""
    seen = data.draw(st.integers(0, len(refunds)))
    booked = refunds[:seen]
    row = a_row("refund", -1, **cumulated(sum(refunds)))
    rest = remaining_refund(row, booked)
    from_file = -rest.amount if rest else 0
    matched = 0
    for cents in refunds[seen:]:
        late = a_row("refund", -cents, charge_id="ch_1")
        assert is_covered_refund(late, cumulated_cents=from_file, matched_cents=matched)
        matched += cents

    assert sum(refunds) == sum(booked) + from_file == sum(booked) + matched
