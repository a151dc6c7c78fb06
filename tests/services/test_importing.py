"""Booking the provider's movements: each once, all or nothing, by whatever road."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.movements import MovementFacts, entry_from_row
from jara.domain.books.provider_row import ChargeKind, ProviderRow
from jara.files.file_entry import FileEntry
from jara.services.context import Context
from jara.services.entry_importing import import_entries
from jara.services.importing import (
    ImportOutcome,
    Rejected,
    book_rows,
    collect_movements,
)
from jara.services.ports.book_settings import YearLock
from jara.services.verification import verify_books
from tests.harness import clock_of, make_organisation
from tests.rows import NOON, a_row, as_written
from tests.services.ledger_builders import (
    REPORTS,
    SAMPLES,
    a_member,
    account_sums,
    all_entries,
    book,
    book_samples,
    funds,
    give,
    newest,
)

Road = tuple[tuple[str, ...], ...]
PAYMENTS, HISTORY, API = (
    "unified_payments.csv",
    "balance_history.csv",
    "balance_transactions.json",
)


@pytest.fixture(scope="module")
def expected() -> Any:
    """Return the sums that the generator of the samples wrote down."""
    return json.loads((SAMPLES / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def booked(tmp_path_factory: pytest.TempPathFactory) -> Context:
    """Return books with both of Stripe's reports, booked together."""
    context = make_organisation(tmp_path_factory.mktemp("reports"))
    book_samples(context, *REPORTS)
    return context


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return empty books."""
    return make_organisation(tmp_path)


def contents(context: Context, *, with_payouts: bool = True) -> Counter[object]:
    """Return what the entries say, whatever their place in the log."""
    moved = {EntryKind.PAYOUT, EntryKind.PAYOUT_ARRIVED, EntryKind.PAYOUT_REVERSAL}
    moved |= {EntryKind.RESERVE}
    return Counter(
        (entry.day, entry.kind, entry.postings, entry.reference)
        for entry in all_entries(context)
        if with_payouts or entry.kind not in moved
    )


def test_samples_add_up_to_what_was_written_down(booked: Context, expected: Any) -> None:
    """Stripe's balance in the books is the sum of net, income is what was given and kept."""
    sums = account_sums(booked)
    categories = expected["stripe"]["categories"]
    back = sum(
        categories[name]["amount"]
        for name in ("refund", "refund_failure", "dispute", "dispute_reversal")
    )

    assert expected["stripe"]["netCents"] == sums["assets:stripe"]
    assert 0 == sum(sums.values())
    given = expected["stripe"]["pledgesCents"] + expected["stripe"]["giftsCents"]
    assert given + back == -(sums["income:pledges"] + sums["income:gifts"])
    assert () == verify_books(booked).findings


@pytest.mark.parametrize(
    "road",
    [
        (REPORTS[:1], REPORTS[1:]),
        (REPORTS[1:], REPORTS[:1]),
        ((API,),),
        ((API,), REPORTS),
        (REPORTS, (API,), (HISTORY,), (PAYMENTS,)),
    ],
    ids=["reports in turn", "payouts first", "api", "api, reports", "everything"],
)
def test_every_road_leads_to_the_same_books(context: Context, booked: Context, road: Road) -> None:
    """By file or by API, together or in turn: the same payments, refunds, disputes and fees.

    How a payout is divided over the funds needs its parts; where a road does not know them
    the accounts and the funds agree all the same.
    """
    for names in road:
        assert () == book_samples(context, *names).rejected

    assert contents(booked, with_payouts=False) == contents(context, with_payouts=False)
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)


def test_balance_history_holds_all_but_whose_payment_was_refunded(
    context: Context, booked: Context
) -> None:
    """Its refunds name no charge; whatever else it holds is booked the same."""
    book_samples(context, HISTORY)

    lacking = {
        EntryKind.REFUND,
        EntryKind.REFUND_FAILURE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE_REVERSAL,
    }
    differing = contents(booked) - contents(context)
    assert {entry[1] for entry in differing} <= lacking  # type: ignore[index] # a key of the trace is a tuple
    assert account_sums(booked)["assets:stripe"] == account_sums(context)["assets:stripe"]


@pytest.mark.parametrize("names", [REPORTS, (PAYMENTS,), (HISTORY,), (API,)])
def test_the_same_files_twice_post_nothing_new(context: Context, names: Road) -> None:
    """Every item of a second reading is skipped."""
    first = book_samples(context, *names)  # type: ignore[arg-type] # names of sample files
    before = account_sums(context)

    again = book_samples(context, *names)  # type: ignore[arg-type] # names of sample files

    assert first.posted == again.skipped == again.read
    assert (0, ()) == (again.posted, again.rejected)
    assert before == account_sums(context)


def test_payments_file_counts_a_payment_and_its_refund_as_one_item(
    context: Context, expected: Any
) -> None:
    """What is read is posted, skipped or rejected."""
    outcome = book_samples(context, PAYMENTS)

    assert expected["payments"]["charges"] == outcome.posted == outcome.read
    assert expected["payments"]["charges"] + expected["payments"]["refunds"] == len(
        all_entries(context)
    )


def test_payments_file_then_reports(context: Context, booked: Context) -> None:
    """What the balance knows beside the payments joins them, and no cent comes twice."""
    book_samples(context, PAYMENTS)
    outcome = book_samples(context, *REPORTS)

    assert () == outcome.rejected
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)
    assert () == verify_books(context).findings


@pytest.mark.parametrize("names", [(PAYMENTS, HISTORY), (HISTORY, PAYMENTS)])
def test_refunds_that_cannot_be_told_apart_are_rejected(
    context: Context, names: tuple[str, str]
) -> None:
    """A cumulated sum that may consist of several refunds is not booked a second time."""
    book_samples(context, names[0])
    refused = book_samples(context, names[1])
    assert (0, 0) == (refused.posted, refused.skipped)
    assert all("itemised balance change" in item.message for item in refused.rejected)

    partly = book_samples(context, names[1], partial=True)

    assert refused.rejected == partly.rejected
    assert partly.read == partly.posted + partly.skipped + len(partly.rejected)


# One movement at a time


@dataclass
class Line:
    """A fault as a reader of files reports it."""

    line: int
    message: str


def test_a_rejected_row_leaves_everything_unposted(context: Context) -> None:
    """All or nothing, unless the rest is wanted."""
    rows = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", line=2),
        a_row("charge", 1000, 59, txn_id="txn_2", currency="cad", line=3),
    ]
    why = "the currency is 'cad'; only rows in usd are booked."

    assert ImportOutcome(2, 0, 0, (Rejected(3, why),)) == book_rows(context, rows)
    assert [] == all_entries(context)
    assert ImportOutcome(2, 1, 0, (Rejected(3, why),)) == book_rows(context, rows, partial=True)
    assert 1 == len(all_entries(context))


def test_faults_of_the_reader_count_too(context: Context) -> None:
    """A line that could not be read stops the file as well."""
    steps: list[int] = []
    rows = [a_row("charge", 1000, 59)]

    outcome = book_rows(context, rows, faults=[Line(7, "too short")], progress=steps.append)

    assert ImportOutcome(2, 0, 0, (Rejected(7, "too short"),)) == outcome
    assert [1] == steps


def test_the_same_movement_with_other_amounts_is_rejected(context: Context) -> None:
    """An id that stands for other money is a mistake, never a second payment."""
    book(context, a_row("charge", 1000, 59))

    outcome = book_rows(context, [a_row("charge", 1100, 59, line=2)])

    assert "is booked with $10.00 gross" in outcome.rejected[0].message
    assert 1 == len(all_entries(context))


def test_a_row_without_any_id_is_rejected(context: Context) -> None:
    """What has no id could be booked twice."""
    outcome = book_rows(context, [a_row("fee", -10, 0, txn_id=None, source_id=None)])

    assert "has no id" in outcome.rejected[0].message


def test_a_movement_of_nothing_is_noted_and_not_booked(context: Context) -> None:
    """It makes no entry, and is skipped the next time too."""
    row = a_row("fee", 0, 0)

    assert (0, 1) == (book(context, row).posted, book(context, row).skipped)
    assert [] == all_entries(context)


def test_a_dispute_may_withdraw_twice(context: Context) -> None:
    """The second movement of one dispute is another movement."""
    give(context, 1000)
    rows = [
        a_row("dispute", -300, 1500, txn_id=f"txn_d{n}", source_id="du_1", charge_id="ch_1")
        for n in (1, 2)
    ]
    book(context, rows[0])

    assert 1 == book(context, *rows).posted
    assert [EntryKind.PLEDGE, EntryKind.DISPUTE, EntryKind.DISPUTE] == [
        entry.kind for entry in all_entries(context)
    ]


def test_an_unknown_movement_waits_in_suspense(context: Context) -> None:
    """Its own word stands beside the entry."""
    book(context, a_row("unknown", 500, 0, source_id=None, raw_category="climate_order"))

    assert "liabilities:suspense o -500 · assets:stripe o +500" == as_written(
        all_entries(context)[0]
    )


def test_refunds_and_disputes_belong_to_the_giver_of_their_payment(context: Context) -> None:
    """The key of the payment stands on what gives it back."""
    paid = give(context, 1000, customer_id="cus_1")
    book(context, a_row("refund", -400, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_1"))

    refund = newest(context).entry
    assert paid.entry.member_key is not None
    assert (paid.index, paid.entry.member_key) == (refund.of, refund.member_key)


def test_a_giver_keeps_one_key(context: Context) -> None:
    """Customer and address lead to the same key; without both a payment is nobody's."""
    rows = [
        a_row("charge", 500, 0, txn_id="txn_1", source_id="ch_1", email="A@example.org"),
        a_row("charge", 500, 0, txn_id="txn_2", source_id="ch_2", customer_id="cus_1",
              email="a@example.org "),
        a_row("charge", 500, 0, txn_id="txn_3", source_id="ch_3", customer_id="cus_1"),
        a_row("charge", 500, 0, txn_id="txn_4", source_id="ch_4"),
        a_row("charge", 500, 0, txn_id="txn_5", source_id="ch_5", customer_id="cus_2"),
        a_row("charge", 500, 0, txn_id="txn_6", source_id="ch_6", member_id="gone",
              customer_id="cus_3"),
    ]  # fmt: skip
    book(context, *rows)

    keys = [entry.member_key for entry in all_entries(context)]
    assert keys[0] == keys[1] == keys[2] != keys[4]
    assert (None, None) == (keys[3], keys[5])
    assert None not in {keys[0], keys[4]}


def test_a_members_payment_carries_the_members_key(context: Context) -> None:
    """Also when only the customer tells later whose it is."""
    member = a_member()
    with context.store.write() as work:
        work.members.add(member, password_hash="")
    first = a_row(
        "charge", 500, 0, txn_id="txn_1", source_id="ch_1", member_id=member.id, customer_id="cus_1"
    )
    book(context, first, replace(first, txn_id="txn_2", source_id="ch_2"))
    book(context, replace(first, txn_id="txn_3", source_id="ch_3", member_id=None))

    assert {member.key} == {entry.member_key for entry in all_entries(context)}


def test_late_rows_of_a_closed_year_go_to_the_first_open_day(context: Context) -> None:
    """The true day stays beside it (money §4)."""
    lock = YearLock(2026, NOON, 2, "00", {})
    with context.store.write() as work:
        work.book_settings.lock_year(lock)

    book(context, a_row("charge", 1000, 59))

    entry = all_entries(context)[0]
    assert (date(2027, 1, 1), NOON.date()) == (entry.day, entry.true_day)


def test_a_day_before_every_policy_is_rejected(context: Context) -> None:
    """Nothing says how such a payment would be split."""
    row = a_row("charge", 1000, 59, created=datetime(1999, 5, 1, tzinfo=UTC), line=4)

    assert "No fund policy holds on 1999-05-01" in book_rows(context, [row]).rejected[0].message


# Payouts


def payout(cents: int, **changes: object) -> ProviderRow:
    """Return a payout's row."""
    row = a_row("payout", -cents, 0, txn_id="txn_p", source_id="po_1", arrives_on=date(2026, 3, 7))
    return replace(row, **changes)  # type: ignore[arg-type] # given by the test, by name


def written(entries: Iterable[JournalEntry]) -> list[str]:
    """Write entries down, shortly."""
    return [as_written(entry) for entry in entries]


def test_a_payout_takes_from_each_fund_what_its_parts_brought(context: Context) -> None:
    """The parts are known by the payout that each row names, and it arrives on its day."""
    parts = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1"),
        a_row("charge", 2000, 0, txn_id="txn_2", source_id="ch_2"),
    ]
    book(context, *parts, payout(941))

    assert [
        "assets:in-transit p +800 s +49 m +64 o +28 · assets:stripe p -800 s -49 m -64 o -28",
        "assets:bank p +800 s +49 m +64 o +28 · assets:in-transit p -800 s -49 m -64 o -28",
    ] == written(all_entries(context)[2:])


def test_a_payout_of_everything_empties_every_cell(context: Context) -> None:
    """Where the parts are not known but all is paid out, nothing is left in any fund."""
    book(context, a_row("charge", 1000, 59), payout(941))

    assert {"assets:bank": 941} == {
        account: cents
        for account, cents in account_sums(context).items()
        if account.startswith("assets")
    }
    assert "assets:in-transit p +800 s +49 m +64 o +28" in written(all_entries(context))[1]


def test_a_payout_by_hand_is_divided_in_proportion(context: Context) -> None:
    """Of what each fund has at Stripe."""
    book(context, a_row("charge", 1000, 0), payout(100, arrives_on=None))

    assert "assets:in-transit p +80 s +7 m +9 o +4" in written(all_entries(context))[1]


def test_a_payout_that_comes_later_arrives_later(context: Context) -> None:
    """The arrival is booked when its day has come, once."""
    row = payout(941, arrives_on=date(2026, 11, 23))
    book(context, a_row("charge", 1000, 59), row)
    assert EntryKind.PAYOUT == newest(context).entry.kind

    clock_of(context).advance(days=4)
    book(context, row)
    book(context, row)

    assert [EntryKind.PLEDGE, EntryKind.PAYOUT, EntryKind.PAYOUT_ARRIVED] == [
        entry.kind for entry in all_entries(context)
    ]


def test_a_returned_payout_is_undone(context: Context) -> None:
    """The money is at Stripe again, fund by fund, and an arrival booked before is reversed."""
    back = a_row("payout_reversal", 941, 0, txn_id="txn_b", source_id="po_1")
    book(context, a_row("charge", 1000, 59), payout(941))
    book(context, back)

    assert {"assets:stripe": 941} == {
        account: cents
        for account, cents in account_sums(context).items()
        if account.startswith("assets")
    }
    assert EntryKind.REVERSAL == newest(context).entry.kind
    again = replace(back, txn_id="txn_b2")
    assert 1 == book(context, again).posted
    assert EntryKind.PAYOUT_REVERSAL == newest(context).entry.kind


def test_a_payout_of_nothing_known_comes_back(context: Context) -> None:
    """A source that is known for something else is no payout."""
    book(context, a_row("topup", 100, 0, txn_id="txn_t", source_id="po_1"))
    book(context, a_row("payout_reversal", 50, 0, txn_id="txn_b", source_id="po_1"))

    assert 150 == account_sums(context)["assets:stripe"]


def test_a_returned_payout_that_the_books_do_not_know(context: Context) -> None:
    """It is divided by what the funds have in transit, and of nothing to `other`."""
    book(context, a_row("payout_reversal", 100, 0, txn_id="txn_b", source_id=None))

    assert "assets:in-transit o -100 · assets:stripe o +100" == as_written(all_entries(context)[0])


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
    """Reserve and top-ups move money between two accounts, fund by fund."""
    give(context, 1000)
    book(context, a_row(category, cents, 0, txn_id="txn_m", source_id="m_1"))

    assert {"assets:stripe": 1000 + cents, account: -cents} == {
        name: sum_ for name, sum_ in account_sums(context).items() if name.startswith("assets")
    }


# The Payments file and the balance


def cumulated(cents: int, **changes: object) -> ProviderRow:
    """Return the refund of a Payments file."""
    row = a_row(
        "refund", -cents, 0, txn_id=None, source_id=None, charge_id="ch_1", cumulative=cents, line=2
    )
    return replace(row, **changes)  # type: ignore[arg-type] # given by the test, by name


def paid_row(**changes: object) -> ProviderRow:
    """Return the charge of a Payments file."""
    row = a_row("charge", 1000, 59, txn_id=None, source_id="ch_1", charge_id="ch_1", line=2)
    return replace(row, **changes)  # type: ignore[arg-type] # given by the test, by name


def test_a_refund_that_joins_a_known_payment_counts_as_posted(context: Context) -> None:
    """The item was skipped for its charge, and is posted for its refund."""
    book(context, paid_row())

    assert ImportOutcome(1, 1, 0) == book(context, paid_row(), cumulated(400))
    assert ImportOutcome(1, 0, 1) == book(context, paid_row(), cumulated(400))
    assert ImportOutcome(1, 1, 0) == book(context, paid_row(), cumulated(700))
    assert [-1000, 400, 300] == [
        sum(p.cents for p in entry.postings if p.account == "income:pledges")
        for entry in all_entries(context)
    ]


def test_a_rejected_payment_takes_its_refund_along(context: Context) -> None:
    """One line is one item: rejected once, whichever of its rows is wrong."""
    bad_charge = [paid_row(charge_kind=None), cumulated(400)]
    bad_refund = [paid_row(), cumulated(400, currency="cad")]

    assert (1, 0, 1) == counts(book_rows(context, bad_charge, partial=True))
    assert (1, 0, 1) == counts(book_rows(context, bad_refund, partial=True))
    assert (1, 0, 1) == counts(book_rows(context, bad_refund, partial=True))


def counts(outcome: ImportOutcome) -> tuple[int, int, int]:
    """Return read, posted, and the number rejected; nothing else was skipped."""
    assert outcome.read == outcome.posted + outcome.skipped + len(outcome.rejected)
    return outcome.read, outcome.posted, len(outcome.rejected)


def test_a_balance_row_finds_its_payment_in_the_payments_file(context: Context) -> None:
    """It lends it the transaction id, and the payout it was part of."""
    book(context, paid_row())
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", payout_id="po_1")

    assert 1 == book(context, row).skipped
    with context.store.read() as work:
        known = work.identities.by_txn(["txn_1"])["txn_1"]
    assert ("txn_1", "po_1") == (known.txn_id, known.payout_id)


def balance_refund(cents: int, number: int) -> ProviderRow:
    """Return a refund of the balance."""
    row = a_row("refund", -cents, 0, txn_id=f"txn_r{number}", source_id=f"re_{number}")
    return replace(row, charge_id="ch_1")


def test_refunds_match_a_cumulated_sum_in_both_directions(context: Context) -> None:
    """Each cent is booked once, and a refund beyond the sum is new."""
    book(context, paid_row(), cumulated(500))

    assert 2 == book(context, balance_refund(200, 1), balance_refund(300, 2)).skipped
    assert 1 == book(context, balance_refund(100, 3)).posted
    assert 1 == book(context, paid_row(), cumulated(600)).skipped
    assert -400 == account_sums(context)["income:pledges"]


def test_a_refund_larger_than_what_is_left_to_match_is_rejected(context: Context) -> None:
    """The two files contradict each other."""
    book(context, paid_row(), cumulated(500))

    outcome = book_rows(context, [balance_refund(600, 1)])

    assert "of which $5.00 is left to match" in outcome.rejected[0].message


def test_refunds_without_a_charge_match_by_day_and_amount(context: Context) -> None:
    """The balance history and the Payments file mean the same refund, in either order."""
    nameless = replace(balance_refund(400, 1), charge_id=None)
    book(context, paid_row(), cumulated(400))
    assert 1 == book(context, nameless).skipped
    assert 1 == book(context, nameless).skipped
    other = replace(nameless, txn_id="txn_r2", source_id="re_2", amount=-50, net=-50)
    assert 1 == book(context, other).posted


def test_a_cumulated_refund_claims_one_without_a_charge(context: Context) -> None:
    """Then it is known by its charge."""
    nameless = replace(balance_refund(400, 1), charge_id=None)
    later = replace(nameless, txn_id="txn_r2", source_id="re_2", created=NOON + timedelta(1))
    book(context, nameless, later)

    assert 1 == book(context, paid_row(), cumulated(400)).posted
    assert 3 == len(all_entries(context))
    assert 1 == book(context, balance_refund(400, 1)).skipped


# Collecting, and books that were rebuilt


def test_rows_known_by_their_entry_alone_are_adopted(context: Context) -> None:
    """After a rebuild from a journal a row finds its entry by the outside id."""
    entry_road = make_rebuilt(context)
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1")

    assert 1 == book(context, row).skipped
    book(context, a_row("refund", -400, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_1"))
    assert entry_road == newest(context).entry.of
    fee = a_row("fee", -30, 0, txn_id="txn_f", source_id=None)
    assert 1 == book(context, fee).skipped
    wrong = replace(fee, txn_id="txn_g", amount=-31, net=-31)
    assert "is booked with -$0.30 gross" in book_rows(context, [wrong]).rejected[0].message


def make_rebuilt(context: Context) -> int:
    """Post entries of the provider as an import of a journal does, and return the first."""
    source = make_entries()
    import_entries(context, [FileEntry(1, f"e{n}", entry) for n, entry in enumerate(source)])
    with context.store.read() as work:
        return work.journal.known_external_ids(["txn_1"])["txn_1"]


def make_entries() -> list[JournalEntry]:
    """Return the entries of a charge and two fees."""
    rows = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1"),
        a_row("fee", -30, 0, txn_id="txn_f", source_id=None),
        a_row("fee", -30, 0, txn_id="txn_g", source_id=None),
    ]
    made = [entry_from_row(row, MovementFacts(DEFAULT_POLICY)) for row in rows]
    return [entry for entry in made if entry is not None]


def test_collecting_asks_from_a_week_before_the_last_time(context: Context) -> None:
    """A row that appeared late is found, and nothing is booked twice."""
    first = collect_movements(context)
    second = collect_movements(context)
    since = collect_movements(context, since=datetime(2026, 1, 1, tzinfo=UTC))

    assert ImportOutcome(0, 0, 0) == first == second == since


def test_overdrawn_is_booked_where_stripe_has_done_it_already(context: Context) -> None:
    """A fee that no fund can pay is booked, and the fund shows below zero (money §7)."""
    book(context, a_row("fee", -100, 0))

    assert -100 == sum(funds(context).values())
    assert 0 > funds(context)[Fund.STAFF]


def test_kind_of_a_charge_decides_the_account(context: Context) -> None:
    """A gift is income of its own."""
    book(context, a_row("charge", 500, 0, charge_kind=ChargeKind.GIFT))

    assert -500 == account_sums(context)["income:gifts"]
