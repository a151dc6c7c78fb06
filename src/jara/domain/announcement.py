"""Announcements: what the organisation writes to many at once."""

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

from jara.domain.countries import Countries, find_country
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.markdown import check_markdown

SIGNED_BY_TWO_ABOVE = 500
"""An announcement to more people than this always needs another operator's signature."""

ALONE_IN_A_DAY = 25
"""With limits, the announcements of a day reach at most so many people without another's
signature."""

SUBJECT_MAX = 150
BODY_MAX = 20_000
"""Characters; mail programs cut longer emails off."""

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What would begin another header, or turn the text around. A tab is a space."""


class AnnouncementText(NamedTuple):
    """What an announcement says in one language; the body is Markdown."""

    subject: str
    body: str


Texts = Mapping[Language, AnnouncementText]
"""By language; the first is the one it was written in."""


class Group(StrEnum):
    """To whom an announcement may go, besides a country."""

    MEMBERS = "members"
    CHANGEMAKERS = "changemakers"
    READERS = "readers"


class Audience(NamedTuple):
    """To whom an announcement goes: groups, and the members of countries."""

    groups: frozenset[Group] = frozenset()
    countries: frozenset[str] = frozenset()

    def words(self) -> list[str]:
        """Return it as it is written on the command line, with the names of countries."""
        return [*sorted(self.groups), *(f"country={name}" for name in sorted(self.countries))]


def parse_audience(words: Iterable[str], countries: Countries) -> Audience:
    """Parse ``members``, ``changemakers``, ``readers`` and ``country=GH``.

    Raises:
        InvalidInput: there is no such group or country, or none is named.
    """
    groups, names = set(), set()
    for word in words:
        key, mark, value = word.partition("=")
        if mark and key == "country":
            names.add(find_country(value, countries))
        elif word in set(Group):
            groups.add(Group(word))
        else:
            raise InvalidInput(
                f"'{word}' is nobody's group; write members, changemakers, readers or country=GH."
            )
    if not groups and not names:
        raise InvalidInput("Say to whom, such as --to members.")
    return Audience(frozenset(groups), frozenset(names))


def check_text(subject: str, body: str, language: Language) -> AnnouncementText:
    """Return a text that an email can carry.

    Raises:
        InvalidInput: the subject is missing, too long or not on one line; the body is empty, too
            long, or holds HTML or links that cannot be followed.
    """
    where, subject = f"The text '{language}'", subject.strip()
    if not subject:
        raise InvalidInput(f"{where} has no subject; begin the file with '# ' and a title.")
    if _UNPRINTABLE.search(subject):
        raise InvalidInput(f"{where}: the subject must be on one line, without control characters.")
    if len(subject) > SUBJECT_MAX:
        raise InvalidInput(
            f"{where}: the subject has {len(subject)} characters; at most {SUBJECT_MAX} are shown."
        )
    if not body.strip():
        raise InvalidInput(f"{where} is empty below its subject.")
    if len(body) > BODY_MAX:
        raise InvalidInput(
            f"{where} has {len(body)} characters; mail programs cut off more than {BODY_MAX}."
        )
    try:
        check_markdown(body)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error.message}") from error
    return AnnouncementText(" ".join(subject.split()), body.strip("\n"))


def text_for(texts: Texts, language: Language) -> tuple[Language, AnnouncementText]:
    """Return the text for a reader of a language: theirs, else English, else the first."""
    written_in = next(one for one in (language, ENGLISH, *texts) if one in texts)
    return written_in, texts[written_in]


def digest_of(texts: Texts) -> str:
    """Return what tells announcements apart: the same texts have the same digest."""
    parts = (part for language in sorted(texts) for part in (language, *texts[language]))
    return sha256("\0".join(parts).encode()).hexdigest()
