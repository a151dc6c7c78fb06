"""Amounts in whole cents of US dollars, parsed and formatted without floats."""

from __future__ import annotations

import re

from jara.domain.errors import InvalidAmount

_AMOUNT = re.compile(
    r"(?P<minus>-)?\$?(?P<dollars>[0-9]{1,15}|[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4})"
    r"(?:\.(?P<cents>[0-9]{1,2}))?",
    re.ASCII,
)


def parse_cents(text: str, *, allow_negative: bool = False) -> int:
    """Parse an amount such as ``10``, ``10.5`` or ``$1,457.00`` as cents.

    Args:
        text: the amount in dollars; surrounding spaces are ignored.
        allow_negative: also accept ``-12.00``; ``-0`` is always refused.

    Raises:
        InvalidAmount: anything else, such as ``1e3``, ``NaN``, ``10.005`` or digits
            of another script.
    """
    match = _AMOUNT.fullmatch(text.strip(" "))
    if match is None:
        raise InvalidAmount(
            f"'{text}' is not an amount; write dollars with at most two decimals, "
            "like 10 or 1,457.50."
        )
    dollars = int(match["dollars"].replace(",", ""))
    cents = dollars * 100 + int((match["cents"] or "").ljust(2, "0"))
    if match["minus"]:
        if cents == 0:
            raise InvalidAmount(f"'{text}' is not an amount; zero has no sign, write 0.")
        if not allow_negative:
            raise InvalidAmount(f"'{text}' is negative; only amounts from 0 up are allowed.")
        return -cents
    return cents


def format_cents(cents: int) -> str:
    """Format cents as dollars: ``$1,457.00``, ``-$12.00``."""
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}${dollars:,}.{rest:02d}"


def format_dollars(cents: int) -> str:
    """Format a headline figure in whole dollars, rounded towards zero: ``$1,457``."""
    sign = "-" if cents <= -100 else ""  # noqa: PLR2004 - a dollar has 100 cents
    return f"{sign}${abs(cents) // 100:,}"


def plain_decimal(cents: int) -> str:
    """Format cents for files: ``1457.00``, ``-12.00``, without dollar sign or grouping."""
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}{dollars}.{rest:02d}"
