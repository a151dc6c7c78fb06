"""A legal text in the reader's language: its values filled in, as Markdown and as HTML.

The HTML is made from Markdown without HTML in it, with escaped values: what an
organisation writes into its text cannot do more than stand there.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from html import escape
from typing import NamedTuple

from jara.domain.dates import long_date
from jara.domain.giving.pledge import PLEDGE_DOLLARS_MAX, PLEDGE_DOLLARS_MIN
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.places import EFFECTIVE, ORGANISATION, PLACES
from jara.domain.legal.versions import Content, Status, Version
from jara.domain.markdown import markdown_html
from jara.domain.texts import Text, joined, tr
from jara.domain.voting.tally import absent_words, passes_words, threshold_words
from jara.languages import writer_of
from jara.reports.words import currency_name, dollars
from jara.services.legal.reading import LegalPage, fill_places

_CATALOGUE = "answers"
_SIGNS = re.compile(r"([!-/:-@\[-`{-~])")
"""The signs that may mean something in Markdown (CommonMark 0.31, 2.4)."""

Say = Callable[[str], str]
"""Writes an English text in the reader's language."""


class LegalView(NamedTuple):
    """A legal text as a reader gets it."""

    language: Language  # the language of the text, which may not be the reader's
    notes: tuple[str, ...]  # sentences about the version, in the reader's language
    markdown: str  # the text
    html: str  # notes, text, and the list of versions


def view_legal(page: LegalPage, language: Language, provider: str) -> LegalView:
    """Return a version of a legal text for a reader.

    ``provider`` is the name of the payment gateway: without cards the text has no company that
    takes them, and says what it says then.
    """
    say = writer_of(language, _CATALOGUE)
    written, content = _content_for(page, language)
    values = _values(page, written, provider)
    notes = tuple(map(say, _notes(page, language, written)))
    absent = writer_of(written, _CATALOGUE)("(not published yet)")
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


def _values(page: LegalPage, language: Language, provider: str) -> dict[str, str]:
    """Return the value of each place, in the language of the text."""
    say, version, rule = writer_of(language, _CATALOGUE), page.version, page.rule
    providers = {"sandbox": say("our test payment service"), "stripe": "Stripe"}
    values = {
        **page.wording.values,
        "payment_provider": providers.get(provider, ""),
        "minimum": say(dollars(PLEDGE_DOLLARS_MIN * 100)),
        "maximum": say(dollars(PLEDGE_DOLLARS_MAX * 100)),
        "currency": say(currency_name()),
        "threshold": say(threshold_words(rule)),
        "rule": say(passes_words(rule)),
        "absent": say(absent_words(rule)),
    }
    if version is not None:
        values[EFFECTIVE] = say(long_date(version.change.valid_from))
    return values


def _notes(page: LegalPage, language: Language, written: Language) -> Iterator[str]:
    if not page.wording.contents:
        yield f"The organisation has not published its {page.text.phrase} yet."
        return
    if written != language:
        yield f"This text exists only in {_ENGLISH_NAMES.get(written, written)}."
    newest = max(one.valid_from or date.min for one in page.wording.contents.values())
    own = page.wording.contents[written].valid_from or date.min
    if own < newest:
        day = long_date(newest)
        yield tr("This translation is older than the text of {day}.", day=day)
    version = page.version
    if version is not None and version.status is not Status.IN_FORCE:
        yield _version_note(version)
    for one in page.versions:
        if page.holds and one.status is Status.UPCOMING:
            day = long_date(one.change.valid_from)
            yield tr("A new version holds from {day} on.", day=day)
    if page.holds and (missing := [tr(PLACES[name].what) for name in page.missing]):
        yield tr(
            "{organisation} has not published yet: {parts}.",
            organisation=page.wording.values[ORGANISATION],
            parts=joined(missing, "; "),
        )


_ENGLISH_NAMES = {"en": "English", "fr": "French"}


def _version_note(version: Version) -> Text:
    number, begins = str(version.change.number), long_date(version.change.valid_from)
    if version.status is Status.UPCOMING:
        template = "This is version {number}, which holds from {day} on."
        return tr(template, number=number, day=begins)
    if version.status is Status.WITHDRAWN or version.until is None:
        template = "This is version {number}, which was withdrawn before it held."
        return tr(template, number=number)
    return tr(
        "This is version {number}, which held from {first} until {last}.",
        number=number,
        first=begins,
        last=long_date(version.until),
    )


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
    day = long_date(change.valid_from)
    words = say(tr("Version {number}, from {day}", number=str(change.number), day=day))
    current = ' aria-current="page"' if version == page.version else ""
    return f'<a href="{address}"{current}>{escape(words)}</a>'


def _escape_markdown(value: str) -> str:
    """Return a value so that Markdown shows it as it is written."""
    return _SIGNS.sub(r"\\\1", value)
