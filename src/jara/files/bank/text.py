"""Texts, amounts and XML of bank statements."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import lru_cache

from jara.domain.currency import books_currency
from jara.domain.errors import InvalidAmount, InvalidInput, JaraError
from jara.files.reading import UTF16_MARKS

_GUESSES = ("cp1252", "cp850")
"""The encodings of Windows and of DOS; in doubt, the first."""
_NOT_OF_FILES = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})
"""Encodings of Python that no file is in."""
_STRANGE = re.compile(r"(?<=[^\W\d_])(?![\x00-\x7f])\W|(?![\x00-\x7f])\W(?=[^\W\d_])")
"""A sign beyond ASCII that is no letter but stands beside one: the encoding may be another."""


def wide_encoding(data: bytes) -> str | None:
    """Return which UTF-16 the data is in, by its mark or its zeros; None if it is not."""
    if data.startswith(UTF16_MARKS):
        return "utf-16"
    odd, even = data[1:512:2].count(0), data[:512:2].count(0)
    if max(odd, even) * 4 <= len(data[:512]):
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def decoded(
    data: bytes, encoding: str | None = None, *, declared: str = "", name: str = "The file"
) -> str:
    """Decode text: from the given encoding, else UTF-8, else the declared one, else by its look.

    A byte-order mark decides in any case.

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
    candidates = (declared,) if _says_more(declared) else _GUESSES
    texts = [plain.decode(candidate, "replace") for candidate in candidates]
    return min(texts, key=lambda text: len(_STRANGE.findall(text)))


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


@contextmanager
def named(name: str, line: int) -> Iterator[None]:
    """Name file and line in the message of what goes wrong."""
    try:
        yield
    except JaraError as error:
        raise InvalidInput(f"{name}, line {line}: {error.message}") from None


ZERO = "the amount is zero"
"""The reason for leaving a line out."""


def not_our_currency(currency: str) -> str | None:
    """Return why a line is left out by its currency; None if it is the currency of the books."""
    if currency == books_currency():
        return None
    return f"the amount is in {currency or 'no currency'}, not {books_currency()}."


_PLAIN = re.compile(r"([+-]?)(?=[.,]?[0-9])0*([0-9]{0,13})(?:[.,]([0-9]{0,5}))?", re.ASCII)


def bank_cents(text: str) -> int:
    """Read an amount in a format without thousands separators, such as ``-1234.5`` or ``.03``.

    Raises:
        InvalidAmount: it is not an amount, or has a fraction of a cent.
    """
    match = _PLAIN.fullmatch(text.strip())
    if match is None:
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    places = (match[3] or "").rstrip("0")
    if len(places) > 2:  # noqa: PLR2004 - cents have two places
        raise InvalidAmount(f"'{text[:40]}' has a fraction of a cent.")
    dollars = int(match[2] or "0")
    cents = dollars * 100 + int(places.ljust(2, "0"))
    return -cents if match[1] == "-" else cents


@lru_cache(maxsize=8_192)
def bank_day(text: str, form: str) -> date:
    """Read a day in a `datetime.strptime` format; a time in it is ignored.

    Raises:
        InvalidInput: the text is not in that format.
    """
    try:
        return datetime.strptime(text.strip(), form).date()  # noqa: DTZ007 - banks name no zone
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is not a day of the form {form}.") from None
