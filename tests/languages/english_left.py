"""Finds English words in translated texts."""

import re

_WORDS = (
    "the and your you of with this that is are was were has have not for from by can will "
    "please vote's voting payment's pledge pledges member members email emails account "
    "password sign card's month months amount amounts day's days gift gifts receipt receipts "
    "money spent received paid fund funds fees fee nothing no yes which what who more each "
    "must choose write there it its be an at on or if but our we to in"
)
_ENGLISH = frozenset(_WORDS.split())
_FRENCH_TOO = frozenset({"an", "but", "no", "on", "or"})
"""Words that exist in both languages."""
_NOT_PROSE = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{[^}]*\}|https?://\S+|`[^`]*`|jara [a-z-]+ .*|ssh-keygen.*"
)


def english_words(text: str) -> list[str]:
    """Return the English words in a text, without its placeholders, addresses and commands."""
    words = re.findall(r"(?:[^\W\d_]|')+", _NOT_PROSE.sub(" ", text))
    return sorted({w.lower() for w in words} & (_ENGLISH - _FRENCH_TOO))
