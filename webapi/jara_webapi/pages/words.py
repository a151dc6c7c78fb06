"""Amounts, dates and numbers on a page, in the format of its language."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal

from jara.documents import Document
from jara.domain.currency import books_currency
from jara.domain.dates import long_date
from jara.domain.language import ENGLISH
from jara.domain.texts import Value, value
from jara.domain.time_zone import TimeZone
from jara.domain.voting.tally import passes_words, read_rule
from jara.languages import available, writer_of
from jara.languages.formats import formats_of
from jara.reports import words

Text = Callable[..., str]
"""Returns a text of the site by catalogue and key, with its slots filled."""


class Amount(str):
    """A written amount that knows its number of units, with which a sentence agrees."""

    __slots__ = ("units",)

    units: Decimal


class Words:
    """The format of figures in one language; English if the server lacks its locale."""

    def __init__(self, language: str, text: Text) -> None:
        self._language = available(language)
        self._write = writer_of(self._language, "reports")
        self._text = text

    def _amount(self, shown: Value, cents: int) -> Amount:
        amount = Amount(self._write(shown))
        amount.units = Decimal(cents) / 100
        return amount

    def money(self, cents: int) -> Amount:
        """Show an amount with its cents."""
        return self._amount(words.money(cents), cents)

    def dollars(self, cents: int) -> Amount:
        """Show an amount without its cents."""
        return self._amount(words.dollars(cents), cents)

    def currency(self) -> str:
        """Name the currency of the books: ``US dollars``."""
        return self._write(words.currency_name())

    def unit(self) -> str:
        """Return what stands beside an amount in a form: ``USD``, or the sign that follows it."""
        return self._write(value(books_currency(), "currency_sign"))

    def number(self, number: float) -> str:
        """Show a number."""
        return self._write(words.number(number))

    def day(self, day: date) -> str:
        """Show a day."""
        return self._write(long_date(day))

    def month(self, day: date) -> str:
        """Show a month with its year."""
        return self._write(words.month_name(day))

    def plural(self, number: int | Decimal) -> str:
        """Return the plural form of a number: ``one`` or ``other``."""
        if self._language == ENGLISH:
            return "one" if number == 1 else "other"
        return formats_of(self._language).agree(number, "one", "other")

    def country(self, written: str, code: str) -> str:
        """Show a country, which the organisation wrote in English, by its code."""
        return self._write(value(written, "country", code)) or written

    def percent(self, number: float | str) -> str:
        """Show a percentage."""
        return self._write(value(f"{number}%", "percent", round(float(number) * 10)))

    def rule(self, kept: Document) -> str:
        """Say when a vote passes, after "It passes when"."""
        return self._write(passes_words(read_rule(kept)))

    def foreign(self, written: str) -> str:
        """Show a rate, or an amount in another currency, as the books write it in English."""
        currency, _, amount = written.rpartition(" ")
        if not currency:
            return self._write(value(f"{Decimal(amount):,}", "decimal", amount))
        sign, plain = "-" * currency.startswith("-"), amount.replace(",", "")
        return self._write(value(written, "foreign", currency.removeprefix("-"), sign + plain))

    def near_day(self, day: date, today: date) -> str:
        """Show a day with its weekday; the year only if it is not today's."""
        return self._write(words.near_date(day, today))

    def deadline(self, last: datetime, today: date, zone: TimeZone) -> str:
        """Show a day and an hour in a time zone."""
        day = self.near_day(zone.day_of(last), today)
        time = self._write(value(zone.clock(last), "clock", zone.local(last)))
        return self._text("common", "date.deadline", day=day, time=time)
