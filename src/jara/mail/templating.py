"""The templates of emails: English ones in this package, others in their language's folder.

Instants are written in the local time of the member's country, with the zone's name.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from jara.domain.dates import WEEKDAYS, long_date
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_cents, format_dollars
from jara.domain.texts import Value, listing, tr, value
from jara.domain.time_zone import UTC_ZONE, TimeZone
from jara.domain.voting.tally import absent_words, passes_words, read_rule
from jara.languages import writer_of
from jara.services.operations.effect_sentences import Effect

_LINK = re.compile(r"(https?://[^\s<>\"']*[^\s<>\"'.,;:!?)])")
"""A URL; punctuation after it is not part of it."""

LEAD, HEADING, PICTURE, MARKDOWN = MARKS = "\x01", "\x02", "\x03", "\x04"
"""The first character of a paragraph that is more than text: a sentence that stands out, a
heading, a picture as its address and its description, or the place of a Markdown text. Values
have none of them."""

_NO_MARKS = dict.fromkeys(map(ord, MARKS))


@cache
def templates_of(language: Language) -> Environment:
    """Return the templates of a language; missing ones are in English."""
    english, write = PackageLoader("jara.mail"), writer_of(language, "reports")
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
        finalize=lambda shown: write(tr("{n}", n=shown)) if type(shown) is int else shown,
    )
    templates.filters |= {"linked": _linked, **_filters(language), **_agreement(language)}
    templates.globals |= {
        "language": language,
        "LEAD": LEAD,
        "HEADING": HEADING,
        "PICTURE": PICTURE,
        "MARKDOWN": MARKDOWN,
    }
    return templates


def complete_values(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values of an email, each on one line."""
    return {"zone": "", **{name: _on_one_line(value) for name, value in values.items()}}


def _on_one_line(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_on_one_line(item) for item in value]
    if isinstance(value, Mapping):
        return {name: _on_one_line(item) for name, item in value.items()}
    return value if isinstance(value, int) else " ".join(str(value).translate(_NO_MARKS).split())


def _filters(language: Language) -> dict[str, Callable[..., Any]]:
    """Return the template filters for amounts and dates."""
    write = writer_of(language, "reports")

    def deadline(ends: str, zone: str) -> str:
        end = datetime.fromisoformat(ends)
        return write(value(spell_deadline(end, zone), "moment", _zone(zone).last_minute(end)))

    def month(text: str) -> str:
        day = date.fromisoformat(text)
        return write(value(long_date(day).partition(" ")[2], "month", day))

    return {
        "dollars": lambda cents: write(format_dollars(cents)),
        "money": lambda cents: write(format_cents(cents)),
        "day": lambda day: write(long_date(date.fromisoformat(day))) if day else "",
        "month": month,
        "effect": lambda act: write(Effect(**act).text()),
        "deadline": deadline,
        "listing": lambda parts: write(tr("{list}", list=listing(parts))),
        "foreign": lambda amount: write(_foreign(amount)),
        "passes": lambda rule: write(passes_words(read_rule(rule))),
        "absent": lambda rule: write(absent_words(read_rule(rule))),
    }


def _agreement(language: Language) -> dict[str, Callable[..., Any]]:
    """Return the filters for words that agree with a number; English templates have none."""
    if language == ENGLISH:
        return {}
    from jara.languages.formats import formats_of  # Babel takes a tenth of a second

    agree = formats_of(language).agree
    return {
        "agree": agree,
        "agree_cents": lambda cents, one, other: agree(Decimal(cents) / 100, one, other),
    }


def _foreign(amount: str) -> Value:
    """Read an amount in another currency as the books write it: ``KES 464,400``."""
    currency, units = amount.replace(",", "").split(maxsplit=1)
    return value(amount, "foreign", currency, units)


def _linked(text: str) -> Markup:
    """Escape a text and turn its URLs into links."""
    link = Markup('<a href="{0}">{0}</a>')
    parts = _LINK.split(text)  # every second part is a URL
    return Markup().join(
        link.format(part) if place % 2 else part for place, part in enumerate(parts)
    )


def spell_deadline(end: datetime, zone_name: str | None) -> str:
    """Format the end of something: ``Thursday, 10 December 2026, 23:59 UTC``.

    `end` is the first instant that is too late; midnight belongs to the day that ends with it. A
    time zone that is empty or unknown is UTC.
    """
    zone = _zone(zone_name)
    last = zone.last_minute(end)
    day = zone.day_of(last)
    return f"{WEEKDAYS[day.weekday()]}, {long_date(day)}, {zone.clock(last)}"


def _zone(name: str | None) -> TimeZone:
    """Return the zone that was stored with an email; UTC if this machine does not know it."""
    zone = TimeZone(name) if name else UTC_ZONE
    return zone if zone.is_known else UTC_ZONE
