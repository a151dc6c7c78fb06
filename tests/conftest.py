"""Fixtures for every test: fixed Hypothesis profiles, and no network access."""

import gc
import ipaddress
import socket
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from jara.domain.currency import DEFAULT_CURRENCY, use_currency
from jara.domain.errors import Conflict
from jara.security.passwords import ArgonHasher
from jara.store.schema import latest_version
from jara.store.sqlite import database, objects
from jara.store.sqlite.connection import Connection, SqliteSql, SqliteTransaction
from jara.store.sqlite.database import SqliteDatabase
from tests.cards import IS_WITHOUT_CARDS, SWITCH, begin_test, is_left_out, noting_refusals
from tests.places import NewPlace, in_the_end, keep_on_server, leave
from tests.postgres_server import PostgresServer
from tests.quick_jara import quick_jara
from tests.sizes import IS_FULL

# Deadlines would measure the machine, not the code.
settings.register_profile(
    "quick", deadline=None, derandomize=True, max_examples=30, stateful_step_count=30
)
settings.register_profile(
    "full",
    deadline=None,
    max_examples=200,  # other examples in each run
    stateful_step_count=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("full" if IS_FULL else "quick")

# Until every test is collected: walking the same modules again took a third of that time.
gc.disable()

HERE = Path(__file__).parent


if IS_WITHOUT_CARDS:
    Conflict.__init__ = noting_refusals(Conflict.__init__)  # type: ignore[method-assign] # theirs


_running: dict[str, bool] = {}
"""Whether the running test is one of the drivers of databases."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Look at the refusals of each test by itself, and begin each in US dollars.

    So no test, and no module's fixture, sees the currency that another test opened.
    """
    begin_test()
    use_currency(DEFAULT_CURRENCY)
    _running["drivers"] = item.path.is_relative_to(HERE / "store")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave out what is about cards in an organisation without them."""
    report = yield
    error = call.excinfo.value if report.failed and call.excinfo is not None else None
    if error and IS_WITHOUT_CARDS and is_left_out(item.path, item.name, error):
        report.outcome = "skipped"
        report.longrepr = (str(item.path), 0, "Skipped: needs cards")
    return report


ON_POSTGRES = (
    "faults/test_payment_races.py",
    "faults/test_races.py",
    "services/ballots/test_ghost_members.py::test_a_second_operator_gives_the_vote",
    "services/ballots/test_changed_addresses.py::test_a_first_address_by_one_operator",
    "services/ballots/test_changed_addresses.py::test_a_handed_over_account",
    "services/ballots/test_changed_addresses.py::test_a_member_who_leaves",
    "services/ballots/test_changed_addresses.py::test_a_vote_is_held",
    "services/books/test_papers.py::test_a_document_is_read_as_it_was_stored",
    "services/operations/test_waiting_acts.py::test_an_impossible_act",
    "services/test_idempotency.py",
    "services/members/test_stolen_copies.py::test_no_copy_of_the_database",
    "services/members/test_taken_votes.py::test_a_shared_card",
    "services/members/test_taken_votes.py::test_another_operator_signs",
    "services/members/test_taken_votes.py::test_stopping_a_pledge",
    "store",
    "webapi/test_answers_of_changes.py",
    "webapi/test_specified_calls.py::test_proposals_are_an_array",
    "webapi/test_specified_calls.py::test_published_figures",
    "webapi/field/test_receiving.py::test_a_report_sent_twice_arrives_once",
    "webapi/field/test_publishing.py::test_publishing_makes_an_update_and_evidence",
)
"""The beginnings of tests that also run on PostgreSQL in a normal run: together they run every
statement that any test ran there. `nox -s full` runs all tests on it."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with slow tests: one that starts last leaves the other processors idle.

    The order is reversed, because the slowest tests, of the documents, are last.
    """
    slow = [item for item in items if item.get_closest_marker("slow")]
    items[:] = slow[::-1] + [item for item in items if not item.get_closest_marker("slow")]


def pytest_collection_finish() -> None:
    """Let the collector leave alone what stays until the end, and come less often."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of an organisation on SQLite, and on PostgreSQL in a full run or if listed.

    Databases on PostgreSQL are slow to create.
    """
    given = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "new_place" in metafunc.fixturenames and "new_place" not in given:
        path = Path(metafunc.definition.path).relative_to(HERE).as_posix()
        name = f"{path}::{metafunc.definition.name}"
        is_listed = name.startswith(ON_POSTGRES)
        engines = ["sqlite", "postgresql"] if IS_FULL or is_listed else ["sqlite"]
        metafunc.parametrize("new_place", engines, indirect=True, scope="module")


@pytest.fixture(autouse=True, scope="session")
def _keep_states_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test write to the user's home."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("states")))
        yield


@pytest.fixture(autouse=True, scope="session")
def _hide_the_size() -> Iterator[None]:
    """Let Jara's commands not see how tests run, which is no setting of Jara."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("JARA_FULL", raising=False)
        patch.delenv(SWITCH, raising=False)
        if IS_WITHOUT_CARDS:
            patch.setenv("JARA_CARDS", "none")
        yield


@pytest.fixture(autouse=True, scope="session")
def _hash_quickly() -> Iterator[None]:
    """Let commands in this process hash passwords with little memory; else each takes 20 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("jara.bootstrap.ArgonHasher", partial(ArgonHasher, memory_kib=8, passes=1))
        yield


@pytest.fixture(autouse=True, scope="session")
def _stay_on_this_machine() -> Iterator[None]:
    """Refuse connections to other machines; loopback and Unix sockets are allowed."""
    connect, lookup = socket.socket.connect, socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            _refuse_outside(address[0])
        connect(self, address)

    def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_outside(host)
        return lookup(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket, "getaddrinfo", guarded_lookup)
        yield


@pytest.fixture(autouse=True, scope="session")
def _copy_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Copy the tables of a new SQLite database or model, ten times faster than creating them."""
    made = SqliteDatabase(tmp_path_factory.mktemp("tables") / "empty.db", durable=False)
    made.create()
    made._connection().execute("PRAGMA journal_mode = DELETE")
    version, take = latest_version(), objects.take_steps

    def copy(connection: Connection, until: int | None = None) -> list[str]:
        begun = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if begun or latest_version() != version:  # a test of a later step
            return take(connection, until)
        made._connection().backup(connection)
        return []

    with pytest.MonkeyPatch.context() as patch:
        for module in (database, objects):
            patch.setattr(module, "take_steps", copy)
        yield


@pytest.fixture(autouse=True, scope="session")
def _refuse_writes_in_reads() -> Iterator[None]:
    """Refuse a write in a read transaction of SQLite too, as PostgreSQL does."""
    begin, end = SqliteTransaction.__enter__, SqliteTransaction.__exit__

    def enter(self: SqliteTransaction) -> SqliteSql:
        sql = begin(self)
        if not _running["drivers"]:
            self._connection.execute(f"PRAGMA query_only = {not self._write}")
        return sql

    def leave(self: SqliteTransaction, *error: Any) -> None:
        end(self, *error)
        if not _running["drivers"]:
            self._connection.execute("PRAGMA query_only = FALSE")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteTransaction, "__enter__", enter)
        patch.setattr(SqliteTransaction, "__exit__", leave)
        yield


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a program ``jara`` that starts at once."""
    with quick_jara(tmp_path_factory.mktemp("programs")) as folder:
        yield folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started on first use."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def new_place(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NewPlace]:
    """A function that makes a folder for an organisation, on each engine in turn."""
    on_server = request.param == "postgresql"
    server: PostgresServer | None = request.getfixturevalue("postgres") if on_server else None
    made: list[Path] = []

    def make() -> Path:
        folder = tmp_path_factory.mktemp("organisation")
        made.append(folder)
        if server is not None:
            url = server.create_with_tables()
            keep_on_server(folder, url)
            in_the_end(folder, partial(server.drop_database, url))
        return folder

    yield make
    for folder in made:
        leave(folder)


@pytest.fixture
def place(new_place: NewPlace) -> Iterator[Path]:
    """A new folder for one organisation, on each engine in turn."""
    folder = new_place()
    yield folder
    leave(folder)


def _refuse_outside(host: str | bytes | None) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in {None, "", "localhost"}:
        return
    try:
        inside = ipaddress.ip_address(str(name)).is_loopback
    except ValueError:
        inside = False
    if not inside:
        message = f"a test wanted to reach {name!r}; tests stay on this machine"
        raise OSError(message)
