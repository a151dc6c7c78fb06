"""Texts, amounts and XML of bank statements."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol
from xml.parsers.expat import ExpatError

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


_PIECE_BYTES = 1 << 16

_DEPTH_MAX = 100
"""More than five times as deep as banks nest; readers store the path of each open element."""

_NOTHING: Mapping[str, str] = {}


class Place(Protocol):
    """The position in the file; it asks the parser for the line only when needed."""

    @property
    def line(self) -> int:
        """The current line."""
        ...


class Handler(Protocol):
    """Takes the elements of a file one by one, since collecting them first is slow."""

    def start(self, tag: str, space: str, facts: Mapping[str, str], place: Place) -> None:
        """Take the start of an element, with its namespace and attributes."""

    def end(self, tag: str, text: str, place: Place) -> None:
        """Take the end of an element, with the text before it."""


class _Reader:
    """Passes on what the parser finds; an element's text comes with its end."""

    def __init__(self, expat: Any, handler: Handler, name: str, lines_before: int) -> None:  # noqa: ANN401 - expat's parser has no public type
        self._lines_before = lines_before
        self._handler = handler
        self._name = name
        self._depth = 0
        self._text: list[str] = []
        self._expat = expat
        expat.ordered_attributes = True
        expat.StartElementHandler = self._start
        expat.EndElementHandler = self._end
        expat.CharacterDataHandler = self._text.append

    @property
    def line(self) -> int:
        """The current line."""
        return self._lines_before + int(self._expat.CurrentLineNumber)

    def _start(self, tag: str, names: list[str]) -> None:
        self._text.clear()
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise InvalidInput(
                f"{self._name}, line {self.line}: elements are nested deeper than {_DEPTH_MAX}."
            )
        space, _, name = tag.rpartition("}")
        facts = dict(zip(names[::2], names[1::2], strict=True)) if names else _NOTHING
        self._handler.start(name, space, facts, self)

    def _end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        self._depth -= 1
        self._handler.end(tag.rpartition("}")[2], text, self)


def read_xml(
    data: bytes, name: str, handler: Handler, encoding: str | None = None
) -> Iterator[None]:
    """Pass the elements to a handler; pause after each piece of the file.

    Args:
        data: the file.
        name: its name, for messages.
        handler: takes the elements.
        encoding: what the file is encoded in, whatever it declares; by default what it declares.

    Raises:
        InvalidInput: it is not XML, has a DTD or entities, or nests too deep; the message names
            the line.
    """
    from defusedxml import DefusedXmlException, ElementTree  # noqa: PLC0415 - slow to load

    # It refuses DTDs and entities. The elements bypass it, since its own way of collecting them
    # takes four times as long.
    parser: Any = ElementTree.DefusedXMLParser(forbid_dtd=True, encoding=encoding)
    # XML allows nothing before its declaration, but some files begin with empty lines.
    plain = data.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n\t ")
    lines_before = data.count(b"\n", 0, len(data) - len(plain))
    reader = _Reader(parser.parser, handler, name, lines_before)
    try:
        for start in range(0, len(plain), _PIECE_BYTES):
            parser.parser.Parse(plain[start : start + _PIECE_BYTES], False)  # noqa: FBT003 - expat's
            yield
        parser.parser.Parse(b"", True)  # noqa: FBT003
    except DefusedXmlException:
        raise InvalidInput(
            f"{name}, line {reader.line}: the file has a DTD or entities, which are refused."
        ) from None
    except (ExpatError, ValueError, LookupError) as error:
        raise InvalidInput(
            f"{name}, line {reader.line}: the file is not XML ({error}).{_say_encoding(data)}"
        ) from None
    yield


def _say_encoding(data: bytes) -> str:
    """Return what to do if the reason may be the encoding."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return " If it is not in the encoding that it declares, name it with --encoding."
    return ""
