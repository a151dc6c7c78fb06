"""Terminals that most tests of the ledger commands start from."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from jara_cli import main
from jara_cli.exits import ExitCode
from tests.cli.giving_shell import GivingShell, stop_clock
from tests.cli.ledger.ledger_samples import BANK
from tests.cli.typed_hints import KEPT, is_typed
from tests.cli.voting_shell import Shell
from tests.fakes.clock import FakeClock
from tests.stripe_double.double import StripeDouble


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test that `hints.yaml` names type each command that it keeps, with success."""
    hints = KEPT.get(item.nodeid.partition("[")[0])
    if hints is None:
        return (yield)
    typed: list[list[str]] = []
    answer = main._answer

    def note(words: list[str]) -> int:
        status = answer(words)
        if status in {ExitCode.DONE, ExitCode.WAITING}:
            typed.append(words)
        return status

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(main, "_answer", note)
        result = yield
    assert [hint for hint in hints if not any(is_typed(hint, one) for one in typed)] == []
    return result


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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, without settings and keys."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JARA_OPERATOR", "ada")
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    for name in list(os.environ):
        if name.startswith("JARA_") and name != "JARA_OPERATOR":
            monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def double(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StripeDouble]:
    """A Stripe account at another address than Stripe's."""
    with StripeDouble(FakeClock()) as double:
        monkeypatch.setenv("JARA_STRIPE_API", double.url)
        yield double
    assert folder.exists()
