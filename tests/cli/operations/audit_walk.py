"""A walk through all commands that notes what each one does to the audit log."""

import hashlib
import os
from contextlib import closing
from pathlib import Path

import pytest

from jara.bootstrap import build_from_environ
from jara.domain.control.effects import ACTS, STEPS
from jara.records.operations import AuditRow
from jara.services.context import Context
from jara.services.operations import daily_run
from jara.services.operations.operators import add_operator
from jara.store.sqlite.connection import sqlite3
from jara_cli.exits import ExitCode
from tests.acts_of_commands import acts_of
from tests.cli.giving_shell import GivingShell
from tests.fakes.clock import FakeClock
from tests.fakes.operators import acting, public
from tests.pages.commands import list_commands
from tests.tables_written import read_tables, undeclared

EVERY = {path.removeprefix("jara ") for path, _ in list_commands()}
LOCKED = "locked.db"
Seen = tuple[dict[str, str], list[AuditRow]]
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
        self.undeclared: list[str] = []
        self._read_at: dict[str, tuple[str, Seen]] = {}
        self._run_step = daily_run._run
        patch.setattr(daily_run, "_run", self._trace_step)

    def change(self, *words: str, typed: str = "") -> str:
        """Run a command that changes something; the audit log must name it and the operator."""
        self._try_without_key(words, typed)
        rows, before = self._look()
        output = self.shell.done(*words, typed=typed)
        path, (after, log) = self._note(words), self._look()
        new = log[len(before) :]
        assert rows != after or path in ELSEWHERE, path
        assert acts_of(path) != (), f"{path} is not in the table"
        self._note_undeclared(path, new, rows, after)
        if path not in NOT_AN_OPERATORS_ACT and not any(row.operator == "tester" for row in new):
            self.silent.append(path)
        return output

    def read(self, *words: str) -> None:
        """Run a command that must change neither the audit log nor any other table."""
        before = self._look()
        status, _, err = self.shell.run(*words)
        path = self._note(words)
        assert status in {0, 1}, f"{words}: {err}"
        if before != self._look():
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
        before = self._look(LOCKED)[0]
        status, _, err = self.shell.run("--db", LOCKED, *words, typed=typed)
        if status != ExitCode.CONFLICT or "sign" not in err or before != self._look(LOCKED)[0]:
            self.unsigned.append(f"{path}: {status} {err}")

    def _path(self, words: tuple[str, ...]) -> str:
        tried = (" ".join(words[:length]) for length in (3, 2, 1))
        return next((path for path in tried if path in EVERY), words[0])

    def _note(self, words: tuple[str, ...]) -> str:
        path = self._path(words)
        self.used |= {path} & EVERY  # a noun alone lists its items, as `jara ledger accounts` does
        return path

    def _note_undeclared(
        self, path: str, new: list[AuditRow], before: dict[str, str], after: dict[str, str]
    ) -> None:
        """Note acts that the table of effects has not for a command, and tables that it hides."""
        done = {row.action for row in new}
        declared = set(acts_of(path))
        if path == "approvals approve":
            declared |= {row.after["action"] for row in new if "action" in row.after}
        self.undeclared += [f"{path}: {action}" for action in sorted(done - declared)]
        touches = {touch for action in done & declared for touch in ACTS[action].touches}
        if path != "run daily":  # each of its steps is traced
            self.undeclared += [f"{path}: {name}" for name in undeclared(touches, before, after)]

    def _trace_step(self, context: Context, step: daily_run.Step) -> daily_run.StepResult:
        before = _tables(context)
        result = self._run_step(context, step)
        names = undeclared(STEPS[step.name], before, _tables(context))
        self.undeclared += [f"{step.name}: {name}" for name in names]
        return result

    def _look(self, name: str = "jara.db") -> Seen:
        """Return a hash of each table except the audit log, and the log.

        They are read again only if a file of the database has changed.
        """
        if name not in self._read_at or self._read_at[name][0] != self._content(name):
            database = {"JARA_DATABASE_URL": str(self.shell.folder / name)}
            context = build_from_environ({**os.environ, **database}).context
            tables = _tables(context)
            with context.store.read() as work:
                log = work.operations.audit()
            context.store.close()
            rows = {table: digest for table, digest in tables.items() if table != "audit"}
            self._read_at[name] = self._content(name), (rows, log)
        return self._read_at[name][1]

    def _content(self, name: str) -> str:
        files = [self.shell.folder / name, self.shell.folder / f"{name}-wal"]
        content = b"".join(file.read_bytes() for file in files if file.exists())
        return hashlib.sha256(content).hexdigest()


def _tables(context: Context) -> dict[str, str]:
    with context.store.read() as work:
        return read_tables(work)


def _copy_and_enrol(source: Path, target: Path) -> None:
    """Copy a database, and enrol an unavailable key in the copy."""
    for file in target.parent.glob(f"{target.name}*"):
        file.unlink()
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
    context = build_from_environ({**os.environ, "JARA_DATABASE_URL": str(target)}).context
    add_operator(acting(context, "tester", key="owner"), "tester", key=public("owner"))
    context.store.close()


def acts() -> list[AuditRow]:
    """Return the audit log of the organisation in the working folder."""
    context = build_from_environ({**os.environ, "JARA_OPERATOR": "reader"}).context
    with context.store.read() as work:
        rows = work.operations.audit()
    context.store.close()
    return rows
