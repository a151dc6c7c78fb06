"""The language of a reader: a code such as ``en`` or ``fr``.

The folders of texts determine the available languages. A language without texts falls back
to English.
"""

import re
from typing import NewType

from jara.domain.errors import InvalidInput

Language = NewType("Language", str)
"""A code of two or three lower-case letters (ISO 639)."""

ENGLISH = Language("en")

_CODE = re.compile(r"[a-z]{2,3}", re.ASCII)


def parse_language(text: str) -> Language:
    """Parse a language code.

    Raises:
        InvalidInput: it is not a code of two or three lower-case letters.
    """
    if not is_language_code(text):
        raise InvalidInput("The language is not a code such as en or fr.")
    return Language(text)


def is_language_code(text: str) -> bool:
    """Return whether a text is written like a language code; nobody need speak it."""
    return _CODE.fullmatch(text) is not None
