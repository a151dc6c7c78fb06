"""Stripe's samples in the books: the same sums by every way of importing them."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from jara.domain.books.journal import EntryKind
from jara.services.books.verification import verify_books
from jara.services.context import Context
from tests.harness import make_organisation
from tests.places import NewPlace
from tests.services.books.ledger_builders import (
    REPORTS,
    SAMPLES,
    account_sums,
    all_entries,
    book_samples,
    funds,
)
from tests.sizes import some

Road = tuple[tuple[str, ...], ...]
PAYMENTS, HISTORY, API = (
    "unified_payments.csv",
    "balance_history.csv",
    "balance_transactions.json",
)
RETURNED = {
    EntryKind.REFUND,
    EntryKind.REFUND_FAILURE,
    EntryKind.DISPUTE,
    EntryKind.DISPUTE_REVERSAL,
}


@pytest.fixture(scope="module")
def expected() -> Any:
    """Return the sums written by the generator of the samples."""
    return json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def booked(new_place: NewPlace) -> Context:
    """Return books with both of Stripe's reports, booked together."""
    context = make_organisation(new_place())
    book_samples(context, *REPORTS)
    return context


def contents(context: Context, *, with_payouts: bool = True) -> Counter[object]:
    """Return the contents of the entries, regardless of their place in the log."""
    moved = {EntryKind.PAYOUT, EntryKind.PAYOUT_ARRIVED, EntryKind.PAYOUT_REVERSAL}
    moved |= {EntryKind.RESERVE}
    return Counter(
        (entry.day, entry.kind, entry.postings, entry.reference)
        for entry in all_entries(context)
        if with_payouts or entry.kind not in moved
    )


def test_samples_add_up_to_the_expected_sums(booked: Context, expected: Any) -> None:
    """The balance is the sum of the net amounts; the income is the gifts less the refunds."""
    sums = account_sums(booked)
    categories = expected["stripe"]["categories"]
    back = sum(
        categories[name]["amount"]
        for name in ("refund", "refund_failure", "dispute", "dispute_reversal")
    )

    assert expected["stripe"]["netCents"] == sums["assets:stripe"]
    assert sum(sums.values()) == 0
    given = expected["stripe"]["pledgesCents"] + expected["stripe"]["giftsCents"]
    assert given + back == -(sums["income:pledges"] + sums["income:gifts"])
    assert verify_books(booked).findings == ()


@pytest.mark.parametrize(
    "road",
    some(
        [
            (REPORTS[1:], REPORTS[:1]),
            (REPORTS[:1], REPORTS[1:]),
            ((API,),),
            ((API,), REPORTS),
            (REPORTS, (API,), (HISTORY,), (PAYMENTS,)),
        ],
        step=3,
    ),
    ids=lambda road: ", then ".join(" with ".join(names) for names in road),
)
def test_every_way_of_importing_gives_the_same_books(
    context: Context, booked: Context, road: Road
) -> None:
    """Files or API, together or in turn, give the same payments, refunds, disputes and fees.

    Dividing a payout over the funds needs its parts. Without them, the totals of accounts
    and of funds still agree. The same files again bring nothing.
    """
    for names in road:
        assert book_samples(context, *names).rejected == ()

    assert contents(booked, with_payouts=False) == contents(context, with_payouts=False)
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)
    again = book_samples(context, *road[0])
    assert (again.posted, again.skipped, again.rejected) == (0, again.read, ())


def test_the_payments_file_counts_a_payment_and_its_refund_as_one_item(
    context: Context, booked: Context, expected: Any
) -> None:
    """Each item is posted, skipped or rejected; the balance then adds only its other rows."""
    outcome = book_samples(context, PAYMENTS)

    assert expected["payments"]["charges"] == outcome.posted == outcome.read
    disputes = expected["stripe"]["categories"]
    assert len(all_entries(context)) == (
        expected["payments"]["charges"]
        + expected["payments"]["refunds"]
        + disputes["dispute"]["rows"]
        + disputes["dispute_reversal"]["rows"]
    )
    again = book_samples(context, PAYMENTS)
    assert (again.posted, again.skipped, again.rejected) == (0, again.read, ())
    assert book_samples(context, *REPORTS).rejected == ()
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)
    assert verify_books(context).findings == ()


@pytest.mark.parametrize("names", some([(HISTORY, PAYMENTS), (PAYMENTS, HISTORY)], step=2))
def test_payments_file_and_balance_history_agree(
    context: Context, booked: Context, names: tuple[str, str]
) -> None:
    """Each cent that was given is booked once; what cannot be told apart waits by name.

    The refunds of the balance history name no charge, so they wait for another file.
    """
    for name in names:
        outcome = book_samples(context, name)
        assert outcome.rejected == ()
        if name == HISTORY == names[0]:
            differing = contents(booked, with_payouts=False) - contents(context, with_payouts=False)
            assert {entry[1] for entry in differing} <= RETURNED  # type: ignore[index] # a tuple
            assert len(outcome.waiting) == sum(1 for _ in differing.elements())

    income = ("income:pledges", "income:gifts")
    sums, expected = account_sums(context), account_sums(booked)
    assert {name: sums[name] for name in income} == {name: expected[name] for name in income}
    findings = verify_books(context).findings
    assert {found.check for found in findings} == {"waiting_returns"}
    assert all("import the itemised balance change" in found.message for found in findings)
    book_samples(context, *REPORTS)
    assert account_sums(context) == expected
    assert verify_books(context).findings == ()
