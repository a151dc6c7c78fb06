"""Terminals that most tests of the ledger commands start from."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.ledger.ledger_samples import BANK
from tests.cli.voting_shell import Shell
from tests.fakes.clock import FakeClock


@pytest.fixture(autouse=True)
def _own_environment() -> Iterator[None]:
    """Undo what a command sets for the programs that it starts, such as the site's address."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    """Return a terminal with an organisation."""
    return Shell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def jara(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GivingShell:
    """Run `jara` in a folder with a new organisation."""
    return GivingShell(tmp_path, monkeypatch, capsys)


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The clock of every command, at noon of 20 November 2026."""
    return stop_clock(monkeypatch)


@pytest.fixture
def banked(shell: Shell) -> Shell:
    """Return a terminal whose books hold the bank's side of the samples."""
    assert shell.run("ledger", "import", BANK)[0] == ExitCode.DONE
    return shell
