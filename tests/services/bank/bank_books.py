"""Importing statements, for the bank tests."""

from datetime import date
from pathlib import Path

from jara.domain.bank.statement import Statement
from jara.domain.books.account import BANK, Fund
from jara.domain.books.spending import opening_entry
from jara.domain.giving.payment_way import PaymentWay
from jara.services.bank.answering import list_waiting
from jara.services.bank.importing import BankOutcome, import_statements
from jara.services.bank.reconciling import BankReconciliation, reconcile_bank
from jara.services.books.bookkeeping import post_entry
from jara.services.context import Context
from jara.services.payments.ways import set_way
from tests.harness import clock_of, make_organisation

END = date(2026, 5, 31)


def take(context: Context, *statements: Statement, file: str = "may.xml") -> BankOutcome:
    """Import the statements of a file as the books' account."""
    return import_statements(context, statements, file=file, new_account=BANK)


def takes_transfers(place: Path, *, day: int = 31) -> Context:
    """Return an organisation that accepts transfers, on a day of May."""
    context = make_organisation(place)
    set_way(context, PaymentWay.TRANSFER, ledger=BANK, details="")
    clock_of(context).at = clock_of(context).at.replace(month=5, day=day)
    return context


def open_with(context: Context, cents: int, *, day: date = date(2026, 4, 30)) -> None:
    """Book the bank's opening balance, all in the fund `other`."""
    post_entry(context, opening_entry(day, {(BANK, Fund.OTHER): cents}))


def waiting(context: Context) -> list[tuple[int, str]]:
    """Return the amount and reason of each waiting line."""
    return [(line.line.cents, line.reason) for line in list_waiting(context)]


def compared(context: Context, day: date = END) -> BankReconciliation:
    """Reconcile, and check that the listed items explain the difference."""
    found = reconcile_bank(context, day)
    assert found.difference_cents == sum(one.cents for one in found.differences)
    return found
