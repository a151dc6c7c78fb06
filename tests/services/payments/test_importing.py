"""Booking the provider's movements: each once, all or nothing, fund by fund."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from jara.domain.books.account import Fund
from jara.domain.books.fund_policy import DEFAULT_POLICY
from jara.domain.books.journal import EntryKind, JournalEntry
from jara.domain.books.movements import MovementFacts, entry_from_row
from jara.domain.books.provider_row import ProviderRow
from jara.records.journal import YearLock
from jara.services.books.entry_importing import FileEntry, import_entries
from jara.services.books.imports import ImportOutcome, Rejected
from jara.services.books.payment_account import set_payment_account
from jara.services.books.policies import add_account
from jara.services.context import Context
from jara.services.payments.importing import book_rows
from tests.harness import clock_of
from tests.rows import NOON, a_row, as_written
from tests.services.books.ledger_builders import (
    a_member,
    account_sums,
    all_entries,
    book,
    funds,
    give,
    newest,
)


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

    outcome = book_rows(context, rows, faults=[Rejected(7, "too short")], progress=steps.append)

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
    row = a_row("charge", 1000, 59, txn_id="txn_1", source_id="ch_1")
    fee = a_row("fee", -30, 0, txn_id="txn_f", source_id=None)
    made = [
        entry_from_row(one, MovementFacts(DEFAULT_POLICY))
        for one in (row, fee, fee._replace(txn_id="txn_g"))
    ]
    import_entries(context, [FileEntry(1, f"e{n}", one) for n, one in enumerate(made) if one])
    with context.store.read() as work:
        charge = work.journal.known_external_ids(["txn_1"])["txn_1"]

    assert book(context, row).skipped == 1
    book(context, a_row("refund", -400, 0, txn_id="txn_r", source_id="re_1", charge_id="ch_1"))
    assert charge == newest(context).entry.of
    assert book(context, fee).skipped == 1
    wrong = fee._replace(txn_id="txn_g", amount=-31, net=-31)
    assert "is booked with -$0.30 gross" in book_rows(context, [wrong]).rejected[0].message


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


def payout(cents: int, **changes: object) -> ProviderRow:
    """Return a payout's row."""
    row = a_row("payout", -cents, 0, txn_id="txn_p", source_id="po_1", arrives_on=date(2026, 3, 7))
    return row._replace(**changes)  # type: ignore[arg-type] # given by the test, by name


def written(entries: Iterable[JournalEntry]) -> list[str]:
    """Write the postings of entries in short form."""
    return [as_written(entry) for entry in entries]


def test_a_payout_takes_the_sum_of_its_transactions_from_each_fund(context: Context) -> None:
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

    assert (account_sums(context)["assets:bank"], account_sums(context)["assets:in-transit"]) == (
        441,
        500,
    )


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


def test_a_reserve_moves_money_fund_by_fund(context: Context) -> None:
    """A reserve moves money between two accounts, fund by fund."""
    give(context, 1000)
    book(context, a_row("risk_reserved_funds", -200, 0, txn_id="txn_m", source_id="m_1"))

    assert {
        name: sum_ for name, sum_ in account_sums(context).items() if name.startswith("assets")
    } == {"assets:stripe": 800, "assets:stripe-reserve": 200}
