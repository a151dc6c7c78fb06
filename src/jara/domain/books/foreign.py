"""Payments in another currency: the amount received, and its cost in that of the books."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated, NamedTuple

from jara.documents import OPTIONAL, Json
from jara.domain.books.journal import Foreign
from jara.domain.currency import derive_rate, format_minor, parse_foreign_amount
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents
from jara.domain.texts import Text, tr, value

SOURCE_LENGTH_MAX = 120
PUBLIC_AMOUNT = Json("foreign", after="foreign", is_optional=True)
"""Marks the property that stands in documents for a payment's field ``foreign``."""


class ForeignAmount(NamedTuple):
    """What a payee received in another currency, without the operator's source of the rate."""

    currency: str
    amount_minor: int
    """Negative for returned money."""
    text: str
    rate: str
    receipt: Annotated[str | None, OPTIONAL] = None
    """The SHA-256 of the receipt, in hex."""


class ForeignSum(NamedTuple):
    """Payments in one currency, added up in both currencies."""

    currency: str
    amount_minor: int
    cents: int
    """Their cost in cents of the books."""

    @property
    def text(self) -> Annotated[str, Json(after="amount_minor")]:
        """The amount for people."""
        return format_minor(self.currency, self.amount_minor)


def foreign_payment(text: str, *, cents: int, source: str | None) -> Foreign:
    """Return a payment's amount in another currency, with the rate derived from both amounts.

    `text` is the received amount, such as ``KES 464,400``, and `cents` its cost without the bank's
    charge. `source` is that of the rate, such as ``bank slip 1182``.

    Raises:
        InvalidInput: the currency is unknown or that of the books, the cost is not positive, or
            the source is missing or too long.
        InvalidAmount: the text is not a positive amount that the currency can have.
    """
    currency, minor = parse_foreign_amount(text)
    if cents <= 0:
        raise InvalidInput(f"{text} for {format_cents(0)} has no rate; give what it cost us.")
    named = " ".join((source or "").split())
    if not named:
        raise InvalidInput(f"'{text}' needs the source of its rate, like 'bank slip 1182'.")
    if len(named) > SOURCE_LENGTH_MAX:
        raise InvalidInput(
            f"The source of the rate has {len(named)} characters; "
            f"the maximum is {SOURCE_LENGTH_MAX}."
        )
    return Foreign(currency, minor, derive_rate(currency, minor, cents), named)


def signed_minor(foreign: Foreign, cents: int) -> int:
    """Return the amount with the sign of its cents; returned money is negative."""
    return -foreign.amount_minor if cents < 0 else foreign.amount_minor


def describe_foreign(foreign: Foreign, cents: int) -> Text:
    """Return amount and rate for people: ``KES 464,400 at 129.00``."""
    amount = format_minor(foreign.currency, signed_minor(foreign, cents))
    rate = value(foreign.rate, "decimal", foreign.rate)
    return tr("{amount} at {rate}", amount=amount, rate=rate)


def public_amount(foreign: Foreign | None, cents: int) -> ForeignAmount | None:
    """Return the public form of a payment's amount; None of a payment in the books' currency."""
    if foreign is None:
        return None
    minor = signed_minor(foreign, cents)
    text = format_minor(foreign.currency, minor)
    return ForeignAmount(foreign.currency, minor, text, foreign.rate, foreign.receipt)


def sum_foreign(payments: Iterable[tuple[Foreign | None, int]]) -> tuple[ForeignSum, ...]:
    """Add up payments by currency, in both currencies.

    Payments only in the books' currency are left out, and so are currencies that sum to zero. A
    payment has its foreign amount and its cents, which are negative for returned money.
    """
    sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for foreign, cents in payments:
        if foreign is not None:
            total = sums[foreign.currency]
            total[0] += signed_minor(foreign, cents)
            total[1] += cents
    return tuple(
        ForeignSum(currency, *sums[currency]) for currency in sorted(sums) if any(sums[currency])
    )
