"""References of pledges paid without a card, and the ways to pay."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import (
    ALPHABET,
    PaymentWay,
    ends_of_months,
    make_reference,
    parse_reference,
    print_reference,
    references_in,
)

REFERENCES = st.binary(min_size=6, max_size=6).map(make_reference)


@pytest.mark.parametrize(
    ("days", "ends"),
    [
        (["2026-01-31", "2026-02-28", "2026-03-31"], ["2026-02-28", "2026-03-31", "2026-04-30"]),
        (["2026-01-31", "2026-02-10", "2026-02-20"], ["2026-02-28", "2026-03-31", "2026-04-30"]),
        (["2027-11-30", "2027-12-30", "2028-01-30"], ["2027-12-30", "2028-01-30", "2028-02-29"]),
        (["2028-01-30", "2028-02-29", "2028-03-30"], ["2028-02-29", "2028-03-30", "2028-04-30"]),
        (["2026-01-31", "2026-03-01", "2026-04-01"], ["2026-02-28", "2026-04-01", "2026-05-01"]),
    ],
)
def test_a_short_month_does_not_move_the_day(days: list[str], ends: list[str]) -> None:
    """Months that follow each other end on the day of the first one, or on a month's last."""
    payments = [(date.fromisoformat(day), 1) for day in days]

    assert [str(end) for end in ends_of_months(payments)] == ends


@given(REFERENCES)
def test_a_reference_is_read_as_it_is_printed(reference: str) -> None:
    """A reference is read in any case, with any blanks, and within a bank's text."""
    assert parse_reference(f" {print_reference(reference).lower()} ") == reference
    assert reference in list(references_in(f"gift{reference.lower()}thanks"))


@given(REFERENCES, st.integers(1, 7), st.sampled_from(ALPHABET))
def test_a_wrong_sign_is_noticed(reference: str, place: int, sign: str) -> None:
    """One wrong character, or two swapped neighbours, are detected."""
    wrong = reference[:place] + sign + reference[place + 1 :]
    swapped = reference[:place] + reference[place : place + 2][::-1] + reference[place + 2 :]
    for text in {wrong, swapped} - {reference}:
        with pytest.raises(InvalidInput, match="a character may be wrong"):
            parse_reference(text)


@pytest.mark.parametrize("text", ["", "K7K3QXW2", "J7K3", "J0000000", "JJJJ-JJJJ-J"])
def test_other_texts_are_no_references(text: str) -> None:
    """No reference is read from other texts, or found in them."""
    with pytest.raises(InvalidInput):
        parse_reference(text)
    assert [one for one in references_in(text) if len(one) != 8] == []


@pytest.mark.parametrize(
    ("way", "phrase"),
    [("card", "card"), ("transfer", "bank transfer"), ("cash", "cash"), ("mobile", "mobile money")],
)
def test_each_payment_way_has_a_phrase(way: str, phrase: str) -> None:
    """Each payment method has a name for use in sentences."""
    assert PaymentWay(way).phrase == phrase
