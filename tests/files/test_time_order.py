"""Movements in order of time, in bounded memory."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.books.provider_row import ProviderRow, RowCategory
from jara.files.stripe.reader import in_time_order

START = datetime(2026, 1, 1, tzinfo=UTC)


def row(minutes: int, category: RowCategory = RowCategory.CHARGE, name: str = "t") -> ProviderRow:
    """Return a row at a time."""
    return ProviderRow(
        created=START + timedelta(minutes=minutes),
        category=category,
        amount=1,
        fee=0,
        net=1,
        txn_id=name,
    )


@given(
    st.lists(st.tuples(st.integers(0, 50), st.sampled_from(RowCategory)), max_size=40),
    st.integers(min_value=1, max_value=10),
    st.randoms(use_true_random=False),
)
def test_any_order_and_any_run_size_give_one_order(
    facts: list[tuple[int, RowCategory]], run_rows: int, dice: random.Random
) -> None:
    """The order of the file and the size of the sorted runs do not matter."""
    rows = [row(at, category, f"t{n}") for n, (at, category) in enumerate(facts)]
    mixed = list(rows)
    dice.shuffle(mixed)

    ordered = list(in_time_order(mixed, run_rows=run_rows))

    assert list(in_time_order(rows)) == ordered
    assert sorted(r.created for r in rows) == [r.created for r in ordered]


def test_charge_comes_before_its_refund_of_the_same_minute() -> None:
    """The Dashboard gives only minutes, but a refund still comes after its charge."""
    rows = [row(0, RowCategory.PAYOUT, "a"), row(0, RowCategory.REFUND, "b"), row(0, name="c")]

    assert [r.txn_id for r in in_time_order(rows)] == ["c", "b", "a"]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 9])
def test_no_row_is_lost_at_the_edge_of_a_run(count: int) -> None:
    """Every row comes back once, from full and partial runs."""
    rows = [row(count - n, name=f"t{n}") for n in range(count)]

    assert list(reversed(rows)) == list(in_time_order(rows, run_rows=4))
