"""Claims: what volunteers paid for the organisation, and how it is paid back."""

from datetime import date, timedelta
from typing import NamedTuple

from jara.domain.books.account import CLAIMS, Fund
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, Posting
from jara.domain.books.years import BookingDay
from jara.domain.currency import books_currency, format_minor, parse_foreign_amount
from jara.domain.errors import InvalidAmount
from jara.domain.lookup import fold
from jara.domain.money import format_cents, parse_cents
from jara.domain.texts import Value, tr

CLAIMS_A_YEAR = 200
"""How many claims one person may send within `YEAR`."""
YEAR = timedelta(days=365)
PURPOSE_CHARS_MAX = 60
SHOP_CHARS_MAX = 80
NOTE_CHARS_MAX = 500
REPAY_CHARS_MAX = 140
RATE_CHARS_MAX = 120

CLAIM_BOOKED = "Expense that a volunteer paid"
CLAIM_REPAID = "Paid back to a volunteer"
"""What the log says of the two entries of a claim."""


class Bought(NamedTuple):
    """What was bought: the day, the shop, and the amount in the smallest unit of its currency."""

    day: date
    shop: str
    currency: str
    minor: int

    @property
    def mark(self) -> "Bought":
        """What it has in common with the same purchase, written again."""
        return self._replace(shop=fold(self.shop))

    @property
    def amount(self) -> Value:
        """The amount for people."""
        if self.currency == books_currency():
            return format_cents(self.minor)
        return format_minor(self.currency, self.minor)


def parse_claimed(currency: str, amount: str) -> tuple[str, int]:
    """Return the code and the smallest units of an amount that was paid, such as ``45.50``.

    Raises:
        InvalidInput: the currency is unknown.
        InvalidAmount: it is not a positive amount that the currency can have.
    """
    code = currency.strip().upper()
    if code == books_currency():
        cents = parse_cents(amount)
        if not cents:
            raise InvalidAmount("Nothing was paid.")
        return code, cents
    return parse_foreign_amount(f"{code} {amount}")


def number_of(claim_id: str) -> str:
    """Return what a transfer names a claim by, such as ``claim-3b9ad2f1``."""
    return f"claim-{claim_id.partition('_')[2][:8]}"


def account_of_claimant(partner_id: str) -> str:
    """Return the account of what is owed to a person; it does not name them, for it is for ever."""
    return f"{CLAIMS}:{partner_id.partition('_')[2]}"


class Debt(NamedTuple):
    """What is owed for a claim: its id, the account of the claimant, the fund and the cents."""

    claim: str
    account: str
    fund: Fund
    cents: int


def claim_entry(
    when: BookingDay, debt: Debt, expense: str, *, why: str, foreign: Foreign | None
) -> JournalEntry:
    """Return the entry of an approved claim: the expense, and what is owed for it."""
    return JournalEntry(
        day=when.day,
        true_day=when.true_day,
        kind=EntryKind.EXPENSE,
        description=CLAIM_BOOKED,
        postings=(
            Posting(expense, debt.fund, debt.cents),
            Posting(debt.account, debt.fund, -debt.cents),
        ),
        reference=number_of(debt.claim),
        external_id=f"claim:{debt.claim}",
        foreign=foreign,
        note=why.strip() or None,
    )


def repayment_entry(
    when: BookingDay, debt: Debt, *, paid_from: str, earlier: int | None
) -> JournalEntry:
    """Return the entry that pays a claim back; `earlier` is the log index of a reversed payment."""
    again = "" if earlier is None else f":{earlier}"
    return JournalEntry(
        day=when.day,
        true_day=when.true_day,
        kind=EntryKind.MANUAL,
        description=CLAIM_REPAID,
        postings=(
            Posting(debt.account, debt.fund, debt.cents),
            Posting(paid_from, debt.fund, -debt.cents),
        ),
        reference=number_of(debt.claim),
        external_id=f"claim:{debt.claim}:paid{again}",
    )


def describe_twice(bought: Bought) -> str:
    """Return the question whether a purchase was claimed before."""
    return tr(
        "You claimed {amount} of {day} at {shop} already. If you paid twice, say so below and send "
        "it again.",
        amount=bought.amount,
        day=str(bought.day),
        shop=bought.shop,
    )
