"""Amounts in whole cents of the books' currency, parsed and formatted without floats."""

import re
from collections.abc import Sequence

from jara.domain.currency import books_currency, books_marks, home_sign, symbol_of
from jara.domain.errors import InvalidAmount
from jara.domain.texts import Value, value

_AMOUNT = re.compile(
    r"(?P<minus>-)?(?P<before>[^-0-9]*)"
    r"(?P<units>[0-9]{1,15}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})"
    r"(?:\.(?P<cents>[0-9]{1,2}))?(?P<after>[^-0-9]*)",
    re.ASCII,
)
_SPACES = " \u00a0\u202f"


def parse_cents(text: str, *, allow_negative: bool = False) -> int:
    """Parse an amount such as ``10``, ``10.5`` or ``$1,457.00`` as cents.

    The code or symbol of the books' currency may stand before or after it; surrounding spaces are
    ignored. With `allow_negative` also ``-12.00`` is accepted; ``-0`` is always refused.

    Raises:
        InvalidAmount: anything else, such as ``1e3``, ``NaN``, ``10.005``, digits of another
            script or another currency.
    """
    match = _AMOUNT.fullmatch(text.strip(" "))
    if match is None or not _is_ours(match["before"], match["after"]):
        raise InvalidAmount(
            f"'{text}' is not an amount; write {books_currency()} with at most two decimals, "
            "like 10 or 1,457.50."
        )
    units = int(match["units"].replace(",", ""))
    cents = units * 100 + int((match["cents"] or "").ljust(2, "0"))
    if match["minus"]:
        if cents == 0:
            raise InvalidAmount(f"'{text}' is not an amount; zero has no sign, write 0.")
        if not allow_negative:
            raise InvalidAmount(f"'{text}' is negative; only amounts from 0 up are allowed.")
        return -cents
    return cents


def format_cents(cents: int, currency: str | None = None) -> Value:
    """Format cents of a currency, by default the books': ``$1,457.00``, ``-CA$12.00``."""
    sign = "-" if cents < 0 else ""
    units, rest = divmod(abs(cents), 100)
    own = None if currency else home_sign()
    symbol = own or symbol_of(currency or books_currency())
    return value(f"{sign}{symbol}{units:,}.{rest:02d}", "money", cents, own or currency)


def divide_cents(cents: int, weights: Sequence[int]) -> list[int]:
    """Divide an amount from 0 up by weights, so that the parts sum to it exactly.

    Largest remainder method: each part is within one cent of its exact share, ties to the
    earlier weight. The weights are 0 or more, and not all 0.
    """
    total = sum(weights)
    parts = [cents * weight // total for weight in weights]
    missing = cents - sum(parts)
    by_remainder = sorted(range(len(weights)), key=lambda at: -(cents * weights[at] % total))
    for at in by_remainder[:missing]:
        parts[at] += 1
    return parts


def format_dollars(cents: int) -> Value:
    """Format a headline figure without its cents, rounded towards zero: ``$1,457``, ``€5``."""
    sign = "-" if cents <= -100 else ""  # noqa: PLR2004 - cents of one
    own = home_sign()
    written = f"{sign}{own or symbol_of(books_currency())}{abs(cents) // 100:,}"
    return value(written, "dollars", cents, own)


def plain_decimal(cents: int) -> str:
    """Format cents for files: ``1457.00``, ``-12.00``, without currency or grouping."""
    sign = "-" if cents < 0 else ""
    units, rest = divmod(abs(cents), 100)
    return f"{sign}{units}.{rest:02d}"


def _is_ours(before: str, after: str) -> bool:
    """Return whether what stands around an amount is nothing, or the books' currency once."""
    mark = (before + after).strip(_SPACES)
    return "" in {before, after} and (mark == "" or mark in books_marks())
