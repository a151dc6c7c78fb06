"""Reads a JSON list item by item, in bounded memory."""

import codecs
import json
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

from jara.domain.errors import InvalidInput

ITEM_CHARACTERS_MAX = 1 << 20
"""The longest item, so that memory stays bounded."""

_CHUNK_BYTES = 1 << 16
_BLANKS = " \t\r\n"


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"'{word}' is not a JSON number")


# Fractions stay text: an exchange rate may be one, an amount of money never is.
_DECODER = json.JSONDecoder(parse_float=str, parse_constant=_refuse_constant)


class JsonList:
    """A list of items: bare, or under ``data`` in an object, as Stripe responds."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        """Start at the beginning of the file; a byte-order mark is accepted."""
        self.others: dict[str, object] = {}
        self._stream = stream
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._buffer = ""
        self._place = 0
        self._line = 1
        self._ended = False

    def items(self) -> Iterator[tuple[int, object]]:
        """Yield each item with the line it begins on.

        At the end, ``others`` holds the values beside ``data``.

        Raises:
            InvalidInput: the file is not UTF-8, not JSON, or no such list.
        """
        opening = self._peek()
        if opening == "[":
            yield from self._array()
        elif opening == "{":
            yield from self._object()
        else:
            self._fail("the file is not a JSON list")
        if self._peek():
            self._fail("there is text after the end of the list")

    def _array(self) -> Iterator[tuple[int, object]]:
        self._step()
        if self._peek() == "]":
            self._step()
            return
        while True:
            self._peek()
            line = self._line
            yield line, self._value()
            if self._separator("]"):
                return

    def _object(self) -> Iterator[tuple[int, object]]:
        found = False
        self._step()
        while True:
            self._peek()
            key = self._value()
            if not isinstance(key, str) or self._peek() != ":":
                self._fail("the file is not a JSON object with 'data'")
            self._step()
            if key == "data" and self._peek() == "[":
                found = True
                yield from self._array()
            else:
                self._peek()
                self.others[key] = self._value()
            if self._separator("}"):
                break
        if not found:
            self._fail("the object has no list 'data'")

    def _separator(self, closing: str) -> bool:
        """Step over a comma (False) or the closing bracket (True)."""
        character = self._peek()
        if character not in {",", closing}:
            self._fail(f"a comma or '{closing}' is missing")
        self._step()
        return character == closing

    def _peek(self) -> str:
        """Skip blanks and return the next character, '' at the end of the file."""
        while True:
            while self._place < len(self._buffer):
                character = self._buffer[self._place]
                if character not in _BLANKS:
                    return character
                self._step()
            if not self._fill():
                return ""

    def _step(self) -> None:
        self._line += self._buffer[self._place] == "\n"
        self._place += 1

    def _value(self) -> object:
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._place)
            except RecursionError:
                self._fail("the text is nested too deeply")
            except ValueError as error:
                reason = getattr(error, "msg", str(error))
                if not self._may_grow():
                    self._fail(f"the text is not JSON ({reason})")
                continue
            # A number at the end of the buffer may continue in the next chunk.
            if end == len(self._buffer) and self._fill():
                continue
            self._line += self._buffer.count("\n", self._place, end)
            self._place = end
            return value

    def _may_grow(self) -> bool:
        return len(self._buffer) - self._place < ITEM_CHARACTERS_MAX and self._fill()

    def _fill(self) -> bool:
        """Read the next chunk and drop what was consumed; return whether there was more."""
        if self._ended:
            return False
        chunk = self._stream.read(_CHUNK_BYTES)
        self._ended = not chunk
        try:
            text = self._decoder.decode(chunk, self._ended)
        except UnicodeDecodeError:
            line = self._line + self._buffer.count("\n", self._place)
            raise InvalidInput(
                f"{self._name}: a byte after line {line} is not UTF-8; "
                "save the file as UTF-8 and try again."
            ) from None
        self._buffer = self._buffer[self._place :] + text
        self._place = 0
        return not self._ended

    def _fail(self, why: str) -> NoReturn:
        raise InvalidInput(f"{self._name}, line {self._line}: {why}.")
