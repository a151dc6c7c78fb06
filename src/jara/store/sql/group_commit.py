"""Acts of several threads in one transaction, which costs one wait for the disk.

Each act is kept or undone by itself, and hears how it ended only after the commit.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from jara.store.sql.connection import Sql

ACTS_MAX = 64
Result = TypeVar("Result")


class Act(Generic[Result]):
    """What a thread wants to have done, and how it ended."""

    def __init__(self, do: Callable[[Sql], Result]) -> None:
        """Nothing is done yet."""
        self._do = do
        self._result: Result | None = None
        self.error: BaseException | None = None
        self.ended = False
        self._gate = threading.Lock()
        self._gate.acquire()

    def wait(self) -> None:
        """Wait until it has ended, or until it is its thread's turn to lead."""
        self._gate.acquire()

    def call(self) -> None:
        """Let its thread go on."""
        self._gate.release()

    def attempt(self, sql: Sql) -> None:
        """Do it as a part of a transaction; what fails is undone alone."""
        try:
            with sql.part():
                self._result = self._do(sql)
        except Exception as error:  # whoever asked for the act hears it
            self.error = error
            if not sql.is_open:
                raise  # the database has undone the acts of the others too

    def outcome(self) -> Result:
        """Return what it gave, or raise what it raised."""
        if self.error is not None:
            raise self.error
        return self._result  # type: ignore[return-value] # without an error there is one


class Together:
    """Lets acts that wait at the same time share a transaction.

    The first thread leads: it does its own act and all that wait. While it waits for the
    disk others gather, and the next of them leads. Each waits for its own call: whoever
    was done must not stand in line with those who come after.
    """

    def __init__(self, begin: Callable[[], AbstractContextManager[Sql]]) -> None:
        """Take the way to a transaction that may write."""
        self._begin = begin
        self._waiting: deque[Act[object]] = deque()
        self._lock = threading.Lock()
        self._somebody_leads = False

    def do(self, do: Callable[[Sql], Result]) -> Result:
        """Do an act, alone or with others; it is committed when this returns."""
        act = Act(do)
        with self._lock:
            self._waiting.append(act)  # type: ignore[arg-type] # each thread knows its own
            leads, self._somebody_leads = not self._somebody_leads, True
        if not leads:
            act.wait()
        if not act.ended:
            self._lead()
        return act.outcome()

    def _lead(self) -> None:
        """Do the first acts of the line, of which the thread's own is the very first."""
        with self._lock:
            acts = [self._waiting.popleft() for _ in range(min(ACTS_MAX, len(self._waiting)))]
        try:
            with self._begin() as sql:
                for act in acts:
                    act.attempt(sql)
        except BaseException as error:
            for act in acts:
                act.error = act.error or error
            if not isinstance(error, Exception):
                raise
        finally:
            with self._lock:
                self._somebody_leads = bool(self._waiting)
                if self._waiting:
                    self._waiting[0].call()
            for act in acts:
                act.ended = True
                act.call()
