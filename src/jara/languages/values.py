"""Rewrites English amounts, days and numbers in the format of another language."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime

from jara.domain.currency import SYMBOLS
from jara.domain.money import parse_cents
from jara.languages.formats import Formats, currencies_by_name

MINUS = "\u2212"
DAY = r"[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4}"
_SIGN = rf"[-+{MINUS}]?"
_CODES = {symbol: code for code, symbol in SYMBOLS.items()}
_SYMBOL = rf"{'|'.join(map(re.escape, _CODES))}|[A-Z]{{3}}\u00a0"
_NUMBER = r"[0-9][0-9,]*(?:\.[0-9]{2})?"
AMOUNT = rf"{_SIGN}(?:{_SYMBOL}){_NUMBER}"
"""An amount as English writes it: ``$5``, ``CA$1,457.00``, ``CHF 5`` with a no-break space."""


class Values:
    """Writes values in a language."""

    def __init__(self, formats: Formats) -> None:
        self._formats = formats
        self._amounts = re.compile(rf"({_SIGN})({_SYMBOL})({_NUMBER})", re.ASCII)
        kinds: tuple[tuple[str, Callable[[re.Match[str]], str | None]], ...] = (
            (rf"({_SIGN})([0-9]+)(?:\.([0-9]))?%", self._percent),
            (rf"({_SIGN})([0-9][0-9,]*)\.([0-9]+)", self._decimal),
            (rf"({_SIGN})([A-Z]{{3}}) ([0-9][0-9,]*(?:\.[0-9]+)?)", self._foreign),
            (rf"({_SIGN})([0-9]{{1,3}}(?:,[0-9]{{3}})+)", self._number),
            (r"([0-9]{1,2})(?:st|nd|rd|th)", self._ordinal),
            (rf"({DAY}), ([0-9]{{2}}):([0-9]{{2}}) UTC", self._instant),
            (DAY, self._day),
            (r"[A-Z][a-z]{2,8} [0-9]{4}", self._day),
            (r"[A-Z][a-z]{2}", self._month_label),
        )
        self._kinds = [(re.compile(text, re.ASCII), write) for text, write in kinds]

    def write(self, text: str, *, bare: bool = False) -> str | None:
        """Return a value in the language; None if the text is not a value.

        Args:
            text: what English writes.
            bare: write US dollars as ``$``, where there is no room to say whose.
        """
        amount = self._amounts.fullmatch(text)
        if amount is not None:
            return self._amount(amount, bare=bare)
        for kind, write in self._kinds:
            match = kind.fullmatch(text)
            if match is not None:
                return write(match)
        return None

    def currency(self, name: str) -> str | None:
        """Return a currency's name in the language; None if the text is not one in English."""
        code = currencies_by_name().get(name)
        return None if code is None else self._formats.currency_name(code)

    def _amount(self, match: re.Match[str], *, bare: bool) -> str:
        cents = parse_cents(match[3])
        code = _CODES.get(match[2], match[2][:3])
        write = self._formats.money if "." in match[3] else self._formats.dollars
        return f"{_sign(match)}{write(cents, '$' if bare and code == 'USD' else code)}"

    def _percent(self, match: re.Match[str]) -> str:
        decimals = "" if match[3] is None else f"{self._formats.decimal_mark}{match[3]}"
        return self._formats.percent_of(f"{_sign(match)}{match[2]}{decimals}")

    def _decimal(self, match: re.Match[str]) -> str:
        whole = self._formats.number(int(match[2].replace(",", "")))
        return f"{_sign(match)}{whole}{self._formats.decimal_mark}{match[3]}"

    def _foreign(self, match: re.Match[str]) -> str:
        return f"{_sign(match)}{self._formats.foreign(match[2], match[3].replace(',', ''))}"

    def _number(self, match: re.Match[str]) -> str:
        return f"{_sign(match)}{self._formats.number(int(match[2].replace(',', '')))}"

    def _ordinal(self, match: re.Match[str]) -> str:
        return self._formats.day_of_month(int(match[1]))

    def _instant(self, match: re.Match[str]) -> str | None:
        day = _parse(match[1], "%d %B %Y")
        return None if day is None else self._formats.instant(day, int(match[2]), int(match[3]))

    def _day(self, match: re.Match[str]) -> str | None:
        text = match[0]
        writers = {
            "%d %B %Y": self._formats.day,
            "%d %b %Y": self._formats.short_day,
            "%B %Y": self._formats.month,
        }
        days = ((_parse(text, pattern), write) for pattern, write in writers.items())
        return next((write(day) for day, write in days if day is not None), None)

    def _month_label(self, match: re.Match[str]) -> str | None:
        day = _parse(match[0], "%b")
        return None if day is None else self._formats.month_label(day)


def _sign(match: re.Match[str]) -> str:
    """Return the sign of a value, a hyphen as a minus."""
    return match[1].replace("-", MINUS)


def _parse(text: str, pattern: str) -> date | None:
    try:
        return datetime.strptime(text, pattern).date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None
