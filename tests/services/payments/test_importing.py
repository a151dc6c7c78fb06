"""Booking the provider's movements one at a time: each once, all or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.movements import MovementFacts, entry_from_row
from jara.files.ledger.file_entry import FileEntry
from jara.records.book_settings import YearLock
from jara.services.books.entry_importing import import_entries
from jara.services.books.imports import ImportOutcome, Rejected
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from tests.rows import NOON, a_row
from tests.services.books.ledger_builders import (
    a_member,
    all_entries,
    book,
    funds,
    give,
    newest,
)


@dataclass
class Line:
    """A fault as a file reader reports it."""

    line: int
    message: str


def test_a_rejected_row_leaves_everything_unposted(context: Context) -> None:
    """Nothing is posted unless the operator asks for the rest."""
    rows = [
        a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1", line=2),
        a_row("charge", 1000, 59, txn_id="txn_2", currency="cad", line=3),
    ]
    why = "the currency is 'cad'; only rows in usd are booked."

    assert book_rows(context, rows) == ImportOutcome(2, 0, 0, (Rejected(3, why),))
    assert all_entries(context) == []
    assert book_rows(context, rows, partial=True) == ImportOutcome(2, 1, 0, (Rejected(3, why),))
    assert len(all_entries(context)) == 1


def test_faults_of_the_reader_count_too(context: Context) -> None:
    """A line that could not be read stops the file as well."""
    steps: list[int] = []
    rows = [a_row("charge", 1000, 59)]

    outcome = book_rows(context, rows, faults=[Line(7, "too short")], progress=steps.append)

    assert outcome == ImportOutcome(2, 0, 0, (Rejected(7, "too short"),))
    assert steps == [1]


def test_a_movement_of_nothing_is_noted_and_not_booked(context: Context) -> None:
    """A movement of zero makes no entry, and is skipped the next time too."""
    row = a_row("fee", 0, 0)

    assert (book(context, row).posted, book(context, row).skipped) == (0, 1)
    assert all_entries(context) == []


def test_a_dispute_may_withdraw_twice(context: Context) -> None:
    """The second withdrawal of a dispute is a separate movement."""
    give(context, 1000)
    rows = [
        a_row("dispute", -300, 1500, txn_id=f"txn_d{n}", source_id="du_1", charge_id="ch_1")
        for n in (1, 2)
    ]
    book(context, rows[0])

    assert book(context, *rows).posted == 1
    assert [entry.kind for entry in all_entries(context)] == [
        EntryKind.PLEDGE,
        EntryKind.DISPUTE,
        EntryKind.DISPUTE,
    ]


def test_refunds_and_disputes_belong_to_the_giver_of_their_payment(context: Context) -> None:
    """The entry has the giver's key of its payment."""
    paid = give(context, 1000, customer_id="cus_1")
    book(context, a_row("refund", -400, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_1"))

    refund = newest(context).entry
    assert paid.entry.member_key is not None
    assert (paid.index, paid.entry.member_key) == (refund.of, refund.member_key)


def test_a_giver_keeps_one_key(context: Context) -> None:
    """Customer and address give the same key; a payment with neither has no giver."""
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
    assert (keys[3], keys[5]) == (None, None)
    assert None not in {keys[0], keys[4]}


def test_a_members_payment_carries_the_members_key(context: Context) -> None:
    """A payment that only names the customer gets the member's key too."""
    member = a_member()
    with context.store.write() as work:
        work.members.add(member, password_hash="")
    first = a_row(
        "charge", 500, 0, txn_id="txn_1", source_id="ch_1", member_id=member.id, customer_id="cus_1"
    )
    book(context, first, first._replace(txn_id="txn_2", source_id="ch_2"))
    book(context, first._replace(txn_id="txn_3", source_id="ch_3", member_id=None))

    assert {entry.member_key for entry in all_entries(context)} == {member.key}


def test_late_rows_of_a_closed_year_go_to_the_first_open_day(context: Context) -> None:
    """The entry stores the true day beside its own day."""
    lock = YearLock(2026, NOON, 2, "00", {})
    with context.store.write() as work:
        work.book_settings.lock_year(lock)

    book(context, a_row("charge", 1000, 59))

    entry = all_entries(context)[0]
    assert (entry.day, entry.true_day) == (date(2027, 1, 1), NOON.date())


def test_a_day_before_every_policy_is_rejected(context: Context) -> None:
    """Nothing says how such a payment would be split."""
    row = a_row("charge", 1000, 59, created=datetime(1999, 5, 1, tzinfo=UTC), line=4)

    assert (
        "No fund policy is in force on 1999-05-01" in book_rows(context, [row]).rejected[0].message
    )


def test_rows_known_by_their_entry_alone_are_adopted(context: Context) -> None:
    """After a rebuild from a journal a row finds its entry by the outside id."""
    entry_road = make_rebuilt(context)
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1")

    assert book(context, row).skipped == 1
    book(context, a_row("refund", -400, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_1"))
    assert entry_road == newest(context).entry.of
    fee = a_row("fee", -30, 0, txn_id="txn_f", source_id=None)
    assert book(context, fee).skipped == 1
    wrong = fee._replace(txn_id="txn_g", amount=-31, net=-31)
    assert "is booked with -$0.30 gross" in book_rows(context, [wrong]).rejected[0].message


def test_new_movements_may_follow_known_ones(context: Context) -> None:
    """A file may start with rows of rebuilt books and continue with new ones."""
    make_rebuilt(context)
    known = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1")
    nothing = a_row("fee", 0, 0, txn_id="txn_0", source_id=None)
    new = [
        a_row("charge", 500, 0, txn_id=f"txn_{name}", source_id=f"ch_{name}") for name in ("a", "b")
    ]

    outcome = book(context, nothing, known, *new)

    assert (outcome.posted, outcome.skipped) == (2, 2)
    assert verify_books(context).findings == ()


def make_rebuilt(context: Context) -> int:
    """Import the provider's entries like a journal, and return the index of the first."""
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


def test_overdrawn_is_booked_where_stripe_has_done_it_already(context: Context) -> None:
    """Stripe has already taken the fee, so it is booked, and the fund is below zero."""
    book(context, a_row("fee", -100, 0))

    assert sum(funds(context).values()) == -100
    assert funds(context)[Fund.STAFF] < 0


def test_an_import_by_an_operator_is_in_the_audit_log(context: Context) -> None:
    """The audit log has the number of movements posted, skipped and rejected."""
    row = a_row("charge", 1000, 59)

    book_rows(context, [row, row], act="ledger.import")

    with context.store.read() as work:
        (act,) = work.operations.audit()
    assert (act.action, act.subject) == ("ledger.import", "provider")
    assert {"changed": [], "posted": 1, "skipped": 1, "rejected": 0}.items() <= act.after.items()
    assert (act.after["firstIndex"], act.after["nextIndex"]) == (2, 3)
