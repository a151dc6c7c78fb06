"""Amounts and days as banks write them."""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache

from jara.domain.errors import InvalidAmount, InvalidInput

OURS = "USD"
"""The currency of the books."""
ZERO = "the amount is zero"
"""The reason for leaving a line out."""

_PLAIN = re.compile(r"([+-]?)([0-9]{1,13})(?:[.,]([0-9]{0,5}))?", re.ASCII)
_GROUPED = {
    ".": re.compile(
        r"([+-]?)([0-9]{1,3}(?:[,' ][0-9]{3})*|[0-9]{1,13})(?:\.([0-9]{1,2}))?", re.ASCII
    ),
    ",": re.compile(
        r"([+-]?)([0-9]{1,3}(?:[.' ][0-9]{3})*|[0-9]{1,13})(?:,([0-9]{1,2}))?", re.ASCII
    ),
}


def bank_cents(text: str) -> int:
    """Read an amount in a format without thousands separators, such as ``-1234.5``.

    Raises:
        InvalidAmount: it is not an amount, or has a fraction of a cent.
    """
    return _cents(_PLAIN.fullmatch(text.strip()), text)


def csv_cents(text: str, *, decimal: str) -> int:
    """Read an amount with the mapping's decimal sign; thousands separators are optional.

    Raises:
        InvalidAmount: it is not an amount.
    """
    shown = text.strip().replace("\u00a0", " ").replace("\u2212", "-").replace("$", "")
    if shown.endswith("-"):
        shown = f"-{shown[:-1]}"
    return _cents(_GROUPED[decimal].fullmatch(shown), text)


def _cents(match: re.Match[str] | None, text: str) -> int:
    if match is None:
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    places = (match[3] or "").rstrip("0")
    if len(places) > 2:  # noqa: PLR2004 - cents have two places
        raise InvalidAmount(f"'{text[:40]}' has a fraction of a cent.")
    dollars = int(re.sub(r"[^0-9]", "", match[2]))
    cents = dollars * 100 + int(places.ljust(2, "0"))
    return -cents if match[1] == "-" else cents


@lru_cache(maxsize=8_192)
def bank_day(text: str, form: str) -> date:
    """Read a day in a `datetime.strptime` format; a time in it is ignored.

    Raises:
        InvalidInput: the text is not in that format.
    """
    try:
        return datetime.strptime(text.strip(), form).date()  # noqa: DTZ007 - banks name no zone
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is not a day of the form {form}.") from None
