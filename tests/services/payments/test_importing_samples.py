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


def test_samples_add_up_to_what_was_written_down(booked: Context, expected: Any) -> None:
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
def test_every_road_leads_to_the_same_books(context: Context, booked: Context, road: Road) -> None:
    """Files or API, together or in turn, give the same payments, refunds, disputes and fees.

    Dividing a payout over the funds needs its parts. Without them, the totals of accounts
    and of funds still agree.
    """
    for names in road:
        assert book_samples(context, *names).rejected == ()

    assert contents(booked, with_payouts=False) == contents(context, with_payouts=False)
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)


def test_balance_history_holds_all_but_whose_payment_was_refunded(
    context: Context, booked: Context
) -> None:
    """Its refunds name no charge, so they wait; everything else is booked the same."""
    outcome = book_samples(context, HISTORY)

    lacking = {
        EntryKind.REFUND,
        EntryKind.REFUND_FAILURE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE_REVERSAL,
    }
    differing = contents(booked, with_payouts=False) - contents(context, with_payouts=False)
    assert {entry[1] for entry in differing} <= lacking  # type: ignore[index] # a key of the trace is a tuple
    assert len(outcome.waiting) == sum(1 for _ in differing.elements())


@pytest.mark.parametrize("names", some([REPORTS, (PAYMENTS,), (HISTORY,), (API,)], step=2))
def test_the_same_files_twice_post_nothing_new(context: Context, names: Road) -> None:
    """Every item is skipped the second time."""
    first = book_samples(context, *names)  # type: ignore[arg-type] # names of sample files
    before = account_sums(context)

    again = book_samples(context, *names)  # type: ignore[arg-type] # names of sample files

    assert first.posted + len(first.waiting) == again.skipped == again.read
    assert (again.posted, again.rejected) == (0, ())
    assert account_sums(context) == before


def test_payments_file_counts_a_payment_and_its_refund_as_one_item(
    context: Context, expected: Any
) -> None:
    """Each item read is posted, skipped or rejected."""
    outcome = book_samples(context, PAYMENTS)

    assert expected["payments"]["charges"] == outcome.posted == outcome.read
    disputes = expected["stripe"]["categories"]
    assert len(all_entries(context)) == (
        expected["payments"]["charges"]
        + expected["payments"]["refunds"]
        + disputes["dispute"]["rows"]
        + disputes["dispute_reversal"]["rows"]
    )


def test_payments_file_then_reports(context: Context, booked: Context) -> None:
    """The balance's other rows are added, and no cent is booked twice."""
    book_samples(context, PAYMENTS)
    outcome = book_samples(context, *REPORTS)

    assert outcome.rejected == ()
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)
    assert verify_books(context).findings == ()


@pytest.mark.parametrize("names", some([(PAYMENTS, HISTORY), (HISTORY, PAYMENTS)], step=2))
def test_payments_file_and_balance_history_agree(
    context: Context, booked: Context, names: tuple[str, str]
) -> None:
    """Each cent that was given is booked once; what cannot be told apart waits by name."""
    for name in names:
        assert book_samples(context, name).rejected == ()

    income = ("income:pledges", "income:gifts")
    sums, expected = account_sums(context), account_sums(booked)
    assert {name: sums[name] for name in income} == {name: expected[name] for name in income}
    assert {found.check for found in verify_books(context).findings} == {"waiting_returns"}
    for found in verify_books(context).findings:
        assert "import the itemised balance change" in found.message
    book_samples(context, *REPORTS)
    assert account_sums(context) == expected
    assert verify_books(context).findings == ()
