"""The encoding of a text file: named, detected, or guessed by its look."""

import codecs
import re

from jara.domain.errors import InvalidInput
from jara.files.reading import UTF16_MARKS

_GUESSES = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "iso8859_2": "ISO 8859-2",
    "cp850": "DOS 850",
}
"""The encodings that are tried, with their usual names; in doubt, the first."""
_NOT_OF_FILES = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Encodings of Python that no file is in."""
_STRANGE = re.compile(
    r"(?<=[^\W\d_])(?![\x00-\x7f])[\Wˇ]|(?![\x00-\x7f])[\Wˇ](?=[^\W\d_])|[ª¹²³º](?=[^\W\d_])"
)
"""A character beyond ASCII that is no letter but stands beside one: the encoding may be another."""
_MIXED = re.compile(
    r"(?<=[A-Z])[à-ÿ](?=[A-Z])|(?<![^\W\d_])[à-ÿ](?=[A-Z]{2})|(?<=[A-Z]{2})[à-ÿ](?![^\W\d_])"
    r"|(?<=[a-z])[À-ÞĄĽŁŚŞŠŤŹŻŽ]"
)
"""A letter whose case does not fit those beside it: so it decides between the other encodings."""


def wide_encoding(data: bytes) -> str | None:
    """Return which UTF-16 the data is in, by its mark or its zeros; None if it is not."""
    if data.startswith(UTF16_MARKS):
        return "utf-16"
    odd, even = data[1:512:2].count(0), data[:512:2].count(0)
    if max(odd, even) * 4 <= len(data[:512]):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def decoded(
    data: bytes,
    encoding: str | None = None,
    *,
    declared: str = "",
    name: str = "The file",
    notes: list[str] | None = None,
) -> str:
    """Decode text: from the given encoding, else UTF-8, else the declared one, else by its look.

    A byte-order mark decides in any case. A guess adds to the notes, with one name as it was read.

    Raises:
        InvalidInput: it is not in the given encoding.
    """
    plain = data.removeprefix(codecs.BOM_UTF8)
    encoding = wide_encoding(data) or ("utf-8" if len(plain) < len(data) else encoding)
    try:
        return plain.decode(encoding or "utf-8")
    except UnicodeDecodeError as error:
        if encoding is not None:
            line = plain.count(b"\n", 0, error.start) + 1
            raise InvalidInput(
                f"{name}, line {line}: byte 0x{plain[error.start]:02x} is not {encoding}; name "
                "the file's encoding with --encoding, such as cp1252."
            ) from None
    if _says_more(declared):
        return plain.decode(declared, "replace")
    texts = {candidate: plain.decode(candidate, "replace") for candidate in _GUESSES}
    strange = {one: len(_STRANGE.findall(text)) for one, text in texts.items()}
    guess = next(iter(texts))
    if strange[guess]:
        guess = min(texts, key=lambda one: strange[one] + len(_MIXED.findall(texts[one])))
    word = _BEYOND.search(texts[guess])
    if notes is not None and word is not None:
        notes.append(
            f"{name} is read as {_GUESSES[guess]}, which is a guess: '{word[0]}'. If that is "
            "wrong, name its encoding with --encoding."
        )
    return texts[guess]


_BEYOND = re.compile(r"[^\W\d_]*[^\W\d_\x00-\x7f][^\W\d_]*(?: [^\W\d_]+)?")
"""A word with a letter beyond ASCII."""


def is_encoding(name: str) -> bool:
    """Return whether a name is that of an encoding of text."""
    try:
        plain = codecs.lookup(name).name if name else "undefined"
        return plain not in _NOT_OF_FILES and isinstance("".encode(plain), bytes)
    except LookupError:
        return False


def _says_more(declared: str) -> bool:
    """Return whether a declared encoding is one, and another than the one that failed."""
    return is_encoding(declared) and codecs.lookup(declared).name not in {"ascii", "utf-8"}
