"""A walk through the commands, which notes what each does to the audit log."""

from __future__ import annotations

import hashlib

import pytest

from jara.bootstrap import build_from_environ
from jara.services.ports.operations import AuditRow
from jara.store.sqlite.database import SqliteDatabase
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock
from tests.pages.commands import list_commands

EVERY = {path.removeprefix("jara ") for path, _ in list_commands()}
NOT_AN_OPERATORS_ACT = {
    "votes cast": "a member's own act, in sandboxes; a time beside a ballot could tell whose it is",
    "run daily": "the scheduler's; what it decides is recorded where it is decided",
}


class Walk:
    """Uses commands, and notes which changed something in silence, or something they should not."""

    def __init__(self, shell: GivingShell, clock: FakeClock, patch: pytest.MonkeyPatch) -> None:
        """Begin."""
        self.shell = shell
        self.clock = clock
        self.patch = patch
        self.used: set[str] = set()
        self.silent: list[str] = []
        self.meddling: list[str] = []

    def change(self, *words: str, typed: str = "") -> str:
        """Use a command that changes something; it must be in the audit log under our name."""
        before, rows = len(acts()), self._state()
        output = self.shell.done(*words, typed=typed)
        path, new = self._note(words), acts()[before:]
        assert rows != self._state() or path in {"members export", "backup", "db copy"}, path
        if path not in NOT_AN_OPERATORS_ACT and not any(row.operator == "tester" for row in new):
            self.silent.append(path)
        return output

    def read(self, *words: str) -> None:
        """Use a command that changes nothing, neither the log nor any other table."""
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

    def _note(self, words: tuple[str, ...]) -> str:
        tried = (" ".join(words[:length]) for length in (3, 2, 1))
        path = next((path for path in tried if path in EVERY), words[0])
        self.used |= {path} & EVERY  # a noun alone lists, as `jara ledger accounts` does
        return path

    def _state(self) -> str:
        """Return a hash of every table but the audit log and the daily run's own note."""
        database = SqliteDatabase(self.shell.folder / "jara.db")
        digest = hashlib.sha256()
        with database.transaction(write=False) as sql:
            names = sql.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            for (name,) in names:
                if name not in {"audit", "sqlite_sequence"}:
                    rows = sorted(map(str, sql.all(f"SELECT * FROM {name}")))  # noqa: S608 - names of our own tables
                    digest.update(f"{name}{rows}".encode())
        database.close()
        return digest.hexdigest()


def acts() -> list[AuditRow]:
    """Return the audit log of the organisation of the working folder."""
    context = build_from_environ({"JARA_OPERATOR": "reader"}).context
    with context.store.read() as work:
        rows = work.operations.audit()
    context.store.close()
    return rows
