"""Two programs that take turns on one database: one acts between two transactions of the other."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class _Turns:
    """A store that lets another program act after so many transactions."""

    def __init__(self, context: Context, number: int, act: Callable[[], object]) -> None:
        self._store = context.store
        self._left = number
        self._act = act

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def read(self) -> Iterator[UnitOfWork]:
        with self._store.read() as work:
            yield work
        self._count()

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        with self._store.write() as work:
            yield work
        self._count()

    def _count(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._act()


def taking_turns(context: Context, number: int, act: Callable[[], object]) -> Context:
    """Return a context whose user is overtaken by an act after so many transactions, from 1."""
    turns: Any = _Turns(context, number, act)
    return replace(context, store=turns)
