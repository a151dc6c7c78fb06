"""Reads an announcement: Markdown, with a title and perhaps front matter.

The front matter may hold the ``subject``, the ``language`` of the text, and the texts of other
languages under their codes, each with ``subject`` and ``body``::

    ---
    subject: The well is full
    fr:
      subject: Le puits est plein
      body: |
        Chers amis ...
    ---
    Dear friends ...

Without a subject there, the first heading is the subject.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from jara.domain.announcement import AnnouncementText, Texts, check_text
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.markdown import split_title
from jara.files.content_files import read_document

FILE_BYTES_MAX = 1 << 20

_FRONT = re.compile(
    r"---[ \t]*\n(?P<front>.*?)\n?^---[ \t]*$\n?(?P<body>.*)", re.DOTALL | re.MULTILINE
)
_OWN = frozenset({"subject", "language"})
_OTHER = frozenset({"subject", "body"})


def read_announcement(data: bytes, name: str, languages: Collection[Language]) -> Texts:
    """Return the texts of an announcement by language, its own first.

    Raises:
        InvalidInput: it is not UTF-8, has no subject or no text, an unknown key or language, or
            something that an email cannot carry.
    """
    if len(data) > FILE_BYTES_MAX:
        raise InvalidInput(f"{name} has {len(data)} bytes; an announcement has at most 1 MiB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InvalidInput(
            f"{name}, line {line}: byte 0x{error.object[error.start]:02x} is not UTF-8; save the "
            "file as UTF-8 text."
        ) from None
    front, body = _split(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    others = {key: value for key, value in front.items() if key not in _OWN}
    unknown = sorted(others.keys() - set(languages))
    if unknown:
        known = ", ".join([*sorted(_OWN), *sorted(languages)])
        raise InvalidInput(f"{name} has the key '{unknown[0]}'; the keys are {known}.")
    own = Language(str(front.get("language", ENGLISH)))
    if own not in languages:
        raise InvalidInput(
            f"{name}: there are no emails in '{own}'; the languages are "
            f"{', '.join(sorted(languages))}."
        )
    if own in others:
        raise InvalidInput(f"{name} has two texts in '{own}'.")
    try:
        texts = {own: _own_text(front, body, own)}
        texts |= {
            Language(code): _other_text(value, Language(code)) for code, value in others.items()
        }
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error.message}") from error
    return texts


def _split(text: str, name: str) -> tuple[Mapping[str, Any], str]:
    match = _FRONT.match(text)
    if match is None:
        return {}, text
    value = read_document(match["front"].encode(), f"{name}, front matter") or {}
    if not isinstance(value, dict):
        raise InvalidInput(f"{name}: the front matter must have keys and values.")
    return value, match["body"]


def _own_text(front: Mapping[str, Any], body: str, language: Language) -> AnnouncementText:
    if "subject" in front:
        return check_text(_line(front["subject"], "subject"), body, language)
    return check_text(*split_title(body), language)


def _other_text(value: object, language: Language) -> AnnouncementText:
    if not isinstance(value, dict) or value.keys() != _OTHER:
        raise InvalidInput(f"'{language}' must have the keys subject and body.")
    return check_text(_line(value["subject"], "subject"), _line(value["body"], "body"), language)


def _line(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"'{key}' must be text.")
    return value
