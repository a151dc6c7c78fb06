"""The language somebody reads: a code such as ``en`` or ``fr``.

Which languages there are follows from the folders of texts. Without texts of its own, a
language is read in English.
"""

from __future__ import annotations

import re
from typing import NewType

from jara.domain.errors import InvalidInput

Language = NewType("Language", str)
"""A code of two or three small letters (ISO 639)."""

ENGLISH = Language("en")

_CODE = re.compile(r"[a-z]{2,3}", re.ASCII)


def parse_language(text: str) -> Language:
    """Return the code of a language.

    Raises:
        InvalidInput: it is not a code of two or three small letters.
    """
    if _CODE.fullmatch(text) is None:
        raise InvalidInput("The language is not a code such as en or fr.")
    return Language(text)
