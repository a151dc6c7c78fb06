"""References of pledges paid without a card, and the months that payments cover."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.errors import InvalidInput
from jara.domain.giving.billing_day import BillingDay
from jara.domain.giving.changemaker import GRACE, is_changemaker, months_pay_until
from jara.domain.giving.payment_way import (
    ALPHABET,
    PaymentWay,
    covered_until,
    make_reference,
    parse_reference,
    print_reference,
    references_in,
)
from jara.domain.giving.pledge import PledgeState, move_pledge, stand, start_pledge

REFERENCES = st.binary(min_size=6, max_size=6).map(make_reference)
DAYS = st.dates(date(2026, 1, 1), date(2026, 12, 31))
PAYMENTS = st.lists(st.tuples(DAYS, st.integers(1, 5000)), max_size=6)
PROMISED = replace(
    start_pledge(
        pledge_id="p",
        member_id="m",
        dollars=10,
        billing_day=BillingDay.CURRENT,
        now=datetime(2026, 1, 1, tzinfo=UTC),
    ),
    way=PaymentWay.TRANSFER,
    next_charge_on=None,
)


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
    ("payments", "expected"),
    [
        ([], None),
        ([("2026-05-04", 999)], None),
        ([("2026-05-04", 1000)], "2026-06-04"),
        ([("2026-05-04", 1999)], "2026-06-04"),
        ([("2026-05-04", 3000)], "2026-08-04"),
        ([("2026-01-31", 1000)], "2026-02-28"),
        ([("2026-12-04", 1000)], "2027-01-04"),
        ([("2026-06-01", 1000), ("2026-05-04", 1000)], "2026-07-04"),
        ([("2026-05-04", 1000), ("2026-05-04", 1000)], "2026-07-04"),
        ([("2026-05-04", 1000), ("2026-08-09", 1000)], "2026-09-09"),
    ],
)
def test_a_payment_covers_months(payments: list[tuple[str, int]], expected: str | None) -> None:
    """Coverage starts on the day paid or at the end of earlier coverage; only full months count."""
    given_payments = [(date.fromisoformat(day), cents) for day, cents in payments]
    until = None if expected is None else date.fromisoformat(expected)

    assert until == covered_until(given_payments, 10)


@given(PAYMENTS, DAYS)
def test_standing_follows_from_payments_alone(
    payments: list[tuple[date, int]], today: date
) -> None:
    """A promise gives no vote; a payment gives it for the months it covers and 14 days more."""
    now = datetime(today.year, today.month, today.day, 12, tzinfo=UTC)
    before = [(day, cents) for day, cents in payments if day <= today]
    covered = covered_until(before, 10)
    pledge = stand(PROMISED, covered, now=now)
    again = stand(pledge, covered, now=now)
    until = None if covered is None else months_pay_until(covered)

    assert pledge == again
    end = (
        None if covered is None else datetime(covered.year, covered.month, covered.day, tzinfo=UTC)
    )
    assert (end is not None and now <= end + GRACE) is is_changemaker(pledge, until, now=now)
    assert (PledgeState.INCOMPLETE is pledge.state) is (covered is None)


def test_a_late_payment_makes_a_pledge_active_again() -> None:
    """A late payment reactivates a pledge, unless the pledge has ended."""
    now = datetime(2026, 7, 1, 12, tzinfo=UTC)
    late = stand(PROMISED, date(2026, 6, 4), now=now)
    paid = stand(late, date(2026, 8, 1), now=now)
    ended = move_pledge(late, PledgeState.CANCELED, at=now)

    assert PledgeState.PAST_DUE is late.state
    assert (paid.state, paid.past_due_since) == (PledgeState.ACTIVE, None)
    assert paid.next_charge_on == date(2026, 8, 1)
    receded = stand(late, date(2026, 5, 4), now=now)
    assert late.past_due_since is not None
    assert receded.past_due_since == late.past_due_since - timedelta(days=31)
    assert stand(ended, date(2026, 8, 1), now=now) == ended


@pytest.mark.parametrize(
    ("way", "phrase"),
    [("card", "card"), ("transfer", "bank transfer"), ("cash", "cash"), ("mobile", "mobile money")],
)
def test_each_payment_way_has_a_phrase(way: str, phrase: str) -> None:
    """Each payment method has a name for use in sentences."""
    assert PaymentWay(way).phrase == phrase
