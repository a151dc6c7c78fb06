"""Rows of every kind and samples of a year give one set of entries by every way."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara import jara_verify
from jara.domain.books.journal import EntryKind
from jara.domain.books.provider_row import CAUSES, RETURNS, ProviderRow, RowCategory
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from tests.harness import make_organisation
from tests.places import NewPlace, leave
from tests.rows import NOON, a_row
from tests.services.books.ledger_builders import (
    REPORTS,
    SAMPLES,
    account_sums,
    all_entries,
    book_samples,
    contents,
    funds,
)
from tests.services.publiclog.test_proofs import write_bundle
from tests.sizes import IS_FULL, fewer_examples, some


def history(*moves: tuple[str, int, int, str | None, str | None]) -> list[ProviderRow]:
    """Return one row a day: category, amount, fee, source and charge of each."""
    return [
        a_row(category, amount, fee, txn_id=f"txn_{day}", source_id=source)._replace(
            charge_id=charge, created=NOON + timedelta(days=day)
        )
        for day, (category, amount, fee, source, charge) in enumerate(moves)
    ]


ROWS = history(
    ("charge", 1000, 59, "ch_1", "ch_1"),
    ("charge", 2500, 103, "ch_2", "ch_2"),
    ("charge", 500, 45, "py_3", "py_3"),
    ("dispute", -1000, 1500, "du_1", "ch_1"),
    ("dispute_reversal", 1000, 0, "du_1", "ch_1"),
    ("dispute", -400, 1500, "du_2", "ch_1"),
    ("dispute_reversal", 400, 0, "du_2", "ch_1"),
    ("refund", -300, 0, "re_1", "ch_1"),
    ("refund", -250, 0, "re_2", "ch_2"),
    ("refund_failure", 250, 0, "re_2", "ch_2"),
    ("refund", -600, 0, "re_3", "ch_2"),
    ("dispute", -1900, 1500, "du_3", "ch_2"),
    ("refund_failure", -500, 0, "py_3", None),  # a debit that failed
    ("dispute", 0, 1500, "du_4", "ch_1"),
    ("payout", -700, 0, "po_1", None),
    ("payout_reversal", 700, 0, "po_1", None),
    ("fee", -20, 0, None, None),
    ("network_cost", -3, 0, None, None),
    ("tax", -2, 0, None, None),
    ("topup", 100, 0, "tu_1", None),
    ("topup_reversal", -100, 0, "tu_1", None),
    ("risk_reserved_funds", -50, 0, "rr_1", None),
    ("unknown", -8, 0, "tr_1", None),
)
PAID = {"ch_1": 1000, "ch_2": 2500, "py_3": 500}
STATES = {"ch_1": "part-refunded", "ch_2": "disputed", "py_3": "refunded"}


def state_of(context: Context) -> tuple[object, ...]:
    """Return the entries, the balances and the state of each payment, and what waits."""
    return contents(context), account_sums(context), funds(context), states_of(context)


def states_of(context: Context) -> dict[str, str]:
    """Return the state of each payment."""
    with context.store.read() as work:
        payments = work.payments.by_source(PAID)
    return {source: record.state.value for source, record in payments.items()}


def import_each(context: Context, files: Iterable[Sequence[ProviderRow]]) -> None:
    """Import files one after the other; every row is booked or waits."""
    for rows in files:
        assert book_rows(context, rows).rejected == ()


def verdict(context: Context, place: Path) -> int:
    """Return the verifier's exit status for the bundle of the log."""
    return jara_verify.main([str(write_bundle(context, place / "bundle.tar"))])


@fewer_examples(8)
@given(rows=st.permutations(ROWS), sizes=st.lists(st.integers(1, 6), max_size=23))
def test_books_agree_in_any_order_of_rows_and_files(
    new_place: NewPlace, rows: list[ProviderRow], sizes: list[int]
) -> None:
    """One file, or many of one row each; the books and the public proof agree at the end."""
    files, rest = [], rows
    for size in sizes:
        files.append(rest[:size])
        rest = rest[size:]
    folders = [new_place(), new_place()]
    in_time, shuffled = map(make_organisation, folders)

    import_each(in_time, [ROWS])
    import_each(shuffled, [*files, rest, *files])  # the second time nothing is new

    assert states_of(shuffled) == STATES
    assert state_of(shuffled) == state_of(in_time)
    assert verify_books(shuffled).findings == ()
    assert verdict(shuffled, folders[1]) == jara_verify.GOOD
    for context, folder in zip((in_time, shuffled), folders, strict=True):
        context.store.close()
        leave(folder)


def is_caused(row: ProviderRow, booked: Sequence[ProviderRow]) -> bool:
    """Return whether the rows that a row undoes are among the booked ones."""
    charge = row.charge_id or row.source_id
    causes = {(one.category, one.source_id, one.charge_id) for one in booked}
    if row.category is RowCategory.PAYOUT_REVERSAL:
        return (RowCategory.PAYOUT, row.source_id, None) in causes
    if row.category not in RETURNS:
        return True
    is_restoring = row.category in CAUSES and row.charge_id is not None
    cause = (CAUSES.get(row.category), row.source_id, row.charge_id)
    paid = (RowCategory.CHARGE, charge, charge) in causes
    return paid and (cause in causes or not is_restoring)


@fewer_examples(15)
@given(rows=st.permutations(ROWS))
def test_after_each_row_every_row_with_its_cause_is_booked(
    new_place: NewPlace, rows: list[ProviderRow]
) -> None:
    """The other rows wait by name, and `ledger verify` says so."""
    folder = new_place()
    context = make_organisation(folder)
    seen: list[ProviderRow] = []
    for row in rows:
        import_each(context, [[row]])
        seen.append(row)
        caused: list[ProviderRow] = []
        while more := [one for one in seen if one not in caused and is_caused(one, caused)]:
            caused += more

        assert {entry.external_id for entry in all_entries(context)} == {
            one.txn_id for one in caused
        }
        found = [finding.check for finding in verify_books(context).findings]
        assert found == ["waiting_returns"] * (len(seen) - len(caused))
    context.store.close()
    leave(folder)


@pytest.mark.parametrize(("taken", "restored"), [(cause, one) for one, cause in CAUSES.items()])
def test_a_restoration_waits_for_its_withdrawal(
    context: Context, tmp_path: Path, taken: RowCategory, restored: RowCategory
) -> None:
    """A dispute won before it began, a refund that failed before it was made."""
    charge, first, last = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        (taken, -1000, 0, "x_1", "ch_1"),
        (restored, 1000, 0, "x_1", "ch_1"),
    )
    import_each(context, [[charge]])

    outcome = book_rows(context, [last])

    assert (outcome.posted, outcome.waiting) == (0, (f"{restored.words} x_1 of ch_1",))
    (finding,) = verify_books(context).findings
    assert finding.message == (
        f"The {restored.words} x_1 of ch_1, $10.00, waits for the {taken.words} x_1 of ch_1; "
        "import the file that has it."
    )
    import_each(context, [[first]])
    assert states_of(context) == {"ch_1": "paid"}
    assert verify_books(context).findings == ()
    assert verdict(context, tmp_path) == jara_verify.GOOD


def test_another_open_dispute_is_no_cause(context: Context) -> None:
    """The second dispute is won before its row comes; the first one stays open."""
    charge, one, two, won = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        ("dispute", -400, 0, "du_1", "ch_1"),
        ("dispute", -400, 0, "du_2", "ch_1"),
        ("dispute_reversal", 400, 0, "du_2", "ch_1"),
    )
    import_each(context, [[charge], [one], [won]])
    assert states_of(context) == {"ch_1": "disputed"}

    import_each(context, [[two]])

    assert states_of(context) == {"ch_1": "disputed"}
    assert len(all_entries(context)) == 4


def test_a_source_that_says_less_takes_nothing_away(context: Context) -> None:
    """A waiting row stays named, although the balance history does not name its charge."""
    charge, refund = history(
        ("charge", 1000, 59, "ch_1", "ch_1"), ("refund", -400, 0, "re_1", "ch_1")
    )
    import_each(context, [[refund], [refund._replace(charge_id=None)]])

    import_each(context, [[charge]])

    assert states_of(context) == {"ch_1": "part-refunded"}
    assert verify_books(context).findings == ()


def test_a_name_that_comes_later_lets_the_waiting_row_in(context: Context) -> None:
    """The sources of two disputes are the charge, until another file tells them apart."""
    charge, one, two, one_won, two_won = history(
        ("charge", 1000, 59, "ch_1", "ch_1"),
        ("dispute", -400, 0, "du_1", "ch_1"),
        ("dispute", -600, 0, "du_2", "ch_1"),
        ("dispute_reversal", 400, 0, "du_1", "ch_1"),
        ("dispute_reversal", 600, 0, "du_2", "ch_1"),
    )
    first, second = (row._replace(source_id="ch_1", charge_id=None) for row in (two_won, one))
    import_each(context, [[charge, two], [first], [second]])
    assert book_rows(context, [one_won]).waiting == ("dispute reversal du_1 of ch_1",)

    import_each(context, [[one], [two_won]])

    assert states_of(context) == {"ch_1": "paid"}
    assert verify_books(context).findings == ()


FIRST_MONTHS = None if IS_FULL else datetime(2024, 6, 1, tzinfo=UTC)
"""Until when the ways of importing are compared."""

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


def without_payouts(context: Context) -> Counter[object]:
    """Return the contents of the entries but payouts, regardless of their place in the log."""
    moved = {EntryKind.PAYOUT, EntryKind.PAYOUT_ARRIVED, EntryKind.PAYOUT_REVERSAL}
    return Counter(
        (entry.day, entry.kind, entry.postings, entry.reference)
        for entry in all_entries(context)
        if entry.kind not in moved | {EntryKind.RESERVE}
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
    context: Context, tmp_path: Path, road: Road
) -> None:
    """Files or API, together or in turn, give the same payments, refunds, disputes and fees.

    Dividing a payout over the funds needs its parts. Without them, the totals of accounts
    and of funds still agree. The same files again bring nothing.
    """
    booked = make_organisation(tmp_path, database=":memory:")
    book_samples(booked, *REPORTS, until=FIRST_MONTHS)
    for names in road:
        assert book_samples(context, *names, until=FIRST_MONTHS).rejected == ()

    assert without_payouts(booked) == without_payouts(context)
    assert account_sums(booked) == account_sums(context)
    assert funds(booked) == funds(context)
    again = book_samples(context, *road[0], until=FIRST_MONTHS)
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
    if IS_FULL:  # the test below adds the reports after both files
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
            differing = without_payouts(booked) - without_payouts(context)
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
