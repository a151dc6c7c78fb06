"""Reads XML as events with line numbers; DTDs and entities are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from xml.parsers.expat import ExpatError

from jara.domain.errors import InvalidInput

_PIECE_BYTES = 1 << 16

Event = tuple[bool, str, str, Mapping[str, str], int]
"""Whether an element starts; its name; at the start its namespace and attributes, at the end its
text; and the line."""

_NOTHING: Mapping[str, str] = {}


class _Collector:
    """Collects events; the text of an element comes with its end."""

    def __init__(self, expat: Any) -> None:  # noqa: ANN401 - expat's parser has no public type
        self.events: list[Event] = []
        self._text: list[str] = []
        self._expat = expat
        expat.ordered_attributes = True
        expat.StartElementHandler = self._start
        expat.EndElementHandler = self._end
        expat.CharacterDataHandler = self._text.append

    @property
    def line(self) -> int:
        """The line that is read."""
        return int(self._expat.CurrentLineNumber)

    def _start(self, tag: str, names: list[str]) -> None:
        self._text.clear()
        space, _, name = tag.rpartition("}")
        facts = dict(zip(names[::2], names[1::2], strict=True)) if names else _NOTHING
        self.events.append((True, name, space, facts, self._expat.CurrentLineNumber))

    def _end(self, tag: str) -> None:
        text = "".join(self._text).strip()
        self._text.clear()
        name = tag.rpartition("}")[2]
        self.events.append((False, name, text, _NOTHING, self._expat.CurrentLineNumber))


def xml_events(data: bytes, name: str) -> Iterator[Event]:
    """Yield the starts and ends of elements.

    Raises:
        InvalidInput: it is not XML, or has a DTD or entities; the message names the line.
    """
    from defusedxml import DefusedXmlException  # noqa: PLC0415 - only these files need it
    from defusedxml.ElementTree import DefusedXMLParser  # noqa: PLC0415

    # It refuses DTDs and entities; the elements go past it, since its own way of collecting
    # them takes four times as long.
    reader: Any = DefusedXMLParser(forbid_dtd=True)
    collector = _Collector(reader.parser)
    try:
        for start in range(0, len(data), _PIECE_BYTES):
            reader.parser.Parse(data[start : start + _PIECE_BYTES], False)  # noqa: FBT003 - expat's
            yield from collector.events
            collector.events.clear()
        reader.parser.Parse(b"", True)  # noqa: FBT003
    except DefusedXmlException:
        raise InvalidInput(
            f"{name}, line {collector.line}: the file has a DTD or entities, which no bank needs."
        ) from None
    except (ExpatError, ValueError, LookupError) as error:
        raise InvalidInput(
            f"{name}, line {collector.line}: the file is not XML ({error})."
        ) from None
    yield from collector.events
