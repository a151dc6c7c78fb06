"""Interrupted payments: the process ends, Stripe fails, the disk is full."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from jara.domain.errors import Unavailable
from jara.services.operations.daily_run import daily_steps, run_daily
from jara.store.unit_of_work import UnitOfWork
from jara_webapi.app import create_app
from tests.webapi.payments.live_desk import LiveDesk

ANSWERS = ("before", "after", "500", "500_after", "429")
"""Lost before or after the call was executed; Stripe's errors, before and after it."""

EMAIL = "ama@example.org"
KEY = "joining-once"


class Crash(BaseException):
    """Simulates the end of the process."""


class CutGateway:
    """A gateway with one method that ends the process, before or after the call."""

    def __init__(self, inner: Any, method: str, when: str) -> None:
        """Break one method."""
        self._inner, self._method, self._when = inner, method, when

    def __getattr__(self, name: str) -> Any:
        """Forward every other call."""
        real = getattr(self._inner, name)
        return real if name != self._method else self._cut(real)

    def _cut(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if self._when == "after":
                real(*args, **kwargs)
            raise Crash

        return call


class CutStore:
    """A store whose n-th write ends the process, finds the disk full, or loses its answer."""

    def __init__(self, inner: Any, number: int, fault: str) -> None:
        """Break one transaction; a full disk also breaks all later ones."""
        self._inner, self._number, self._fault = inner, number, fault
        self._begun = itertools.count(1)

    def __getattr__(self, name: str) -> Any:
        """Forward everything else."""
        return getattr(self._inner, name)

    @contextmanager
    def write(self) -> Iterator[UnitOfWork]:
        """Start a transaction."""
        number = next(self._begun)
        if number == self._number and self._fault == "crash before":
            raise Crash
        with self._inner.write() as work:
            yield work
            if number >= self._number and self._fault == "full":
                # A full disk is found on commit, which rolls back the whole transaction.
                raise Unavailable("The disk is full; nothing was changed.")
        if number == self._number and self._fault == "crash after":
            raise Crash
        if number == self._number and self._fault == "answer lost":
            raise Unavailable("The database committed, and its answer was lost.")

    def write_grouped(self, act: Callable[[UnitOfWork], Any]) -> Any:
        """Run an act in its own transaction, which may be interrupted."""
        with self.write() as work:
            return act(work)


def restart(live: LiveDesk, whole: Any) -> None:
    """Reopen the API on the stored data, without faults."""
    live.application = whole
    live.client.app = create_app(whole)


def let_time_pass(live: LiveDesk) -> None:
    """Deliver Stripe's events and run the daily run until everything is settled a day later."""
    context = replace(live.application.context, operator="scheduler")
    assert live.application.live is not None

    class Nowhere:
        """A mail transport that accepts and discards every email."""

        def send(self, email: object) -> None:
            """Discard the email."""

        def keep_only(self, email_ids: object) -> int:
            """Do nothing."""
            return 0

    steps = daily_steps(clockwork=None, sender=Nowhere(), events=live.application.live.events)
    for hours in (0.2, 25, 1):
        live.world.double.advance(hours=hours)
        live.listen()
        results = run_daily(context, steps)
        assert [line for line in results if not line.ok] == []
        live.listen()
