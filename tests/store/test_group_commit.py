"""Acts of several threads share a transaction, separately and with no result before commit."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, Unavailable
from jara.store.sql.connection import Sql
from jara.store.sql.group_commit import GroupCommit
from tests.harness import open_test_database
from tests.places import database_of
from tests.sizes import PATIENCE_SECONDS, wait_until

INSERT = "INSERT INTO meta (key, value) VALUES (:key, '')"
KEPT = "SELECT key FROM meta WHERE key LIKE 'act-%' ORDER BY key"


class Stage:
    """A database with a transaction that starts when the test allows it."""

    def __init__(self, folder: Path) -> None:
        self.database = open_test_database(database_of(folder))
        self.database.create()
        self.begun = 0
        self.may_begin = threading.Event()
        self.may_commit = threading.Event()
        self.may_commit.set()
        self.group_commit = GroupCommit(self.begin)

    @contextmanager
    def begin(self) -> Iterator[Sql]:
        """Wait for permission, count the transaction and start it."""
        self.begun += 1
        assert self.may_begin.wait(PATIENCE_SECONDS)
        with self.database.transaction(write=True) as sql:
            yield sql
            assert self.may_commit.wait(PATIENCE_SECONDS)

    def kept(self) -> list[str]:
        """Return the committed acts, each with both of its rows."""
        with self.database.transaction(write=False) as sql:
            rows = [str(row[0]) for row in sql.all(KEPT)]
        names = rows[::2]
        assert [f"{name}-later" for name in names] == rows[1::2]
        return names

    def crowd(self, *acts: Callable[[Sql], str]) -> list[Future[str]]:
        """Start all threads; the others wait while the first has not started its transaction."""
        pool = ThreadPoolExecutor(len(acts))
        first = pool.submit(self.group_commit.do, acts[0])
        wait_until(lambda: self.begun == 1)
        others = [pool.submit(self.group_commit.do, act) for act in acts[1:]]
        wait_until(lambda: len(self.group_commit._waiting) == len(acts) - 1)
        pool.shutdown(wait=False)
        return [first, *others]


def keep(name: str, *, then: Exception | None = None) -> Callable[[Sql], str]:
    """Return an act that writes a row and then may fail."""

    def act(sql: Sql) -> str:
        sql.run(INSERT, {"key": f"act-{name}"})
        sql.append(INSERT, (f"act-{name}-later",))
        if then is not None:
            raise then
        return name

    return act


@pytest.fixture
def stage(place: Path) -> Iterator[Stage]:
    """An empty database."""
    made = Stage(place)
    yield made
    made.database.close()


def test_waiting_acts_share_the_next_transaction(stage: Stage) -> None:
    """Six acts need two transactions, and each thread gets its own act's result."""
    acts = stage.crowd(*(keep(str(number)) for number in range(6)))
    stage.may_begin.set()

    assert [str(number) for number in range(6)] == [act.result(10) for act in acts]
    assert stage.begun == 2
    assert stage.kept() == [f"act-{number}" for number in range(6)]


def test_a_failed_act_is_rolled_back_alone(stage: Stage) -> None:
    """A failed act is rolled back alone, including its buffered rows."""
    acts = stage.crowd(keep("0"), keep("1"), keep("2", then=Conflict("no")), keep("1"), keep("3"))
    stage.may_begin.set()

    for failed in (acts[2], acts[3]):
        with pytest.raises(Conflict):
            failed.result(10)
    assert [acts[place].result(10) for place in (0, 1, 4)] == ["0", "1", "3"]
    assert stage.kept() == ["act-0", "act-1", "act-3"]


def test_results_are_returned_after_the_commit(stage: Stage) -> None:
    """An act that is not committed has no result yet."""
    stage.may_commit.clear()
    (act,) = stage.crowd(keep("0"))
    stage.may_begin.set()

    with pytest.raises(TimeoutError):
        act.result(0.2)
    stage.may_commit.set()
    assert act.result(10) == "0"


def test_when_the_database_undoes_everything_all_hear_it(stage: Stage) -> None:
    """A full disk rolls back the whole transaction, and every thread gets the error."""

    def full(sql: Sql) -> str:
        sql.run("ROLLBACK")  # as SQLite does automatically
        raise Unavailable("The disk is full.")

    acts = stage.crowd(keep("0"), keep("1"), full, keep("2"))
    stage.may_begin.set()

    assert acts[0].result(10) == "0"
    for act in acts[1:]:
        with pytest.raises(Unavailable, match="full"):
            act.result(10)
    assert stage.kept() == ["act-0"]


def test_when_the_thread_that_leads_is_stopped_all_hear_it(stage: Stage) -> None:
    """If the leading thread is stopped, all waiting threads get an error."""

    def stopped(_sql: Sql) -> str:
        raise SystemExit

    acts = stage.crowd(keep("0"), keep("1"), stopped)
    stage.may_begin.set()

    assert acts[0].result(10) == "0"
    for act in acts[1:]:
        with pytest.raises(SystemExit):
            act.result(10)
    assert stage.kept() == ["act-0"]
