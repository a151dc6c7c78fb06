"""Reads the cells of imported files strictly: amounts, days and instants."""

import re
from datetime import UTC, date, datetime
from functools import lru_cache

from jara.domain.errors import InvalidAmount, InvalidInput

_POINT = re.compile(r"(-?)([0-9]{1,13}|[0-9]{1,3}(?:,[0-9]{3}){1,4})\.([0-9]{2})", re.ASCII)
_COMMA = re.compile(r"(-?)([0-9]{1,13}|[0-9]{1,3}(?:\.[0-9]{3}){1,4}),([0-9]{2})", re.ASCII)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)
_INSTANT = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[ T]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.0{1,6})?)?(?:Z| UTC)?)?",
    re.ASCII,
)


@lru_cache(maxsize=65_536)
def two_place_cents(text: str, *, decimal_comma: bool = False) -> int:
    """Read dollars with exactly two decimals as cents: ``-1234.50``.

    With `decimal_comma`, since the operator said that the file uses them, it is ``-1.234,50``.

    Raises:
        InvalidAmount: anything else; the meaning of a comma is never guessed.
    """
    match = (_COMMA if decimal_comma else _POINT).fullmatch(text)
    if match is None:
        raise InvalidAmount(_refusal(text, decimal_comma=decimal_comma))
    dollars = match[2].replace("." if decimal_comma else ",", "")
    cents = int(dollars) * 100 + int(match[3])
    if match[1] and not cents:
        raise InvalidAmount(f"'{text}' is not an amount; write zero as 0.00.")
    return -cents if match[1] else cents


def _refusal(text: str, *, decimal_comma: bool) -> str:
    if decimal_comma:
        return f"'{text}' is not an amount with two decimals after a comma, like 12,50."
    if _COMMA.fullmatch(text):
        return (
            f"'{text}' has a decimal comma; if the whole file is written so, say `--decimal comma`."
        )
    return f"'{text}' is not an amount with two decimals, like 12.50."


@lru_cache(maxsize=8_192)
def parse_day(text: str) -> date:
    """Read a day written ``2026-11-20``.

    Raises:
        InvalidInput: it is in another format, or the calendar has no such day.
    """
    match = _DAY.fullmatch(text)
    if match is None:
        raise InvalidInput(f"'{text}' is not a day; write it like 2026-11-20.")
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        raise InvalidInput(f"'{text}' is not a day of the calendar.") from None


def parse_instant(text: str) -> datetime:
    """Read a UTC instant written ``2026-11-20 13:05`` or ``2026-11-20 13:05:59``.

    Raises:
        InvalidInput: it is in another format, or there is no such instant.
    """
    match = _INSTANT.fullmatch(text)
    if match is None:
        raise InvalidInput(f"'{text}' is not a time; write it like 2026-11-20 13:05:59.")
    try:
        year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        raise InvalidInput(f"'{text}' is not a time of the calendar.") from None
