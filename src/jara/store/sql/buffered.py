"""The half of the `Sql` door that every engine shares: appended rows wait for each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from jara.store.sql.connection import Params, Row

BUFFER_ROWS_MAX = 5_000  # more gains nothing, and is not in the processor's cache


class BufferedSql(ABC):
    """Collects appended rows and has them written in batches.

    Any read, and the commit, writes them first, so that nobody sees the difference.
    """

    def __init__(self) -> None:
        """Nothing waits yet."""
        self._waiting: defaultdict[str, list[Row]] = defaultdict(list)
        self._rows = 0

    @abstractmethod
    def run(self, statement: str, params: Params | None = None) -> int:
        """Execute a statement and return how many rows it changed."""

    @property
    @abstractmethod
    def is_open(self) -> bool:
        """Whether the transaction still stands."""

    @abstractmethod
    def _write(self, waiting: Mapping[str, Sequence[Row]], count: int) -> None:
        """Execute each statement for its rows, `count` in all."""

    def append(self, statement: str, row: Row) -> None:
        """Execute a statement later, together with others of its kind."""
        self._waiting[statement].append(row)
        self._rows += 1
        if self._rows >= BUFFER_ROWS_MAX:
            self.flush()

    def flush(self) -> None:
        """Write what is buffered, statement by statement in order of first use.

        The order lasts for the whole transaction, so that a row comes after the one it
        refers to wherever the buffer happens to be full. What could not be written goes on
        waiting: no commit passes over it.
        """
        if not self._rows:
            return
        self._write(self._waiting, self._rows)
        self._forget()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Keep what is done inside, or undo it alone; the transaction goes on."""
        self.run("SAVEPOINT grouped")
        try:
            yield
            self.run("RELEASE grouped")
        except BaseException:
            self._forget()
            if self.is_open:  # the engine may have undone everything
                self.run("ROLLBACK TO grouped")
                self.run("RELEASE grouped")
            raise

    def _forget(self) -> None:
        self._rows = 0
        for rows in self._waiting.values():
            rows.clear()
