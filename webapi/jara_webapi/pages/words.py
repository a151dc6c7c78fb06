"""Amounts, dates and numbers on a page, in the format of its language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

from jara.domain.currency import books_currency, short_sign
from jara.domain.dates import long_date
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_short
from jara.domain.time_zone import TimeZone
from jara.languages import available
from jara.languages.formats import Formats, formats_of
from jara.reports import words

Text = Callable[..., str]
"""Returns a text of the site by catalogue and key, with its slots filled."""


class Amount(str):
    """A written amount that knows its number of units, with which a sentence agrees."""

    __slots__ = ("units",)

    units: Decimal


def _counted(write: Callable[[int], str]) -> Callable[[int], Amount]:
    """Return what writes an amount and counts its units."""

    def write_amount(cents: int) -> Amount:
        amount = Amount(write(cents))
        amount.units = Decimal(cents) / 100
        return amount

    return write_amount


class Words(ABC):
    """The format of figures in one language."""

    money: Callable[[int], str]
    dollars: Callable[[int], str]
    short: Callable[[int], str]
    currency: Callable[[], str]
    """Name the currency of the books: ``US dollars``."""
    unit: Callable[[], str]
    """Return what stands beside an amount in a form: ``USD``, or the sign that follows it."""
    number: Callable[[float], str]
    day: Callable[[date], str]
    month: Callable[[date], str]

    @abstractmethod
    def plural(self, number: int | Decimal) -> str:
        """Return the plural form of a number: ``one`` or ``other``."""

    @abstractmethod
    def country(self, written: str, code: str) -> str:
        """Show a country, which the organisation wrote in English, by its code."""

    @abstractmethod
    def percent(self, value: float | str) -> str:
        """Show a percentage."""

    @abstractmethod
    def foreign(self, written: str) -> str:
        """Show a rate, or an amount in another currency, as the books write it in English."""

    @abstractmethod
    def near_day(self, day: date, today: date) -> str:
        """Show a day with its weekday; the year only if it is not today's."""

    @abstractmethod
    def deadline(self, last: datetime, today: date, zone: TimeZone) -> str:
        """Show a day and an hour in a time zone."""


class EnglishWords(Words):
    """Figures in English, as in the reports."""

    def __init__(self) -> None:
        self.money = words.money
        self.dollars = words.dollars
        self.short = format_short
        self.currency = words.currency_name
        self.unit = books_currency
        self.number = words.number
        self.day = long_date
        self.month = words.month_name

    def plural(self, number: int | Decimal) -> str:
        """Return the plural form of a number: ``one`` or ``other``."""
        return "one" if number == 1 else "other"

    def country(self, written: str, code: str) -> str:
        """Show a country as it was written."""
        del code
        return written

    def percent(self, value: float | str) -> str:
        """Show a percentage."""
        return f"{value}%"

    def foreign(self, written: str) -> str:
        """Group the digits of a rate; those of an amount are grouped already."""
        return f"{Decimal(written):,}" if written[0].isdigit() else written

    def near_day(self, day: date, today: date) -> str:
        """Show a day with its weekday; the year only if it is not today's."""
        return words.near_date(day, today)

    def deadline(self, last: datetime, today: date, zone: TimeZone) -> str:
        """Show a day and an hour in a time zone."""
        return f"{self.near_day(zone.day_of(last), today)}, {zone.clock(last)}"


class LocalWords(Words):
    """Figures in another language, as in its emails."""

    def __init__(self, formats: Formats, text: Text) -> None:
        self._formats = formats
        self._text = text
        self.money = _counted(formats.money)
        self.dollars = _counted(formats.dollars)
        self.short = lambda cents: formats.dollars(cents, short_sign())
        self.currency = formats.currency_name
        self.unit = formats.currency_sign
        self.number = formats.number
        self.day = formats.day
        self.month = formats.month

    def plural(self, number: int | Decimal) -> str:
        """Return the plural form of a number: ``one`` or ``other``."""
        return self._formats.agree(number, "one", "other")

    def country(self, written: str, code: str) -> str:
        """Show a country by its code."""
        return self._formats.country(code) or written

    def percent(self, value: float | str) -> str:
        """Show a percentage."""
        return self._formats.percent(round(float(value) * 10))

    def foreign(self, written: str) -> str:
        """Show a rate, or an amount in another currency."""
        currency, _, amount = written.replace(",", "").rpartition(" ")
        if not currency:
            return self._formats.decimal(amount)
        sign = "-" if currency.startswith("-") else ""
        return self._formats.foreign(currency.removeprefix("-"), sign + amount)

    def near_day(self, day: date, today: date) -> str:
        """Show a day with its weekday; the year only if it is not today's."""
        return self._formats.weekday(day).removesuffix(f" {today.year}")

    def deadline(self, last: datetime, today: date, zone: TimeZone) -> str:
        """Show a day and an hour in a time zone."""
        day, time = self.near_day(zone.day_of(last), today), self._formats.clock(zone.local(last))
        return self._text("common", "date.deadline", day=day, time=time)


def words_of(language: str, text: Text) -> Words:
    """Return the words of a language; the English ones if the server lacks its locale."""
    if available(language) == ENGLISH:
        return EnglishWords()
    formats = formats_of(Language(language))
    return LocalWords(formats, text)
