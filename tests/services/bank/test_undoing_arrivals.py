"""Undoing a bank statement that brought a Stripe payout, and members' receipts."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, IN_TRANSIT, STRIPE
from jara.domain.giving.payment_way import PaymentWay
from jara.services.bank.importing import settle_again
from jara.services.books.bookkeeping import reverse_entry
from jara.services.books.imports import IMPORT_ACTION
from jara.services.context import Context
from jara.services.operations.daily_run import queue_due_emails
from jara.services.operations.import_undo import Undone, list_imports, undo_import
from jara.services.payments.importing import book_rows
from jara.services.payments.ways import set_way
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import clock_of, make_organisation
from tests.rows import a_row
from tests.services.bank.bank_books import compared, take, waiting
from tests.services.bank.test_contributions import promised
from tests.services.bank.test_settling import PAYOUT
from tests.services.books.ledger_builders import book, give, money_findings, newest

STATEMENT = a_statement(a_line(1000, "STRIPE PAYOUT po_12345678", day=7))


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation at the end of May, with $10 at Stripe."""
    context = make_organisation(place)
    clock_of(context).at = clock_of(context).at.replace(month=5, day=31)
    give(context, 1000)
    return context


def balance(context: Context, account: str) -> int:
    """Return the balance of an account."""
    with context.store.read() as work:
        return sum(row.cents for row in work.journal.balances(accounts=(account,)))


def undone(context: Context) -> Undone:
    """Undo the newest import."""
    done = undo_import(context, list_imports(context)[0].id, why="another bank's")
    assert isinstance(done, Undone)
    return done


def test_an_arrival_that_a_rematch_booked_is_undone_too(context: Context) -> None:
    """The payout became known after the statement; only the statement says that it arrived."""
    take(context, STATEMENT)
    book(context, PAYOUT)
    assert settle_again(context).by_payout == 1

    assert (undone(context).reversed, list_imports(context)[0].left) == (1, 0)
    assert (balance(context, BANK), balance(context, IN_TRANSIT)) == (0, 1000)
    assert money_findings(context) == []


def test_an_arrival_reported_by_stripe_stays(context: Context) -> None:
    """Stripe also reported the arrival, so it stays and waits for its line again."""
    take(context, STATEMENT)
    book(context, PAYOUT._replace(arrives_on=date(2026, 5, 6)))
    assert settle_again(context).by_entry == 1

    assert undone(context).reversed == 0
    assert balance(context, BANK) == 1000


def test_an_undone_payout_arrives_again(context: Context) -> None:
    """The payout arrives with the corrected statement; Stripe's later report books nothing."""
    book(context, PAYOUT)
    for _ in range(3):
        assert take(context, STATEMENT).settled.by_payout == 1
        assert waiting(context) == []
        undone(context)
    take(context, STATEMENT)
    book(context, PAYOUT._replace(arrives_on=date(2026, 5, 6)))

    assert (balance(context, BANK), balance(context, IN_TRANSIT)) == (1000, 0)
    assert compared(context).difference_cents == 0
    assert money_findings(context) == []


def test_a_payout_that_failed_takes_back_the_arrival_that_counts(context: Context) -> None:
    """A failed payout reverses the second arrival if the first was undone."""
    book(context, PAYOUT)
    take(context, STATEMENT)
    undone(context)
    take(context, STATEMENT)
    failed = a_row("payout_reversal", 1000, 0, txn_id="txn_r", source_id="po_12345678")
    book(context, failed)

    assert tuple(balance(context, one) for one in (BANK, IN_TRANSIT, STRIPE)) == (0, 0, 1000)
    assert money_findings(context) == []


def test_a_file_with_a_returned_payout_is_undone(context: Context) -> None:
    """The import itself reversed its arrival, so those two entries are skipped."""
    arrived = PAYOUT._replace(arrives_on=date(2026, 5, 6))
    failed = a_row("payout_reversal", 1000, 0, txn_id="txn_r", source_id="po_12345678")
    book_rows(context, [arrived, failed], act=IMPORT_ACTION)
    before = list_imports(context)[0]

    assert (before.posted, before.left) == (4, 2)
    done = undone(context)
    assert (done.reversed, done.skipped) == (2, 2)
    assert tuple(balance(context, one) for one in (BANK, IN_TRANSIT, STRIPE)) == (0, 0, 1000)
    assert money_findings(context) == []


def receipts(context: Context) -> list[bool]:
    """Return for each receipt in the outbox whether it was sent."""
    with context.store.read() as work:
        emails = [one for one in work.outbox.all() if one.kind == "receipt"]
    return [one.sent_at is not None for one in emails]


def import_payments(context: Context, count: int) -> None:
    """Import a statement with members' payments."""
    set_way(context, PaymentWay.TRANSFER, ledger="assets:bank", details="")
    names = [promised(context, f"m{number}") for number in range(count)]
    take(context, a_statement(*(a_line(1000, f"GIFT {name}", day=30) for name in names)))


def test_an_undo_withdraws_receipts(context: Context) -> None:
    """No receipt is sent for a reversed payment, neither today nor by the next daily run."""
    import_payments(context, 2)
    assert receipts(context) == [False, False]
    done = undone(context)
    queue_due_emails(context)

    assert (done.receipts_withdrawn, done.receipts_sent, receipts(context)) == (2, 0, [])


def test_an_undo_says_how_many_receipts_were_sent(context: Context) -> None:
    """Receipts that were sent or are being sent are counted and not recalled."""
    import_payments(context, 3)
    now = context.now()
    with context.store.write() as work:
        one, two, _ = [mail for mail in work.outbox.all() if mail.kind == "receipt"]
        work.outbox.sent(one.id, at=now)
        for mail in work.outbox.lease(now=now, until=now.replace(hour=23), limit=99):
            if mail.id != two.id:
                work.outbox.failed(mail.id, reason="no answer", due_at=now)
        work.outbox.sent(one.id, at=now)
    done = undone(context)

    assert (done.receipts_withdrawn, done.receipts_sent) == (1, 2)
    assert sorted(receipts(context)) == [False, True]


def test_the_receipt_of_a_reversed_payment_is_not_sent(context: Context) -> None:
    """The receipt is not sent, however the payment is reversed."""
    import_payments(context, 1)
    reverse_entry(context, newest(context).id, why="not ours")
    queue_due_emails(context)

    assert receipts(context) == []
