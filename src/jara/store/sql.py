"""The small door through which every repository talks to its database.

SQL is written once, in the dialect that SQLite and PostgreSQL share, with named
parameters (``:name``); a driver translates what little differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = tuple[Any, ...]
Params = Mapping[str, object]


class Sql(Protocol):
    """One connection inside one transaction."""

    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""
        ...

    def run_many(self, statement: str, rows: Iterable[Params]) -> None:
        """Execute a statement once for each set of parameters."""
        ...

    def one(self, statement: str, params: Params | None = None) -> Row | None:
        """Return the first row, or None."""
        ...

    def all(self, statement: str, params: Params | None = None) -> list[Row]:
        """Return every row."""
        ...

    def part(self) -> AbstractContextManager[None]:
        """Keep what is done inside, or undo it alone; the transaction goes on."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether the transaction still stands."""
        ...

    def append(self, statement: str, row: Params) -> None:
        """Execute a statement later, together with others of its kind."""
        ...

    def each(self, statement: str, params: Params | None = None) -> Iterator[Row]:
        """Return the rows one after the other, in bounded memory."""
        ...
