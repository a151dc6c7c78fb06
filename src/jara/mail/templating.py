"""The templates of emails: English ones in this package, others in their language's folder.

Instants are written in the local time of the member's country, with the zone's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from jara.domain.dates import WEEKDAYS, long_date
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_cents, format_dollars
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.domain.voting.tally import VoteRule

_LINK = re.compile(r"(https?://[^\s<>\"']*[^\s<>\"'.,;:!?)])")
"""A URL; punctuation after it is not part of it."""

LEAD, HEADING, PICTURE, MARKDOWN = MARKS = "\x01", "\x02", "\x03", "\x04"
"""The first character of a paragraph that is more than text: a sentence that stands out, a
heading, a picture as its address and its description, or the place of a Markdown text. Values
have none of them."""

_CENTS = ("amount", "before", "after", "goal")

_NO_MARKS = dict.fromkeys(map(ord, MARKS))


@cache
def templates_of(language: Language) -> Environment:
    """Return the templates of a language; missing ones are in English."""
    english = PackageLoader("jara.mail")
    loader = (
        english
        if language == ENGLISH
        else ChoiceLoader([PackageLoader("jara.languages", f"{language}/emails"), english])
    )
    templates = Environment(
        loader=loader,
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_grouped(language),
    )
    templates.filters |= {"linked": _linked, **_filters(language)}
    templates.globals |= {
        "language": language,
        "LEAD": LEAD,
        "HEADING": HEADING,
        "PICTURE": PICTURE,
        "MARKDOWN": MARKDOWN,
    }
    return templates


def complete_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of an email, each on one line.

    Emails queued by an earlier version contain amounts as formatted English text.
    """
    plain = {name: _on_one_line(value) for name, value in values.items()}
    plain.setdefault("zone", "")
    for name in _CENTS:
        if name in plain:
            plain.setdefault(f"{name}Cents", plain[name])
    return plain


def _on_one_line(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_on_one_line(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _on_one_line(item) for name, item in value.items()}
    return value if isinstance(value, int) else " ".join(str(value).translate(_NO_MARKS).split())


def _grouped(language: Language) -> Callable[[object], object]:
    """Return what writes the counts in a template; other values stay as they are."""
    if language == ENGLISH:
        return lambda value: f"{value:,}" if type(value) is int else value
    from jara.languages.formats import formats_of  # Babel takes a tenth of a second

    number = formats_of(language).number
    return lambda value: number(value) if type(value) is int else value


def _filters(language: Language) -> dict[str, Callable[..., Any]]:
    """Return the template filters for amounts and dates; formatted text stays unchanged."""
    if language == ENGLISH:
        return {
            "dollars": _unless_text(format_dollars),
            "money": _unless_text(format_cents),
            "day": _of_day(long_date),
            "month": _of_day(lambda day: long_date(day).partition(" ")[2]),
            "deadline": _of_instant(spell_deadline),
            "listing": _list_in_english,
            "foreign": str,
            "share": lambda rule: VoteRule(*rule).threshold(),
        }
    from jara.languages.formats import formats_of  # Babel takes a tenth of a second

    formats = formats_of(language)

    def agree_cents(cents: int | str, one: str, other: str) -> str:
        return other if isinstance(cents, str) else formats.agree(Decimal(cents) / 100, one, other)

    def spell_moment(end: datetime, zone: str | None) -> str:
        return formats.moment(_zone(zone).last_minute(end))

    return {
        "dollars": _unless_text(formats.dollars),
        "money": _unless_text(formats.money),
        "day": _of_day(formats.day),
        "month": _of_day(formats.month),
        "deadline": _of_instant(spell_moment),
        "listing": formats.listing,
        "foreign": lambda amount: formats.foreign(*amount.replace(",", "").split(maxsplit=1)),
        "share": lambda rule: formats.rule(VoteRule(*rule)),
        "agree": formats.agree,
        "agree_cents": agree_cents,
    }


def _list_in_english(parts: Sequence[str]) -> str:
    *head, last = parts
    return f"{', '.join(head)} and {last}"


def _unless_text(write: Callable[[int], str]) -> Callable[[object], object]:
    return lambda value: write(value) if isinstance(value, int) else value


def _of_day(write: Callable[[date], str]) -> Callable[[str], str]:
    def write_day(text: str) -> str:
        try:
            return write(date.fromisoformat(text))
        except ValueError:
            return text

    return write_day


def _of_instant(write: Callable[[datetime, str | None], str]) -> Callable[[str, str], str]:
    def write_instant(text: str, zone: str) -> str:
        try:
            return write(datetime.fromisoformat(text), zone)
        except ValueError:
            return text

    return write_instant


def _linked(text: str) -> Markup:
    """Escape a text and turn its URLs into links."""
    link = Markup('<a href="{0}">{0}</a>')
    parts = _LINK.split(text)  # every second part is a URL
    return Markup().join(
        link.format(part) if place % 2 else part for place, part in enumerate(parts)
    )


def spell_deadline(end: datetime, zone_name: str | None) -> str:
    """Format the end of something: ``Thursday, 10 December 2026, 23:59 UTC``.

    Midnight belongs to the day that ends with it.

    Args:
        end: the first instant that is too late.
        zone_name: a time zone such as ``America/Toronto``; UTC if it is empty or unknown.
    """
    zone = _zone(zone_name)
    last = zone.last_minute(end)
    day = zone.day_of(last)
    return f"{WEEKDAYS[day.weekday()]}, {long_date(day)}, {zone.clock(last)}"


def _zone(name: str | None) -> TimeZone:
    """Return the zone that was stored with an email; UTC if this machine does not know it."""
    zone = TimeZone(name) if name else UTC_ZONE
    return zone if zone.is_known else UTC_ZONE
