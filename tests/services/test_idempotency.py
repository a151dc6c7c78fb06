"""A request with a key has one attempt at a time, whatever other processes store late."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.services.context import Context
from jara.services.idempotency import Request, StillRunning, run_once, settle
from jara.store.store import Store
from jara.store.unit_of_work import UnitOfWork
from tests.harness import clock_of

REQUEST = Request("gift", "a key of the client", b"{}")


class Process:
    """A process of its own, which may lose its database."""

    def __init__(self, context: Context) -> None:
        """Start with the database."""
        self._store: Store = context.store
        self.is_cut_off = False
        store: Any = self
        self.context = replace(context, store=store, ended_requests={})

    def write(self) -> AbstractContextManager[UnitOfWork]:
        """Open a transaction, if the database is there."""
        if self.is_cut_off:
            raise Unavailable("The database does not answer.")
        return self._store.write()

    def ask(self, carry_out: Callable[[], str]) -> str:
        """Ask for the same thing under the same key."""

        def load(answer: Mapping[str, Any]) -> str:
            return str(answer["text"])

        return run_once(
            self.context, REQUEST, carry_out, dump=lambda text: {"text": text}, load=load
        )

    def ends_late(self, third: Process) -> Callable[[], str]:
        """Return an attempt during which this process reaches its database again."""

        def carry_out() -> str:
            self.is_cut_off = False
            settle(self.context)
            with pytest.raises(StillRunning):
                third.ask(_never)
            return "done"

        return carry_out


def _never() -> str:
    raise AssertionError("two attempts at once")


def test_an_attempt_that_never_began_releases_no_other(context: Context) -> None:
    """A process could not begin, and learns later that the database is back."""
    first, second, third = (Process(context) for _ in range(3))
    first.is_cut_off = True
    with pytest.raises(Unavailable):
        first.ask(_never)

    assert second.ask(first.ends_late(third)) == "done"
    assert third.ask(_never) == "done"


def test_an_attempt_that_was_taken_over_releases_no_other(context: Context) -> None:
    """An attempt fails, and its end is stored only while the next one is being carried out."""
    first, second, third = (Process(context) for _ in range(3))

    def refuse() -> str:
        first.is_cut_off = True
        raise Conflict("refused")

    with pytest.raises(Conflict, match="refused"):
        first.ask(refuse)
    clock_of(context).advance(minutes=3)

    assert second.ask(first.ends_late(third)) == "done"
    assert third.ask(_never) == "done"
