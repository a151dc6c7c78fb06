"""Reads XML element by element, with line numbers; DTDs and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol
from xml.parsers.expat import ExpatError

from jara.domain.errors import InvalidInput

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
