"""Amounts, dates and numbers in languages other than English, as CLDR writes them."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache

from babel import Locale
from babel.core import get_global
from babel.dates import format_date, format_time, get_timezone_name
from babel.lists import format_list
from babel.numbers import format_currency, format_decimal, get_currency_name, get_currency_symbol

from jara.domain.currency import DEFAULT_CURRENCY, books_currency, home_sign
from jara.domain.language import Language
from jara.domain.voting.tally import Share
from jara.languages import LOCALE_FILE, read_text

_MINUS = "\u2212"


class Formats:
    """Writes values in the locale that ``locale.json`` of a language names."""

    def __init__(self, locale: str, *, first: str = "", moment: str = "{day}, {time}") -> None:
        """Use a locale, such as ``fr_CA``.

        `first` is how the first of a month is written, empty for ``1``; `moment` how a day and a
        time of day are joined.
        """
        self._locale = Locale.parse(locale)
        self._first = first
        self._moment = moment

    def money(self, cents: int, currency: str | None = None) -> str:
        """Write an amount with its cents: ``1 457,00 $ US``.

        `currency` is a code, or a sign to stand for it; by default that of the books.
        """
        pattern = self._locale.currency_formats["standard"].pattern
        text = self._amount(Decimal(abs(cents)) / 100, currency, pattern)
        return f"{_MINUS if cents < 0 else ''}{text}"

    def dollars(self, cents: int, currency: str | None = None) -> str:
        """Write an amount without its cents, rounded towards zero: ``1 457 $ US``."""
        pattern = self._locale.currency_formats["standard"].pattern.replace(".00", "")
        text = self._amount(abs(cents) // 100, currency, pattern)
        return f"{_MINUS if cents <= -100 else ''}{text}"  # noqa: PLR2004 - cents of one

    def _amount(self, value: Decimal | int, currency: str | None, pattern: str) -> str:
        return format_currency(
            value,
            currency or books_currency(),
            format=pattern,
            locale=self._locale,
            currency_digits=False,
        )

    def bare_money(self, cents: int) -> str:
        """Write an amount with its cents, that of US dollars without saying whose: ``5,00 $``."""
        return self.money(cents, "$" if books_currency() == DEFAULT_CURRENCY else None)

    def currency_name(self, currency: str | None = None) -> str:
        """Name a currency, by default that of the books: ``dollars canadiens``, ``euros``."""
        return _name(currency or books_currency(), self._locale)

    def currency_title(self, currency: str) -> str:
        """Name a currency at the beginning of a line: ``Euros``."""
        name = self.currency_name(currency)
        return name[:1].upper() + name[1:]

    def currency_sign(self) -> str:
        """Return the sign of the books' currency: ``$ US``, ``€``."""
        return home_sign() or str(get_currency_symbol(books_currency(), self._locale))

    def foreign(self, currency: str, amount: str) -> str:
        """Write an amount with its decimals and the code of its currency: ``464 400 KES``."""
        _, _, decimals = amount.partition(".")
        digits = f".{'0' * len(decimals)}" if decimals else ""
        pattern = self._locale.currency_formats["standard"].pattern.replace(".00", digits)
        pattern = pattern.replace("\u00a4", "\u00a4\u00a4")
        text = self._amount(Decimal(amount.lstrip("-")), currency, pattern)
        return f"{_MINUS if amount.startswith('-') else ''}{text}"

    @property
    def decimal_mark(self) -> str:
        """The decimal separator: ``,``."""
        return str(self._locale.number_symbols["latn"]["decimal"])

    def number(self, value: float) -> str:
        """Write a number with its grouping and at most three decimals."""
        return f"{_MINUS if value < 0 else ''}{format_decimal(abs(value), locale=self._locale)}"

    def decimal(self, number: str) -> str:
        """Write a decimal number with all its digits: ``2 650,00``."""
        whole, _, rest = number.partition(".")
        return f"{self.number(int(whole))}{self.decimal_mark}{rest}"

    def points(self, tenths: int) -> str:
        """Write a difference of two shares, always with its sign: ``+1,5``."""
        return f"{'+' if tenths > 0 else ''}{self.tenths(tenths)}"

    def tenths(self, value: int) -> str:
        """Write tenths with one decimal and without grouping: ``37,6``."""
        whole, rest = divmod(abs(value), 10)
        return f"{_MINUS if value < 0 else ''}{whole}{self.decimal_mark}{rest}"

    def percent(self, tenths: int) -> str:
        """Write tenths of a percent: ``37,6 %``."""
        return self.percent_of(self.tenths(tenths))

    def percent_of(self, number: str) -> str:
        """Write a whole percentage: ``50 %``."""
        pattern = self._locale.percent_formats[None].pattern
        return f"{number}{pattern.removeprefix('#,##0')}"

    def share(self, share: Share) -> str:
        """Write a share: ``60 %``, or ``2/3``."""
        return share.text(self.percent_of)

    def day_of_month(self, number: int) -> str:
        """Write a day of the month: ``1er``, ``11``."""
        return self._first if self._first and number == 1 else str(number)

    def instant(self, at: datetime) -> str:
        """Write an instant in UTC: ``31 octobre 2026 à 14 h 05 UTC``."""
        at = at.astimezone(UTC)
        return self._moment.format(day=self.day(at), time=self.clock(at))

    def day(self, day: date) -> str:
        """Write a day: ``31 octobre 2026``."""
        return self._date(day, "d MMMM y")

    def short_day(self, day: date) -> str:
        """Write a day in a table: ``31 oct. 2026``."""
        return self._date(day, "d MMM y")

    def month(self, day: date) -> str:
        """Write a month with its year: ``octobre 2026``."""
        return self._date(day, "MMMM y")

    def month_label(self, day: date) -> str:
        """Write a month below a chart: ``oct.``."""
        return self._date(day, "LLL")

    def weekday(self, day: date) -> str:
        """Write a day with its weekday: ``lundi 30 novembre 2026``."""
        return self._date(day, "EEEE d MMMM y")

    def near_day(self, day: date, today: date) -> str:
        """Write a day with its weekday, and its year only if it is not today's."""
        return self.weekday(day).removesuffix(f" {today.year}")

    def moment(self, at: datetime) -> str:
        """Write a day and its time: ``lundi 30 novembre 2026 à 18 h 59 HNE``."""
        day = date(at.year, at.month, at.day)
        return self._moment.format(day=self.weekday(day), time=self.clock(at))

    def clock(self, at: datetime) -> str:
        """Write the time of day with its zone: ``18 h 59 HNE``."""
        time = format_time(at.time(), "short", locale=self._locale)
        return f"{time} {self._zone(at)}"

    def listing(self, parts: Sequence[str]) -> str:
        """Join parts as a sentence does: ``a, b et c``."""
        return format_list(list(parts), locale=self._locale)

    def country(self, code: str) -> str:
        """Write the name of a country by its two-letter code; empty if it is unknown."""
        return str(self._locale.territories.get(code, ""))

    def plural(self, number: int | Decimal) -> str:
        """Return the plural category of a number: ``one``, ``other``."""
        return str(self._locale.plural_form(number))

    def agree(self, number: int | Decimal, one: str, other: str) -> str:
        """Return the words that agree with a number: ``versé`` with 1,50, ``versés`` with 2."""
        return one if self.plural(number) == "one" else other

    def _date(self, day: date, pattern: str) -> str:
        if day.day == 1 and self._first and "d " in pattern:
            pattern = pattern.replace("d ", f"'{self._first}' ")
        return str(format_date(day, pattern, locale=self._locale))

    def _zone(self, at: datetime) -> str:
        """Return the zone's abbreviation, or its whole name where the language has none."""
        if at.tzname() == "UTC":
            return "UTC"
        short = get_timezone_name(at, "short", locale=self._locale)
        return short if short.isalpha() else get_timezone_name(at, "long", locale=self._locale)


_COUNTRY_LOCALES = ("en", "fr", "de", "es", "pt", "pt_PT")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def country_names() -> Iterator[tuple[str, str]]:
    """Yield the names of countries in other languages and their further codes, as in ISO 3166.

    Each comes with the country's code of two letters; German names come without umlauts too.
    """
    for locale in _COUNTRY_LOCALES:
        for code, name in Locale.parse(locale).territories.items():
            yield name, code
            yield name.translate(_UMLAUTS), code
    for other, codes in get_global("territory_aliases").items():
        if len(codes) == 1:
            yield other, codes[0]


_ENGLISH = Locale.parse("en")


def _name(currency: str, locale: Locale) -> str:
    return get_currency_name(currency, count=2, locale=locale)


def english_name(currency: str) -> str:
    """Return the English name of a currency: ``Canadian dollars``."""
    return _name(currency, _ENGLISH)


@cache
def formats_of(language: Language) -> Formats:
    """Return the formats of a language."""
    settings = json.loads(read_text(language, LOCALE_FILE))
    return Formats(**settings)
