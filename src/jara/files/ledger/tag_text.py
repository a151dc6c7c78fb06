"""Free text on one line of a journal; characters with a meaning there are percent-encoded."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from jara.domain.errors import InvalidInput

# This encodes characters that begin a comment or end a tag, control characters, the two
# line separators, blanks at either end, and percent signs that look like an encoding.
_UNSAFE = re.compile(r"[;,\x00-\x1f\x7f-\x9f\u2028\u2029]|^\s|\s$|%(?=[0-9A-Fa-f]{2})")


def encoded(text: str) -> str:
    """Return the text encoded, so that it stays on its line and in its tag."""
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), text)


def decoded(text: str) -> str:
    """Return the text as it was before `encoded`.

    Raises:
        InvalidInput: the encoded bytes are not UTF-8, or contain a zero byte.
    """
    try:
        result = unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise InvalidInput(f"The percent signs in '{text}' do not encode UTF-8.") from None
    if "\0" in result:
        raise InvalidInput(f"'{text}' encodes a zero byte.")
    return result
