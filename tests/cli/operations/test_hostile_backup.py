"""Backups that somebody changed: nothing but rows is restored, and the rest is named."""

from contextlib import closing
from pathlib import Path

import pytest

from jara.store.schema import STEPS, Step, latest_version
from jara.store.sqlite.connection import sqlite3
from jara.store.sqlite.rebuilding import rebuild
from tests.cli.giving_shell import GivingShell
from tests.postgres_server import PostgresServer

TAKE_OVER = (
    "CREATE TRIGGER helper AFTER UPDATE ON members BEGIN "
    "UPDATE members SET password_hash = 'known to a stranger'; END"
)
HOSTILE = {
    TAKE_OVER: "the trigger helper is not Jara's",
    "CREATE TRIGGER log_refuses_update_2 AFTER INSERT ON log BEGIN DELETE FROM meta; END": (
        "the trigger log_refuses_update_2 is not Jara's"
    ),
    "CREATE TRIGGER t AFTER INSERT ON audit BEGIN SELECT RAISE(IGNORE); END": (
        "the trigger t is not Jara's"
    ),
    "CREATE VIEW everybody AS SELECT * FROM members": "the view everybody is not Jara's",
    "CREATE TABLE more (a)": "the table more is not Jara's",
    "CREATE VIRTUAL TABLE more USING fts5(a)": "the table more is not Jara's",
    "CREATE TABLE sqlite_stat9 (a)": None,
    "CREATE INDEX slow ON members (abs(randomblob(9)))": None,
    "CREATE INDEX slow ON members (email)": "the index slow is not Jara's",
    "CREATE UNIQUE INDEX one ON members (country)": "the index one is not Jara's",
    "ALTER TABLE members ADD COLUMN more TEXT": "the column members.more is not Jara's",
    "ALTER TABLE members ADD COLUMN g TEXT GENERATED ALWAYS AS (upper(email)) VIRTUAL": (
        "the column members.g is not Jara's"
    ),
    "DROP TRIGGER log_refuses_update; CREATE TRIGGER log_refuses_update BEFORE UPDATE ON log "
    "BEGIN SELECT 1; END": "the trigger log_refuses_update differs from Jara's",
    "DROP TABLE newsletter_readers; CREATE TABLE newsletter_readers (email, more)": (
        "the column newsletter_readers.more is not Jara's"
    ),
    "DROP TABLE newsletter_readers; CREATE VIEW newsletter_readers AS SELECT 1": (
        "the view newsletter_readers is not Jara's"
    ),
    "DROP TABLE newsletter_readers": "the table newsletter_readers is missing",
    "CREATE TABLE _sqlite_migrations (id); CREATE TRIGGER s AFTER INSERT ON _sqlite_migrations "
    "BEGIN SELECT 1; END": "the trigger s is not Jara's",
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') "
    "WHERE name = 'members'": "the table members differs from Jara's",
    "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_stat1', "
    "'members', 0, 'CREATE TRIGGER sqlite_stat1 AFTER UPDATE ON members BEGIN SELECT 1; END')": (
        "the trigger sqlite_stat1 is not Jara's"
    ),
}
"""What an attacker with a backup writes into it, and how the refusal names it."""


def tamper(path: Path, statements: str) -> bool:
    """Change a backup; return whether SQLite takes the change."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            connection.executescript(statements)
        except sqlite3.DatabaseError:
            return False
    return True


@pytest.fixture
def shell(jara: GivingShell, tmp_path: Path) -> GivingShell:
    """A terminal in a folder with an organisation of one member, and an empty folder."""
    (tmp_path / "new").mkdir()
    jara.add()
    return jara


def back_up(shell: GivingShell) -> None:
    """Make a backup with its keys, and lose the database."""
    shell.done("backup", "b.db", "--secrets", "b.keys")
    shell.lose()


@pytest.mark.parametrize(("statements", "named"), HOSTILE.items())
def test_foreign_objects_in_a_backup_are_refused_by_name(
    shell: GivingShell, statements: str, named: str | None
) -> None:
    """A trigger, view, index, table or column of somebody else; nothing is left behind."""
    back_up(shell)
    changed = tamper(Path("b.db"), statements)
    if named is None:
        assert not changed
        return

    status, _, err = shell.run("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")

    assert changed
    assert status == 5
    assert named in err
    assert list(Path("new").iterdir()) == []


def test_a_server_is_not_filled_either(shell: GivingShell, postgres: PostgresServer) -> None:
    """The same check stands before PostgreSQL."""
    back_up(shell)
    tamper(Path("b.db"), TAKE_OVER)
    place = postgres.create_database()
    status, _, err = shell.run("--db", place, "restore", "b.db")

    assert status == 5
    assert "the trigger helper is not Jara's" in err


def test_statistics_of_the_engine_are_no_objects_of_strangers(shell: GivingShell) -> None:
    """What SQLite itself writes is left out, and the rest is restored."""
    back_up(shell)
    assert tamper(Path("b.db"), "ANALYZE")

    restored = shell.json("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")

    assert restored["ok"]
    with closing(sqlite3.connect("new/jara.db")) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'")
        assert names.fetchall() == []


def test_the_backup_itself_is_not_written_to(shell: GivingShell) -> None:
    """A backup on a read-only medium is restored, and keeps its bytes."""
    back_up(shell)
    before = Path("b.db").read_bytes()
    Path("b.db").chmod(0o400)

    assert shell.json("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")["ok"]
    assert Path("b.db").read_bytes() == before
    assert not Path("b.db-wal").exists()


def test_every_row_and_object_is_restored(shell: GivingShell) -> None:
    """The restored file has the schema of a new one, and the rows of the backup."""
    back_up(shell)
    assert rebuild(Path("b.db"), Path("new/jara.db")) == []
    backup, restored = (content_of(name) for name in ("b.db", "new/jara.db"))

    assert backup.keys() == restored.keys()
    for name, content in backup.items():
        assert restored[name] == content, name


def content_of(file: str) -> dict[str, list[object]]:
    """Return the text of each object of a file, and the rows of each table."""
    with closing(sqlite3.connect(file)) as connection:
        objects = connection.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
        found: dict[str, list[object]] = {}
        for kind, name, text in objects:
            found[f"{kind} {name}"] = [text]
            if kind == "table":
                rows = connection.execute(f"SELECT * FROM {name}")  # noqa: S608 - of the schema
                found[f"table {name}"] += sorted(rows.fetchall(), key=str)
    return found


def test_the_doctor_names_added_and_removed_objects(shell: GivingShell) -> None:
    """A trigger in the running database is found, whoever put it there."""
    assert "is not Jara's" not in shell.run("doctor", "--json")[1]
    tamper(Path("jara.db"), f"{TAKE_OVER}; DROP TRIGGER log_refuses_update; CREATE TABLE more (a)")

    status, out, _ = shell.run("doctor", "--json")

    assert status == 1
    for part in (
        "the trigger helper is not Jara's",
        "the table more is not Jara's",
        "the trigger log_refuses_update is missing",
    ):
        assert part in out


def test_an_older_backup_is_brought_up_to_date(
    shell: GivingShell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows of a backup of 0.2.0 are restored in the schema of today."""
    back_up(shell)
    step = Step(("ALTER TABLE members ADD COLUMN later TEXT NOT NULL DEFAULT 'as before'",))
    monkeypatch.setitem(STEPS, "m0036_later", step)

    shell.done("--db", "new/jara.db", "restore", "b.db", "--secrets", "b.keys")

    with closing(sqlite3.connect("new/jara.db")) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (latest_version(),)
        assert connection.execute("SELECT later FROM members").fetchone() == ("as before",)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
