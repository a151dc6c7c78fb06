"""Amounts and days of bank statements."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time
from functools import lru_cache

from jara.domain.currency import books_currency
from jara.domain.errors import InvalidAmount, InvalidInput, JaraError
from jara.domain.time_zone import UTC_ZONE, TimeZone


@contextmanager
def named(name: str, line: int) -> Iterator[None]:
    """Name file and line in the message of what goes wrong."""
    try:
        yield
    except JaraError as error:
        raise InvalidInput(f"{name}, line {line}: {error.message}") from None


ZERO = "the amount is zero"
"""The reason for leaving a line out."""


def not_our_currency(currency: str) -> str | None:
    """Return why a line is left out by its currency; None if it is the currency of the books."""
    if currency == books_currency():
        return None
    return f"the amount is in {currency or 'no currency'}, not {books_currency()}."


_PLAIN = re.compile(r"([+-]?)(?=[.,]?[0-9])0*([0-9]{0,13})(?:[.,]([0-9]{0,5}))?", re.ASCII)


def bank_cents(text: str) -> int:
    """Read an amount in a format without thousands separators, such as ``-1234.5`` or ``.03``.

    Raises:
        InvalidAmount: it is not an amount, or has a fraction of a cent.
    """
    match = _PLAIN.fullmatch(text.strip())
    if match is None:
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    places = (match[3] or "").rstrip("0")
    if len(places) > 2:  # noqa: PLR2004 - cents have two places
        raise InvalidAmount(f"'{text[:40]}' has a fraction of a cent.")
    dollars = int(match[2] or "0")
    cents = dollars * 100 + int(places.ljust(2, "0"))
    return -cents if match[1] == "-" else cents


@lru_cache(maxsize=8_192)
def bank_day(text: str, form: str, zone: TimeZone = UTC_ZONE) -> date:
    """Read a day in a `datetime.strptime` format, see `day_of_moment`.

    Raises:
        InvalidInput: the text is not in that format.
    """
    try:
        return day_of_moment(datetime.strptime(text.strip(), form), zone)  # noqa: DTZ007 - banks name no zone
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is not a day of the form {form}.") from None


def iso_day(text: str, zone: TimeZone) -> date:
    """Read an ISO day, with a time or without one, see `day_of_moment`.

    Raises:
        InvalidInput: the text is not a day.
    """
    if text[10:11] not in {"T", " "}:
        return bank_day(text[:10], "%Y-%m-%d")
    try:
        return day_of_moment(datetime.fromisoformat(text), zone)
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is not an ISO time.") from None


def day_of_moment(moment: datetime, zone: TimeZone) -> date:
    """Return the organisation's day of a time that a bank writes.

    Without an offset it is the bank's local time, whose day counts. So does that of midnight:
    many banks write a day without its time so.
    """
    is_day = moment.tzinfo is None or moment.time() == time()
    return date(moment.year, moment.month, moment.day) if is_day else zone.day_of(moment)
