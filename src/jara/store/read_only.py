"""A store that refuses every change."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from jara.domain.errors import Conflict
from jara.store.store import Final, Result, Store
from jara.store.unit_of_work import UnitOfWork


class ReadOnlyStore(Store):
    """The store of a program that only reads."""

    def write(self) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        raise Conflict("This organisation was opened to be read only.")

    def write_grouped_then(
        self, act: Callable[[UnitOfWork], Result], then: Callable[[Result], Final]
    ) -> NoReturn:
        """Refuse.

        Raises:
            Conflict: always.
        """
        del act, then
        self.write()
