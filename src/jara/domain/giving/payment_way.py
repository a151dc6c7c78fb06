"""Payment methods other than cards; a reference identifies the payer."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator
from datetime import date
from enum import StrEnum

from jara.domain.errors import InvalidInput


class PaymentWay(StrEnum):
    """How a pledge is paid."""

    CARD = "card"
    TRANSFER = "transfer"
    CASH = "cash"
    MOBILE = "mobile"

    @property
    def phrase(self) -> str:
        """The method in a sentence: 'paid by ...'."""
        return {"transfer": "bank transfer", "mobile": "mobile money"}.get(self, self.value)


ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""31 characters (a prime number), without lookalikes."""

_VALUES = {sign: place for place, sign in enumerate(ALPHABET)}

_MARK = "J"
_DRAWN = 6
_LENGTH = len(_MARK) + _DRAWN + 1


def make_reference(draw: bytes) -> str:
    """Return a reference from six random bytes: a mark, six characters and a check character.

    The check character detects any wrong character and any two swapped neighbours.
    """
    body = "".join(ALPHABET[byte % len(ALPHABET)] for byte in draw[:_DRAWN])
    return f"{_MARK}{body}{_check_sign(body)}"


def print_reference(reference: str) -> str:
    """Format a reference in two groups of four."""
    return f"{reference[:4]}-{reference[4:]}"


def parse_reference(text: str) -> str:
    """Parse a reference, ignoring case, spaces and punctuation.

    Raises:
        InvalidInput: it is not a reference, or its check character is wrong.
    """
    found = "".join(sign for sign in text.upper() if sign.isalnum())
    if not _is_reference(found):
        raise InvalidInput(
            f"'{text[:20]}' is not a payment reference like J7K3-QXW2; a character may be wrong."
        )
    return found


def references_in(words: str) -> Iterator[str]:
    """Yield every reference in a text without spaces and punctuation."""
    upper = words.upper()
    place = upper.find(_MARK)
    while place >= 0:
        window = upper[place : place + _LENGTH]
        if _is_reference(window):
            yield window
        place = upper.find(_MARK, place + 1)


def covered_until(payments: Iterable[tuple[date, int]], dollars: int) -> date | None:
    """Return the first day that payments do not cover; None if they cover no month.

    A payment covers as many months as it contains whole monthly pledges, from its day or
    from the end of the months already covered, whichever is later.

    Args:
        payments: day and unrefunded cents of each, in any order.
        dollars: the monthly pledge.
    """
    until: date | None = None
    for day, cents in sorted(payments):
        months = cents // (dollars * 100)
        if months:
            until = _months_after(day if until is None else max(until, day), months)
    return until


def _months_after(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    year, month = number // 12, number % 12 + 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def _is_reference(text: str) -> bool:
    if len(text) != _LENGTH or text[0] != _MARK or not _VALUES.keys() >= set(text[1:]):
        return False
    return text[-1] == _check_sign(text[1:-1])


def _check_sign(body: str) -> str:
    weighted = sum((place + 2) * _VALUES[sign] for place, sign in enumerate(body))
    return ALPHABET[-weighted % len(ALPHABET)]
