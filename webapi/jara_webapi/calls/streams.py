"""Answers that are sent piece by piece: what fails, fails before the answer begins."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from tempfile import TemporaryFile, gettempdir
from typing import BinaryIO

from jara.domain.errors import Unavailable

_PIECE_BYTES = 64 * 1024


class Begun:
    """The pieces of an answer, of which the first one is there."""

    def __init__(self, pieces: Generator[bytes]) -> None:
        """Make the first piece; what it raises is the answer instead."""
        self._pieces = pieces
        self._first = next(pieces, b"")

    def __iter__(self) -> Iterator[bytes]:
        yield self._first
        yield from self._pieces

    def close(self) -> None:
        """End the pieces, also if the client has left; the server calls it."""
        self._pieces.close()


def pieces_of(fill: Callable[[BinaryIO], None]) -> Generator[bytes]:
    """Write an answer to a temporary file, then pass it on piece by piece.

    A slow client holds no transaction open, and memory does not grow.

    Raises:
        Unavailable: the temporary file cannot be written.
    """
    try:
        with TemporaryFile() as file:
            fill(file)
            file.seek(0)
            while piece := file.read(_PIECE_BYTES):
                yield piece
    except OSError as error:
        raise Unavailable(
            f"The temporary folder {gettempdir()} takes no file: {error.strerror}."
        ) from error
