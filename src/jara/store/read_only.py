"""A store that refuses every change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from jara.domain.errors import Conflict
from jara.store.sql_store import Result, SqlStore
from jara.store.unit_of_work import SqlUnitOfWork


class ReadOnlyStore(SqlStore):
    """The store of a program that only reads."""

    def write(self) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        raise Conflict("This organisation was opened to be read only.")

    def write_grouped(self, act: Callable[[SqlUnitOfWork], Result]) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        del act
        self.write()
