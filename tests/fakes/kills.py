"""Interrupts an act at each write statement."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from jara.store.postgres.connection import PostgresSql
from jara.store.seals import SealingSql
from jara.store.sql.connection import BufferedSql
from jara.store.sqlite.connection import SqliteSql


class Killed(BaseException):
    """A simulated power failure."""


@contextmanager
def kill_at(step: int) -> Iterator[None]:
    """Fail at a write statement, counted from 0."""
    steps = count()

    def failing(write: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: object) -> Any:
            if next(steps) == step:
                raise Killed
            return write(*args)

        return run

    with pytest.MonkeyPatch.context() as patch:
        for engine in (SqliteSql, PostgresSql, SealingSql):
            patch.setattr(engine, "run", failing(engine.run))
        patch.setattr(BufferedSql, "append", failing(BufferedSql.append))
        yield


def survive(act: Callable[[], object], step: int) -> bool:
    """Run an act that is interrupted at a step; return whether it ended before that."""
    try:
        with kill_at(step):
            act()
    except Killed:
        return False
    return True
