"""Texts, amounts and XML of bank statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol
from xml.parsers.expat import ExpatError

from jara.domain.currency import books_currency
from jara.domain.errors import InvalidAmount, InvalidInput
from jara.files.reading import UTF16_MARKS

_NO_REFERENCE = frozenset({"NONREF", "NOTPROVIDED", "NOT PROVIDED"})


def reference(text: str) -> str:
    """Return a reference; empty if the text only means that there is none."""
    return "" if text.strip().upper() in _NO_REFERENCE else text.strip()


def decoded(data: bytes, encoding: str | None = None, *, name: str = "The file") -> str:
    """Decode text from the given encoding, by default from UTF-8 or else Windows-1252.

    A byte-order mark decides in any case.

    Raises:
        InvalidInput: it is not in the given encoding.
    """
    plain = data.removeprefix(b"\xef\xbb\xbf")
    if data.startswith(UTF16_MARKS):
        encoding = "utf-16"
    elif len(plain) < len(data):
        encoding = "utf-8"
    if encoding is not None:
        try:
            return plain.decode(encoding)
        except UnicodeDecodeError as error:
            line = plain.count(b"\n", 0, error.start) + 1
            raise InvalidInput(
                f"{name}, line {line}: byte 0x{plain[error.start]:02x} is not {encoding}."
            ) from None
    try:
        return plain.decode()
    except UnicodeDecodeError:
        return plain.decode("cp1252", "replace")


ZERO = "the amount is zero"
"""The reason for leaving a line out."""


def require_our_currency(currency: str, place: str = "") -> None:
    """Refuse an account in another currency than the books.

    Args:
        currency: its code.
        place: what comes before the sentence, such as ``s.xml, line 3: ``.

    Raises:
        InvalidInput: it is in another currency.
    """
    if currency != books_currency():
        raise InvalidInput(
            f"{place}the account is in {currency}; the books are in {books_currency()}."
        )


def not_our_currency(currency: str) -> str | None:
    """Return why a line is left out by its currency; None if it is the currency of the books."""
    if currency == books_currency():
        return None
    return f"the amount is in {currency or 'no currency'}, not {books_currency()}."


_PLAIN = re.compile(r"([+-]?)([0-9]{1,13})(?:[.,]([0-9]{0,5}))?", re.ASCII)


def bank_cents(text: str) -> int:
    """Read an amount in a format without thousands separators, such as ``-1234.5``.

    Raises:
        InvalidAmount: it is not an amount, or has a fraction of a cent.
    """
    match = _PLAIN.fullmatch(text.strip())
    if match is None:
        raise InvalidAmount(f"'{text[:40]}' is not an amount.")
    places = (match[3] or "").rstrip("0")
    if len(places) > 2:  # noqa: PLR2004 - cents have two places
        raise InvalidAmount(f"'{text[:40]}' has a fraction of a cent.")
    dollars = int(match[2])
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

    def __init__(self, expat: Any, handler: Handler, name: str) -> None:  # noqa: ANN401 - expat's parser has no public type
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
        return int(self._expat.CurrentLineNumber)

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


def read_xml(data: bytes, name: str, handler: Handler) -> Iterator[None]:
    """Pass the elements to a handler; pause after each piece of the file.

    Raises:
        InvalidInput: it is not XML, has a DTD or entities, or nests too deep; the message names
            the line.
    """
    from defusedxml import DefusedXmlException, ElementTree  # noqa: PLC0415 - slow to load

    # It refuses DTDs and entities. The elements bypass it, since its own way of collecting them
    # takes four times as long.
    parser: Any = ElementTree.DefusedXMLParser(forbid_dtd=True)
    reader = _Reader(parser.parser, handler, name)
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            parser.parser.Parse(data[start : start + _PIECE_BYTES], False)  # noqa: FBT003 - expat's
            yield
        parser.parser.Parse(b"", True)  # noqa: FBT003
    except DefusedXmlException:
        raise InvalidInput(
            f"{name}, line {reader.line}: the file has a DTD or entities, which are refused."
        ) from None
    except (ExpatError, ValueError, LookupError) as error:
        raise InvalidInput(f"{name}, line {reader.line}: the file is not XML ({error}).") from None
    yield
