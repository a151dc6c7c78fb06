"""Group commit: writes of several threads share a transaction, so they wait for one fsync.

Measured with 5 ms for each fsync and eight threads: 2.8 times as many votes per second from
one process, 1.9 times from two.
"""

import threading
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Generic, TypeVar

from jara.store.sql.connection import Sql

ACTS_MAX = 64
Result = TypeVar("Result")


class Act(Generic[Result]):
    """One thread's write, and its outcome."""

    def __init__(self, do: Callable[[Sql], Result]) -> None:
        """Queue a write; nothing is done yet."""
        self._do = do
        self._result: Result | None = None
        self.error: BaseException | None = None
        self.ended = False
        # Each is woken once, so a lock suffices; an event costs ten times as much.
        self._asleep = threading.Lock()
        self._asleep.acquire()

    def wait(self) -> None:
        """Wait until the write has ended, or until its thread has to lead the next group."""
        self._asleep.acquire()

    def wake(self) -> None:
        """Wake its thread."""
        self._asleep.release()

    def attempt(self, sql: Sql) -> None:
        """Write inside a savepoint: a failure undoes this write alone."""
        try:
            with sql.savepoint():
                self._result = self._do(sql)
        except Exception as error:  # raised again in the thread that asked for the write
            self.error = error
            if not sql.is_open:
                raise  # the database rolled back the writes of the others too

    def finish(self) -> None:
        """Wake its thread, after the commit."""
        self.ended = True
        self.wake()

    def outcome(self) -> Result:
        """Return its result, or raise its error."""
        if self.error is not None:
            raise self.error
        return self._result  # type: ignore[return-value] # without an error there is one


class GroupCommit:
    """Runs waiting writes of several threads in one transaction.

    The first thread leads: it runs its own write and all waiting ones, and commits. Meanwhile
    others queue up, and the first of them leads the next group. Each thread waits for its own
    lock, so that a finished one does not queue behind newcomers.
    """

    def __init__(self, begin: Callable[[], AbstractContextManager[Sql]]) -> None:
        self._begin = begin
        self._waiting: deque[Act[object]] = deque()
        self._lock = threading.Lock()
        self._has_leader = False

    def do(self, do: Callable[[Sql], Result]) -> Result:
        """Run a write, alone or in a group; return its result after the commit."""
        act = Act(do)
        with self._lock:
            self._waiting.append(act)  # type: ignore[arg-type] # each thread knows its own
            leads, self._has_leader = not self._has_leader, True
        if not leads:
            act.wait()
        if not act.ended:
            self._lead()
        return act.outcome()

    def _lead(self) -> None:
        """Run the first writes of the queue; this thread's own is at its head."""
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
            for act in acts:
                act.finish()
            with self._lock:
                self._has_leader = bool(self._waiting)
                if self._waiting:
                    self._waiting[0].wake()
