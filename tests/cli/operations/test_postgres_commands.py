"""The commands on PostgreSQL: create, read, copy in both directions, back up and restore."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jara.domain.errors import Unavailable
from jara.services.books.verified_point import POINT_KEY
from jara.store.postgres.database import PostgresDatabase
from jara.store.sql.database import Database
from jara.store.sql.tables import TABLES
from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import PUBLIC_REVISION
from jara_cli.main import execute
from tests import places
from tests.cli.giving_shell import GivingShell
from tests.postgres_server import PostgresServer

NOTED = frozenset({PUBLIC_REVISION, POINT_KEY})
"""Keys in `meta` that change although the books do not."""


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    """The address of an empty database, with a password that the server does not check."""
    return postgres.create_database().replace("owner@", "owner:hushhush@")


@pytest.fixture
def shell(jara: GivingShell) -> GivingShell:
    """A terminal in a folder with a small organisation in a file."""
    jara.done("samples", "load")
    member = jara.add()
    jara.done("pledges", "start", member["id"], "--amount", "10", "--day", "current")
    return jara


def rows_of(database: Database) -> dict[str, list[Any]]:
    """Return all rows of a database, and close it."""
    try:
        return places.rows_of(database)
    finally:
        database.close()


def test_the_tables_to_copy_are_those_of_both_engines(url: str, tmp_path: Path) -> None:
    """The table and column names read from the statements match both engines' catalogues."""
    file, server = SqliteDatabase(tmp_path / "jara.db"), PostgresDatabase(url)
    file.create()
    server.create()
    with file.transaction(write=False) as sql:
        in_file = sql.all(
            "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c "
            "WHERE m.type = 'table' AND m.name NOT LIKE '!_sqlite%' ESCAPE '!'"
        )
    with server.transaction(write=False) as sql:
        on_server = sql.all(
            "SELECT c.table_name, c.column_name FROM information_schema.columns c "
            "JOIN information_schema.tables t USING (table_schema, table_name) "
            "WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' "
            "AND table_name <> 'schema_steps'"
        )
    file.close()
    server.close()

    expected = {(table, column) for table, columns in TABLES.items() for column in columns}
    assert expected == set(in_file) == set(on_server)


def test_an_organisation_moves_to_postgresql_and_back(shell: GivingShell, url: str) -> None:
    """Copying there and back keeps every row, and the books are verified."""
    before = rows_of(SqliteDatabase("jara.db"))
    there = shell.json("db", "copy", "jara.db", url)
    verified = shell.json("--db", url, "ledger", "verify")
    on_server = rows_of(PostgresDatabase(url))
    back = shell.json("db", "copy", url, "back.db")

    assert (there["size"], there["root"]) == (verified["size"], verified["root"])
    assert verified["ok"]
    assert (back["size"], back["root"], back["balances"]) == (
        there["size"],
        there["root"],
        there["balances"],
    )
    arrived = rows_of(SqliteDatabase("back.db"))
    for rows in (before, on_server, arrived):
        del rows["audit"]  # each copy adds one audit line; see test_copying_audit.py
        rows["meta"] = [fact for fact in rows["meta"] if fact[0] not in NOTED]
    assert before == on_server == arrived
    assert Path("back.db").stat().st_mode & 0o777 == 0o600
    assert not list(Path().glob("back.db?*"))
    for answer in (there, back):
        assert "hushhush" not in f"{answer['from']} {answer['to']}"


def test_a_target_that_holds_something_is_left_alone(shell: GivingShell, url: str) -> None:
    """On both engines, a copy into a database with content is refused."""
    shell.done("db", "copy", "jara.db", url)
    shell.done("--db", "other.db", "demo", "--no-serve", "--members", "5")
    before = rows_of(PostgresDatabase(url))

    for words in (["db", "copy", "jara-demo/jara.db", url], ["--db", url, "init"]):
        status, _, err = shell.run(*words)
        assert status == 4
        assert "exists already; nothing was changed" in err
        assert "hushhush" not in err
    assert shell.run("db", "copy", url, "jara.db")[0] == 4

    assert rows_of(PostgresDatabase(url)) == before


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE totals SET cents = cents + 1", "The balances of the copy differ"),
        ("UPDATE log_head SET peaks = zeroblob(64), size = 3", "different root"),
    ],
)
def test_a_copy_of_a_tampered_source_fails(
    shell: GivingShell, url: str, damage: str, sentence: str
) -> None:
    """A copy of a source that was tampered with fails and leaves nothing."""
    source = SqliteDatabase("jara.db")
    with source.transaction(write=True) as sql:
        sql.run(damage)
    source.close()

    status, _, err = shell.run("db", "copy", "jara.db", url)

    assert status == 5
    assert sentence in err
    PostgresDatabase(url).require_absent()


def test_rows_that_are_lost_on_the_way_are_missed(shell: GivingShell, url: str) -> None:
    """A copy fails if the target has fewer rows than the source, here because of a rule."""
    target = PostgresDatabase(url)
    target.create()
    with target.transaction(write=True) as sql:
        sql.run("CREATE RULE lose AS ON INSERT TO fixed_costs DO INSTEAD NOTHING")
    target.close()

    status, _, err = shell.run("db", "copy", "jara.db", url)

    assert status == 5
    assert "rows of fixed_costs were copied" in err


def test_a_backup_of_postgresql_is_restored_on_either_engine(
    shell: GivingShell, url: str, postgres: PostgresServer
) -> None:
    """A backup of PostgreSQL gives the same Merkle root on both engines."""
    shell.done("db", "copy", "jara.db", url)
    backup = shell.json("--db", url, "backup", "b.db", "--secrets", "b.keys")
    bytes_before = Path("b.db").read_bytes()
    elsewhere = postgres.create_database()
    words = ("restore", "b.db", "--secrets", "b.keys", "--rehearsal", "place")
    in_file = shell.json("--db", url, *words)
    beside, _, why = shell.run("--db", elsewhere, "restore", "b.db")
    postgres.drop_database(url)
    Path("noise.db").write_text("noise" * 500)
    unsure = shell.run("--db", elsewhere, "restore", "noise.db")
    noise = shell.run("--db", elsewhere, "restore", "noise.db", "--lost")
    on_server = shell.json("--db", elsewhere, "restore", "b.db", "--lost")

    assert (beside, unsure[0], noise[0]) == (4, 4, 5)
    assert f"The organisation of this backup is in {url.replace(':hushhush', '')}" in why
    assert "If that database is lost, add --lost" in unsure[2]
    for answer in (in_file, on_server):
        assert answer["ok"]
        assert backup["root"] == answer["root"]
    assert bytes_before == Path("b.db").read_bytes()
    assert shell.run("--db", elsewhere, "restore", "b.db")[0] == 4


def test_an_organisation_begins_on_postgresql(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the setting is needed; the secrets are in the working directory."""
    monkeypatch.setenv("JARA_DATABASE_URL", url)
    shell = GivingShell(tmp_path, monkeypatch, capsys)
    shell.done("samples", "load")

    doctor = shell.run("doctor", "--json")
    assert doctor[0] == 1  # the test server does not sync to disk, and the output says so
    assert "With fsync and full_page_writes and synchronous_commit off" in doctor[1]
    assert "hushhush" not in doctor[1]
    assert "are free on the database's disk" not in doctor[1]
    assert shell.json("migrate")["steps"] == []
    assert shell.json("ledger", "balance")["totalCents"] == 0
    assert {place.name for place in tmp_path.iterdir()} == {"jara.secrets"}


def test_an_organisation_that_cannot_begin_leaves_nothing(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failed `jara init` leaves neither keys nor tables."""
    monkeypatch.chdir(tmp_path)

    def fail(*_words: object, **_named: object) -> None:
        assert PostgresDatabase(url).migrate() == []  # the tables exist at this point
        raise Unavailable("no space left")

    monkeypatch.setattr("jara.services.organisation.genesis_leaf", fail)

    assert execute(["--db", url, "init"]) == 5
    assert "no space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
    PostgresDatabase(url).require_absent()


def test_a_database_without_an_organisation_is_named(
    shell: GivingShell, url: str, postgres: PostgresServer
) -> None:
    """A missing organisation is status 3 with the remedy; an unreachable server is status 5."""
    shutil.rmtree("jara.secrets")
    for words in (["ledger", "balance"], ["migrate"]):
        status, _, err = shell.run("--db", url, *words)
        assert status == 3
        assert "There is no organisation in postgresql://owner@/" in err
        assert "`jara init` creates one" in err

    status, _, err = shell.run("--db", postgres.url("nowhere"), "ledger", "balance")
    assert status == 5
    assert 'database "nowhere" does not exist' in err


def test_a_change_that_the_server_refuses_is_told_in_one_line(shell: GivingShell, url: str) -> None:
    """A failed write, such as on a replica, is one line without text of the driver."""
    shell.done("db", "copy", "jara.db", url)
    joint = "&" if "?" in url else "?"
    replica = f"{url}{joint}options=-c%20default_transaction_read_only%3Don"
    program = "import sys; from jara_cli.main import execute; sys.exit(execute(sys.argv[1:]))"
    change = ("policy", "set", "projects=82,staff=6,marketing=8,other=4")
    words = (*change, "--from", "2027-01-01", "--why", "Voted by the trustees.", "--yes")

    told = subprocess.run(
        [sys.executable, "-c", program, "--db", replica, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert told.returncode in {4, 5}, told.stderr
    assert told.stderr.count("\n") == 1, told.stderr
    assert told.stderr.startswith("error: ")
