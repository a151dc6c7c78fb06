"""Payments in another currency: both amounts are stored, and both add up."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.documents import to_document
from jara.domain.books.foreign import (
    ForeignSum,
    describe_foreign,
    foreign_payment,
    public_amount,
    sum_foreign,
)
from jara.domain.books.journal import Foreign
from jara.domain.currency import format_minor
from jara.domain.errors import InvalidInput

SLIP = "bank slip 1182"


def test_the_rate_follows_from_both_amounts() -> None:
    """The rate is computed from the amount received and its cost."""
    made = foreign_payment("KES 464,400", cents=360_000, source=f"  {SLIP} ", receipt="ab" * 32)

    assert made == Foreign("KES", 46_440_000, "129.00", SLIP, "ab" * 32)
    assert describe_foreign(made, 360_000) == "KES 464,400 at 129.00"
    assert describe_foreign(made, -360_000) == "-KES 464,400 at 129.00"


@pytest.mark.parametrize(
    ("source", "cents", "words"),
    [
        (None, 100, "'KES 5' needs the source of its rate"),
        ("  ", 100, "'KES 5' needs the source of its rate"),
        ("x" * 121, 100, "has 121 characters; the maximum is 120"),
        (SLIP, 0, "KES 5 for $0.00 has no rate"),
    ],
)
def test_a_rate_needs_a_source_and_a_cost(source: str | None, cents: int, words: str) -> None:
    """The message names the value and the rule."""
    with pytest.raises(InvalidInput, match=re.escape(words)):
        foreign_payment("KES 5", cents=cents, source=source)


def test_everybody_sees_the_amount_and_nobody_the_words() -> None:
    """The source of the rate, an operator's text, is not published; the receipt's hash is."""
    made = foreign_payment("KES 464,400", cents=360_000, source=SLIP, receipt="ab" * 32)
    plain = foreign_payment("KES 464,400", cents=360_000, source=SLIP)

    amount = {
        "currency": "KES",
        "amountMinor": -46_440_000,
        "text": "-KES 464,400",
        "rate": "129.00",
    }
    assert to_document(public_amount(made, -360_000)) == {**amount, "receipt": "ab" * 32}
    assert to_document(public_amount(plain, -360_000)) == amount


foreigns = st.builds(
    Foreign, st.sampled_from(["KES", "XOF", "EUR"]), st.integers(1, 10**9), st.just("1.00")
)
payments = st.lists(
    st.tuples(st.none() | foreigns, st.integers(-(10**9), 10**9).filter(bool)), max_size=12
)


@given(payments)
def test_sums_equal_their_parts_in_both_currencies(parts: list[tuple[Foreign | None, int]]) -> None:
    """Returned money reduces the sums; payments in dollars are left out."""
    sums = sum_foreign(parts)

    expected = []
    for currency in ("EUR", "KES", "XOF"):
        own = [(f, cents) for f, cents in parts if f is not None and f.currency == currency]
        minor = sum(f.amount_minor if cents > 0 else -f.amount_minor for f, cents in own)
        total = ForeignSum(currency, minor, sum(cents for _, cents in own))
        if minor or total.cents:
            expected.append(total)
    assert list(sums) == expected
    assert [format_minor(s.currency, s.amount_minor) for s in sums] == [
        to_document(total)["text"] for total in sums
    ]


@given(st.lists(st.tuples(st.integers(1, 10**7), st.integers(1, 10**9)), min_size=1, max_size=8))
def test_a_payment_and_its_reversal_come_to_nothing(rows: list[tuple[int, int]]) -> None:
    """A payment and its reversal cancel out in both currencies."""
    paid = [(Foreign("KES", minor, "1.00"), cents) for minor, cents in rows]
    sums = sum_foreign([*paid, *((foreign, -cents) for foreign, cents in paid)])

    assert sums == ()
