"""A walk through all commands that notes what each one does to the audit log."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.records.operations import AuditRow
from jara.services.books.verified_point import POINT_KEY
from jara.services.operations.operators import add_operator
from jara.store.sqlite.connection import sqlite3
from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import PUBLIC_REVISION
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock
from tests.fakes.operators import acting, public
from tests.pages.commands import list_commands

EVERY = {path.removeprefix("jara ") for path, _ in list_commands()}
LOCKED = "locked.db"
ON_FILES = {
    "backup": "copies a file, as anybody who can read it may; the log shows it was made",
    "db copy": "makes another database",
    "mail bounces": "the mail server's; each report proves by its mark that it is about our email",
}
"""Commands that need no operator's key."""

NOT_AN_OPERATORS_ACT = {
    "votes cast": "a member's own act, in sandboxes; a time beside a ballot could tell whose it is",
    "run daily": "the scheduler's; what it decides is recorded where it is decided",
}

NOTES = frozenset({POINT_KEY, PUBLIC_REVISION})
"""Keys in `meta` that a check writes: the last verification and the count of writes."""

ELSEWHERE = {"members export", "newsletter export", "backup", "db copy", "proofs signer reset"}
"""Commands that write a file, and only to the audit log in the database."""


class Walk:
    """Runs commands, and notes changes that are missing in the log or should not happen."""

    def __init__(self, shell: GivingShell, clock: FakeClock, patch: pytest.MonkeyPatch) -> None:
        """Start without any command used."""
        self.shell = shell
        self.clock = clock
        self.patch = patch
        self.used: set[str] = set()
        self.silent: list[str] = []
        self.meddling: list[str] = []
        self.unsigned: list[str] = []

    def change(self, *words: str, typed: str = "") -> str:
        """Run a command that changes something; the audit log must name it and the operator."""
        self._try_without_key(words, typed)
        before, rows = len(acts()), self._state()
        output = self.shell.done(*words, typed=typed)
        path, new = self._note(words), acts()[before:]
        assert rows != self._state() or path in ELSEWHERE, path
        if path not in NOT_AN_OPERATORS_ACT and not any(row.operator == "tester" for row in new):
            self.silent.append(path)
        return output

    def read(self, *words: str) -> None:
        """Run a command that must change neither the audit log nor any other table."""
        before, rows = len(acts()), self._state()
        status, _, err = self.shell.run(*words)
        path = self._note(words)
        assert status in {0, 1}, f"{words}: {err}"
        if rows != self._state() or before != len(acts()):
            self.meddling.append(path)

    def write(self, name: str, text: str) -> str:
        """Write a file and return its name."""
        (self.shell.folder / name).write_text(text, encoding="utf-8")
        return name

    def _try_without_key(self, words: tuple[str, ...], typed: str) -> None:
        """Run the command on a copy with another person's key enrolled; it must be refused."""
        path = self._path(words)
        if path in ON_FILES:
            return
        _copy_and_enrol(self.shell.folder / "jara.db", self.shell.folder / LOCKED)
        before = self._state(LOCKED)
        status, _, err = self.shell.run("--db", LOCKED, *words, typed=typed)
        if status != ExitCode.CONFLICT or "sign" not in err or before != self._state(LOCKED):
            self.unsigned.append(f"{path}: {status} {err}")

    def _path(self, words: tuple[str, ...]) -> str:
        tried = (" ".join(words[:length]) for length in (3, 2, 1))
        return next((path for path in tried if path in EVERY), words[0])

    def _note(self, words: tuple[str, ...]) -> str:
        path = self._path(words)
        self.used |= {path} & EVERY  # a noun alone lists its items, as `jara ledger accounts` does
        return path

    def _state(self, name: str = "jara.db") -> str:
        """Return a hash of every table except the audit log, without the keys that checks write."""
        database = SqliteDatabase(self.shell.folder / name)
        digest = hashlib.sha256()
        with database.transaction(write=False) as sql:
            names = sql.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            for (table,) in names:
                if table not in {"audit", "sqlite_sequence"}:
                    every = sql.all(f"SELECT * FROM {table}")  # noqa: S608 - names of our own tables
                    rows = sorted(str(row) for row in every if row[0] not in NOTES)
                    digest.update(f"{table}{rows}".encode())
        database.close()
        return digest.hexdigest()


def _copy_and_enrol(source: Path, target: Path) -> None:
    """Copy a database, and enrol an unavailable key in the copy."""
    for file in target.parent.glob(f"{target.name}*"):
        file.unlink()
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
    context = build_from_environ({"JARA_DATABASE_URL": str(target)}).context
    add_operator(acting(context, "tester", key="owner"), "tester", key=public("owner"))
    context.store.close()


def acts() -> list[AuditRow]:
    """Return the audit log of the organisation in the working folder."""
    context = build_from_environ({"JARA_OPERATOR": "reader"}).context
    with context.store.read() as work:
        rows = work.operations.audit()
    context.store.close()
    return rows
