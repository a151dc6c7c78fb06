"""Booking payouts and other movements between our own accounts, fund by fund."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.provider_row import ProviderRow
from jara.services.books.payment_account import set_payment_account
from jara.services.books.policies import add_account
from jara.services.context import Context
from tests.harness import clock_of
from tests.rows import a_row, as_written
from tests.services.books.ledger_builders import (
    account_sums,
    all_entries,
    book,
    give,
    newest,
)


def payout(cents: int, **changes: object) -> ProviderRow:
    """Return a payout's row."""
    row = a_row("payout", -cents, 0, txn_id="txn_p", source_id="po_1", arrives_on=date(2026, 3, 7))
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def written(entries: Iterable[JournalEntry]) -> list[str]:
    """Write the postings of entries in short form."""
    return [as_written(entry) for entry in entries]


def test_a_payout_takes_from_each_fund_what_its_parts_brought(context: Context) -> None:
    """Each row names its payout, and the payout arrives on its day."""
    parts = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1"),
        a_row("charge", 2000, 0, txn_id="txn_2", source_id="ch_2"),
    ]
    book(context, *parts, payout(941))

    assert written(all_entries(context)[2:]) == [
        "assets:in-transit p +800 s +49 m +64 o +28 · assets:stripe p -800 s -49 m -64 o -28",
        "assets:bank p +800 s +49 m +64 o +28 · assets:in-transit p -800 s -49 m -64 o -28",
    ]


def test_a_payout_arrives_on_its_day(context: Context) -> None:
    """It has arrived on that day, but not on the day before."""
    today = context.today()
    tomorrow = today + timedelta(days=1)
    book(context, a_row("charge", 1000, 59), payout(441, arrives_on=today))
    book(context, payout(500, txn_id="txn_q", source_id="po_2", arrives_on=tomorrow))

    assert (
        account_sums(context)["assets:bank"],
        account_sums(context)["assets:in-transit"],
    ) == (441, 500)


def test_money_moves_between_the_provider_and_the_payment_account(context: Context) -> None:
    """Payouts arrive on the bank account that is set, and top-ups leave it; a cash box has none."""
    add_account(context, "assets:cash", meaning="A box")
    set_payment_account(context, "assets:cash")
    book(context, a_row("charge", 1000, 0), payout(300, txn_id="txn_p1", source_id="po_1"))
    add_account(context, "assets:bank:td", meaning="The bank")
    set_payment_account(context, "assets:bank:td")
    book(context, payout(500, txn_id="txn_p2", source_id="po_2"))
    book(context, a_row("topup", 100, 0, txn_id="txn_t", source_id="tu_1"))

    assert account_sums(context)["assets:bank"] == 300
    assert account_sums(context)["assets:bank:td"] == 400


def test_a_payout_of_everything_empties_every_cell(context: Context) -> None:
    """If the parts are unknown but everything is paid out, no fund has money left at Stripe."""
    book(context, a_row("charge", 1000, 59), payout(941))

    assert {
        account: cents
        for account, cents in account_sums(context).items()
        if account.startswith("assets")
    } == {"assets:bank": 941}
    assert "assets:in-transit p +800 s +49 m +64 o +28" in written(all_entries(context))[1]


def test_a_payout_that_comes_later_arrives_later(context: Context) -> None:
    """The arrival is booked when its day has come, once."""
    row = payout(941, arrives_on=date(2026, 11, 23))
    book(context, a_row("charge", 1000, 59), row)
    assert newest(context).entry.kind == EntryKind.PAYOUT

    clock_of(context).advance(days=3)
    book(context, row)
    book(context, row)

    assert [entry.kind for entry in all_entries(context)] == [
        EntryKind.PLEDGE,
        EntryKind.PAYOUT,
        EntryKind.PAYOUT_ARRIVED,
    ]


def test_a_returned_payout_is_undone(context: Context) -> None:
    """The money is at Stripe again, fund by fund, and an arrival booked before is reversed."""
    back = a_row("payout_reversal", 941, 0, txn_id="txn_b", source_id="po_1")
    book(context, a_row("charge", 1000, 59), payout(941))
    book(context, back)

    assert {
        account: cents
        for account, cents in account_sums(context).items()
        if account.startswith("assets")
    } == {"assets:stripe": 941}
    assert newest(context).entry.kind == EntryKind.REVERSAL
    again = back._replace(txn_id="txn_b2")
    assert book(context, again).posted == 1
    assert newest(context).entry.kind == EntryKind.PAYOUT_REVERSAL


def test_a_returned_payout_comes_back_in_its_own_funds(context: Context) -> None:
    """Those that it took, whatever else is in transit and whatever fee names the payout."""
    parts = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1"),
        a_row("fee", -20, 0, txn_id="txn_f", source_id="po_1"),
        payout(941),
        a_row("charge", 2000, 0, txn_id="txn_2", source_id="ch_2"),
        payout(500, txn_id="txn_q", source_id="po_2", arrives_on=None),
    ]
    book(context, *parts)
    book(context, a_row("payout_reversal", 941, 0, txn_id="txn_b", source_id="po_1"))

    (back,) = (one for one in all_entries(context) if one.kind is EntryKind.PAYOUT_REVERSAL)
    assert as_written(back) == (
        "assets:in-transit p -800 s -49 m -64 o -28 · assets:stripe p +800 s +49 m +64 o +28"
    )


def test_a_payout_of_nothing_known_comes_back(context: Context) -> None:
    """A known source that is not a payout does not count as one: the row waits."""
    book(context, a_row("topup", 100, 0, txn_id="txn_t", source_id="po_1"))
    outcome = book(context, a_row("payout_reversal", 50, 0, txn_id="txn_b", source_id="po_1"))

    assert outcome.waiting == ("payout reversal po_1",)
    assert account_sums(context)["assets:stripe"] == 100


def test_a_returned_payout_that_the_books_do_not_know(context: Context) -> None:
    """It is divided by the funds' money in transit, or goes to `other` if there is none."""
    book(context, a_row("payout_reversal", 100, 0, txn_id="txn_b", source_id=None))

    assert as_written(all_entries(context)[0]) == "assets:in-transit o -100 · assets:stripe o +100"


@pytest.mark.parametrize(
    ("category", "cents", "account"),
    [
        ("risk_reserved_funds", -200, "assets:stripe-reserve"),
        ("topup", 200, "assets:bank"),
        ("topup_reversal", -200, "assets:bank"),
    ],
)
def test_other_movements_between_our_accounts(
    context: Context, category: str, cents: int, account: str
) -> None:
    """Reserves and top-ups move money between two accounts, fund by fund."""
    give(context, 1000)
    book(context, a_row(category, cents, 0, txn_id="txn_m", source_id="m_1"))

    assert {
        name: sum_ for name, sum_ in account_sums(context).items() if name.startswith("assets")
    } == {"assets:stripe": 1000 + cents, account: -cents}
