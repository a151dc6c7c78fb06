"""A legal text in the reader's language: its values filled in, as Markdown and as HTML.

The HTML is made from Markdown without HTML in it, with escaped values: what an
organisation writes into its text cannot do more than stand there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from html import escape
from typing import NamedTuple

from jara.domain.giving.pledge import PLEDGE_DOLLARS_MAX, PLEDGE_DOLLARS_MIN
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.places import EFFECTIVE, ORGANISATION, PLACES
from jara.domain.legal.versions import Content, Status, Version
from jara.domain.markdown import markdown_html
from jara.domain.organisation import PaymentMode
from jara.domain.voting.proposal import VoteRule
from jara.languages.formats import formats_of
from jara.languages.sentences import sentences_of
from jara.reports.words import currency_name, dollars, long_date
from jara.services.legal.reading import LegalPage
from jara.services.legal.templates import fill_places

_CATALOGUE = "answers"
_SIGNS = re.compile(r"([!-/:-@\[-`{-~])")
"""The signs that may mean something in Markdown (CommonMark 0.31, 2.4)."""

Say = Callable[[str], str]
"""Returns an English sentence or value in the reader's language."""


class LegalView(NamedTuple):
    """A legal text as a reader gets it.

    Args:
        language: the language of the text, which may not be the reader's.
        notes: sentences about the version, in the reader's language.
        markdown: the text.
        html: notes, text, and the list of versions.
    """

    language: Language
    notes: tuple[str, ...]
    markdown: str
    html: str


def view_legal(page: LegalPage, language: Language, mode: PaymentMode) -> LegalView:
    """Return a version of a legal text for a reader."""
    say = _sayer(language)
    written, content = _content_for(page, language)
    values = _values(page, written, mode)
    notes = tuple(_notes(page, language, written, say))
    absent = _sayer(written)("(not published yet)")
    text = "" if content is None else content.text
    body = markdown_html(fill_places(text, values, absent, _escape_markdown), site_url="")
    around = "" if written == language else f' lang="{written}"'
    prose = f'<div class="prose"{around}>{body}</div>'
    html = f"{_notes_html(notes)}{prose}{_versions_html(page, say)}"
    return LegalView(written, notes, fill_places(text, values, absent), html)


def _content_for(page: LegalPage, language: Language) -> tuple[Language, Content | None]:
    """Return the text in a language, else in the one it was written in."""
    contents = page.wording.contents
    if language in contents:
        return language, contents[language]
    if ENGLISH in contents:
        return ENGLISH, contents[ENGLISH]
    return next(iter(contents.items()), (language, None))


def _values(page: LegalPage, language: Language, mode: PaymentMode) -> dict[str, str]:
    """Return the value of each place, in the language of the text."""
    say, version = _sayer(language), page.version
    values = {
        **page.wording.values,
        "payment_provider": say("our test payment service") if mode.is_sandbox else "Stripe",
        "minimum": say(dollars(PLEDGE_DOLLARS_MIN * 100)),
        "maximum": say(dollars(PLEDGE_DOLLARS_MAX * 100)),
        "currency": _currency(language),
        "threshold": _threshold(language),
    }
    if version is not None:
        values[EFFECTIVE] = _day(version.change.valid_from, say)
    return values


def _notes(page: LegalPage, language: Language, written: Language, say: Say) -> Iterator[str]:
    if not page.wording.contents:
        yield say(f"The organisation has not published its {page.text.phrase} yet.")
        return
    if written != language:
        yield say(f"This text exists only in {_ENGLISH_NAMES.get(written, written)}.")
    newest = max(one.valid_from or date.min for one in page.wording.contents.values())
    own = page.wording.contents[written].valid_from or date.min
    if own < newest:
        yield say(f"This translation is older than the text of {long_date(newest)}.")
    version = page.version
    if version is not None and version.status is not Status.IN_FORCE:
        yield _version_note(version, say)
    for one in page.versions:
        if page.holds and one.status is Status.UPCOMING:
            yield say(f"A new version holds from {long_date(one.change.valid_from)} on.")
    if page.holds and (missing := [PLACES[name].what for name in page.missing]):
        name = page.wording.values[ORGANISATION]
        yield say(f"{name} has not published yet: {'; '.join(missing)}.")


_ENGLISH_NAMES = {"en": "English", "fr": "French"}


def _version_note(version: Version, say: Say) -> str:
    change, begins = version.change, long_date(version.change.valid_from)
    if version.status is Status.UPCOMING:
        return say(f"This is version {change.number}, which holds from {begins} on.")
    if version.status is Status.WITHDRAWN or version.until is None:
        return say(f"This is version {change.number}, which was withdrawn before it held.")
    ends = long_date(version.until)
    return say(f"This is version {change.number}, which held from {begins} until {ends}.")


def _notes_html(notes: tuple[str, ...]) -> str:
    return "".join(f'<p class="legal-note">{escape(note)}</p>' for note in notes)


def _versions_html(page: LegalPage, say: Say) -> str:
    """Return the list of versions, if there is another one to read."""
    shown = [one for one in page.versions if one.status is not Status.WITHDRAWN]
    if len(shown) < 2 and (page.holds or not shown):  # noqa: PLR2004 - the one that is shown
        return ""
    rows = "".join(f"<li>{_link(page, one, say)}</li>" for one in shown)
    return f"<h2>{escape(say('Versions'))}</h2><ul>{rows}</ul>"


def _link(page: LegalPage, version: Version, say: Say) -> str:
    change = version.change
    address = f"/{page.text}"
    if version.status is not Status.IN_FORCE:
        address += f"?version={change.number}"
    words = say(f"Version {change.number}, from {long_date(change.valid_from)}")
    current = ' aria-current="page"' if version == page.version else ""
    return f'<a href="{address}"{current}>{escape(words)}</a>'


def _escape_markdown(value: str) -> str:
    """Return a value so that Markdown shows it as it is written."""
    return _SIGNS.sub(r"\\\1", value)


def _day(day: date, say: Say) -> str:
    return say(long_date(day))


def _currency(language: Language) -> str:
    if language == ENGLISH:
        return currency_name()

    return formats_of(language).currency_name()


def _threshold(language: Language) -> str:
    rule = VoteRule()
    if language == ENGLISH:
        return rule.text

    return formats_of(language).rule(rule)


def _sayer(language: Language) -> Say:
    if language == ENGLISH:
        return str

    sentences = sentences_of(language, _CATALOGUE)
    return lambda english: sentences.say(english) or sentences.write(english)
