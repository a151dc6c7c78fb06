"""The part of `Sql` that both engines share: a buffer of appended rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from jara.store.sql.connection import Params, Row
from jara.store.sql.tables import place_of

BUFFER_ROWS_MAX = 5_000  # larger batches are not faster


class BufferedSql(ABC):
    """Collects appended rows and writes them in batches.

    Every read and the commit flush the buffer first.
    """

    def __init__(self) -> None:
        self._waiting: defaultdict[str, list[Row]] = defaultdict(list)
        self._rows = 0

    @abstractmethod
    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether the transaction is still open."""

    @abstractmethod
    def _write(self, waiting: Mapping[str, Sequence[Row]], count: int) -> None:
        """Execute each statement for its rows; `count` is the total."""

    def append(self, statement: str, row: Row) -> None:
        """Buffer a row; it is written with others of the same statement."""
        self._waiting[statement].append(row)
        self._rows += 1
        if self._rows >= BUFFER_ROWS_MAX:
            self.flush()

    def flush(self) -> None:
        """Write the buffered rows, table by table, each table after those it references.

        The order of first use could break a foreign key: a row of an existing entry may be
        buffered before the first new entry. Rows that could not be written stay in the
        buffer, so no commit skips them.
        """
        if not self._rows:
            return
        ordered = {insert: self._waiting[insert] for insert in sorted(self._waiting, key=place_of)}
        self._write(ordered, self._rows)
        self._forget()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Run the block in a savepoint: an error undoes the block alone."""
        self.run("SAVEPOINT grouped")
        try:
            yield
            self.run("RELEASE grouped")
        except BaseException:
            self._forget()
            if self.is_open:  # the engine may have rolled back everything
                self.run("ROLLBACK TO grouped")
                self.run("RELEASE grouped")
            raise

    def _forget(self) -> None:
        self._rows = 0
        for rows in self._waiting.values():
            rows.clear()
