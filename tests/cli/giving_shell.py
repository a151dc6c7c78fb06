"""Runs ``jara`` in this process on a new organisation in a folder."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jara.bootstrap import build
from jara.config.loading import load_settings
from jara.domain.organisation import PaymentMode
from jara.services.members.operators import confirm_member
from jara_cli.exits import ExitCode
from jara_cli.main import execute
from tests.fakes.clock import FakeClock
from tests.harness import NOON

PASSWORD = "correct horse"


def stop_clock(patch: pytest.MonkeyPatch) -> FakeClock:
    """Give every command a clock that can be set; it starts at noon of 20 November 2026."""
    clock = FakeClock(NOON)
    patch.setattr("jara.bootstrap.SystemClock", lambda: clock)
    return clock


class Terminal(io.StringIO):
    """Standard input that claims to be a terminal."""

    def isatty(self) -> bool:
        """Return true: a person is at the terminal."""
        return True


class GivingShell:
    """A non-interactive terminal in a folder with an organisation."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Create the organisation and change into its folder."""
        self.folder = folder
        self._patch = patch
        self._capsys = capsys
        patch.chdir(folder)
        patch.setenv("JARA_OPERATOR", "tester")
        self.done("init")

    def run(self, *words: str, typed: str = "") -> tuple[int, str, str]:
        """Run a command with something on standard input; return status, output, errors."""
        self._patch.setattr("sys.stdin", io.StringIO(typed))
        status = execute(list(words))
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def answer(self, answer: str, *words: str) -> tuple[int, str, str]:
        """Run a command at an interactive terminal, with an answer to its question."""
        self._patch.setattr("sys.stdin", Terminal(answer))
        status = execute(list(words))
        captured = self._capsys.readouterr()
        return status, captured.out, captured.err

    def lose(self, database: str = "jara.db") -> None:
        """Lose the database's file, as a broken disk does; the keys stay."""
        for end in ("", "-wal", "-shm"):
            Path(f"{database}{end}").unlink(missing_ok=True)

    def done(self, *words: str, typed: str = "") -> str:
        """Run a command that must succeed; return its output."""
        status, out, err = self.run(*words, typed=typed)
        assert status == 0, out + err
        return out

    def json(self, *words: str, typed: str = "") -> Any:
        """Run a command that must succeed with ``--json``; return its document."""
        return json.loads(self.done(*words, "--json", typed=typed))

    def checks(self) -> list[dict[str, Any]]:
        """Return what the doctor checks, well or not."""
        found: list[dict[str, Any]] = json.loads(self.run("doctor", "--json")[1])["checks"]
        return found

    def waits(self, *words: str, typed: str = "") -> Any:
        """Run a command that must wait for approval; return its document."""
        status, out, err = self.run(*words, "--json", typed=typed)
        assert status == ExitCode.WAITING, err
        return json.loads(out)

    def add(self, email: str = "ama@example.org", *more: str) -> dict[str, str]:
        """Add a member."""
        words = ("--firstname", "Ama", "--lastname", "Mensah", "--country", "Ghana")
        options = ("--email", email, *words, "--password-stdin", *more)
        added: dict[str, str] = self.json("members", "add", *options, typed=f"{PASSWORD}\n")
        return added

    def confirm(self, member: str) -> None:
        """Confirm a member's address, as the emailed link does."""
        context = build(load_settings(os.environ)).context
        # Operators confirm in a sandbox only.
        confirm_member(replace(context, payment_mode=PaymentMode.SANDBOX), member)
        context.store.close()
