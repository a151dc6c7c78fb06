"""Posting: an entry is written to all tables or to none."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from jara.domain.books.account import BANK, PLEDGES, STRIPE, Fund
from jara.domain.books.fund_policy import split
from jara.domain.books.journal import EntryKind, JournalEntry, PostedEntry, Posting, reversal_of
from jara.domain.books.spending import opening_entry
from jara.domain.books.trace_rows import Pool
from jara.domain.errors import Conflict, DuplicateEntry, UnknownAccount, YearLocked
from jara.records.journal import YearLock
from jara.services.books.posting import Books, asset_cells, fund_balances
from jara.services.context import Context
from tests.harness import clock_of

DAY = date(2026, 11, 2)


def post(context: Context, entry: JournalEntry, charge_id: str | None = None) -> PostedEntry:
    """Post one entry in a transaction of its own."""
    with context.store.write() as work:
        return Books(context, work).post(entry, charge_id=charge_id)


def a_payment(cents: int = 1000, *, external_id: str = "txn_1") -> JournalEntry:
    """A pledge payment without a fee, split by the tests' policy."""
    parts = split(cents, dict(zip((*Fund,)[:4], (80, 7, 9, 4), strict=True)))
    return JournalEntry(
        day=DAY,
        kind=EntryKind.PLEDGE,
        description="Pledge payment",
        postings=tuple(Posting(STRIPE, fund, part) for fund, part in parts.items())
        + tuple(Posting(PLEDGES, fund, -part) for fund, part in parts.items()),
        external_id=external_id,
        member_key="mem_1",
    )


def a_refund(of: PostedEntry) -> JournalEntry:
    """A full refund of the payment."""
    return replace(
        of.entry,
        kind=EntryKind.REFUND,
        description="Refund",
        postings=tuple(replace(p, cents=-p.cents) for p in of.entry.postings),
        of=of.index,
        external_id=f"refund:{of.index}",
    )


def standing(context: Context, index: int) -> tuple[int, str]:
    """Return the current state of a payment."""
    with context.store.read() as work:
        record = work.payments.by_index(index)
    assert record is not None
    return record.returned_cents, record.dispute


def test_an_entry_is_in_log_journal_totals_and_trace(context: Context) -> None:
    """One transaction writes the entry to all of them."""
    posted = post(context, a_payment(), charge_id="ch_1")

    with context.store.read() as work:
        assert work.journal.get(posted.index).entry == posted.entry
        assert work.log.leaf(posted.index).type == "jara/v1/entry"
        assert fund_balances(work)[Fund.PROJECTS] == 800
        assert asset_cells(work, Fund.STAFF) == {STRIPE: 70}
        assert work.trace.pool(Pool.PROJECTS).total_cents == 800
        assert work.payments.by_source(["ch_1"])["ch_1"].cents == 1000


def test_an_outside_id_is_posted_once(context: Context) -> None:
    """A second posting of the same outside id is refused, and the message names the first."""
    posted = post(context, a_payment())

    with pytest.raises(DuplicateEntry, match=f"posted already, as the entry {posted.id}"):
        post(context, a_payment())


def test_an_unknown_account_leaves_nothing(context: Context) -> None:
    """An account outside the chart is refused, and no leaf is written."""
    entry = opening_entry(DAY, {("assets:mattress", Fund.OTHER): 100})
    with context.store.read() as work:
        before = work.log.size()

    with pytest.raises(UnknownAccount, match="assets:mattress"):
        post(context, entry)
    with context.store.read() as work:
        assert work.log.size() == before


def test_a_closed_year_takes_no_entry(context: Context) -> None:
    """An entry for a locked year is refused, and the message names the year."""
    with context.store.write() as work:
        work.book_settings.lock_year(YearLock(2026, context.now(), 2, "00", {}))

    with pytest.raises(YearLocked, match="2026"):
        post(context, a_payment())


def test_a_refund_is_taken_off_its_payment_and_its_reversal_put_back(context: Context) -> None:
    """The returned amount is counted as by the public verifier."""
    payment = post(context, a_payment())
    refund = post(context, a_refund(payment))
    assert standing(context, payment.index) == (1000, "none")

    post(context, reversal_of(refund, day=DAY, why="sent twice"))

    assert standing(context, payment.index) == (0, "none")


def test_a_dispute_is_open_until_it_is_won(context: Context) -> None:
    """A disputed payment does not count until the dispute is won."""
    payment = post(context, a_payment())
    dispute = replace(a_refund(payment), kind=EntryKind.DISPUTE, external_id="du_1")
    post(context, dispute)
    assert standing(context, payment.index) == (1000, "open")

    won = replace(
        dispute,
        kind=EntryKind.DISPUTE_REVERSAL,
        postings=payment.entry.postings,
        external_id="du_1:won",
    )
    post(context, won)

    assert standing(context, payment.index) == (0, "won")


def test_a_reversed_payment_counts_for_nothing(context: Context) -> None:
    """Nothing was refunded, but the payment is no longer a contribution."""
    payment = post(context, a_payment())

    post(context, reversal_of(payment, day=DAY, why="not ours"))

    assert standing(context, payment.index) == (0, "reversed")
    with context.store.read() as work:
        assert work.electors.contributions() == (0, 0)
        assert not any(payment.is_kept for payment in work.payments.all())


def test_an_entry_is_reversed_once(context: Context) -> None:
    """A second reversal would post the mistake again with the opposite sign."""
    opening = post(context, opening_entry(DAY, {(BANK, Fund.OTHER): 100}))
    again = reversal_of(opening, day=DAY, why="typing mistake")
    reversed_at = post(context, again)

    with pytest.raises(Conflict, match=f"already reversed, at {reversed_at.index}"):
        post(context, again)
    with pytest.raises(Conflict, match="is itself a reversal"):
        post(context, reversal_of(reversed_at, day=DAY, why="second thoughts"))


def test_time_in_the_books_never_runs_backwards(context: Context) -> None:
    """A clock that is set back does not reorder the states of the books."""
    first = post(context, a_payment())
    clock_of(context).set(datetime(2026, 1, 1, tzinfo=UTC))

    second = post(context, a_payment(external_id="txn_2"))

    assert first.booked_at == second.booked_at
