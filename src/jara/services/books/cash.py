"""Cash that people see: counts of it, and the book of numbered receipts that givers take home.

Money that is never booked is what no ledger sees; a giver's numbered receipt is.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.books.account import AccountType, account_type
from jara.domain.errors import InvalidInput
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

COUNT_ACTION, RECEIPT_ACTION = "ledger.count", "payments.receipt"
COUNTED = ("countedCents", "booksCents", "differenceCents")
RECEIPT_NUMBER = "receiptNumber"


class CashCount(NamedTuple):
    """A count of cash against the books."""

    account: str  # where the cash is booked
    counted_cents: int
    books_cents: int
    coins: str  # how it was made up; empty if nobody said

    @property
    def difference_cents(self) -> Annotated[int, Json(after="books_cents")]:
        """What is there more than in the books."""
        return self.counted_cents - self.books_cents


def count_cash(context: Context, account: str, cents: int, *, coins: str = "") -> CashCount:
    """Record a count of cash; the books stay as they are.

    Raises:
        UnknownAccount: the chart has no such account.
        InvalidInput: it is no asset.
    """
    with context.store.write() as work:
        work.book_settings.chart().require(account)
        if account_type(account) is not AccountType.ASSETS:
            raise InvalidInput(f"'{account}' holds no cash; name an account like assets:cash.")
        books = sum(row.cents for row in work.journal.balances(accounts=[account]))
        count = CashCount(account, cents, books, coins)
        sums = (count.counted_cents, count.books_cents, count.difference_cents)
        facts = dict(zip(COUNTED, sums, strict=True))
        record_act(context, work, COUNT_ACTION, account, why=coins, facts=facts)
    return count


def number_receipt(context: Context, entry: str) -> int:
    """Give a new entry the next number of the receipt book.

    Raises:
        NotFound: there is no such entry.
    """
    with context.store.write() as work:
        posted = work.journal.find(entry)
        number = 1 + max(dict(_receipts(work)), default=0)
        record_act(context, work, RECEIPT_ACTION, posted.id, facts={RECEIPT_NUMBER: number})
    return number


def receipt_book(work: UnitOfWork) -> list[tuple[int, str]]:
    """Return the entry of each number in the receipt book; empty for a number without one."""
    known = dict(_receipts(work))
    return [(number, known.get(number, "")) for number in range(1, max(known, default=0) + 1)]


def _receipts(work: UnitOfWork) -> Iterator[tuple[int, str]]:
    for row in work.operations.audit(action=RECEIPT_ACTION):
        yield int(row.after[RECEIPT_NUMBER]), row.subject
