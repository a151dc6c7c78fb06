"""A reading command starts with little more than Typer: with what it reads, and no more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from jara_cli.main import execute
from jara_cli.root import COMMANDS, build_app
from tests.cli.test_start import modules_after

UNUSED = {
    "jara.domain.books.budget",
    "jara.domain.books.journal",
    "jara.payments.stripe_wiring",
    "jara.payments.sandbox_gateway",
    "jara.security.tokens",
    "jara.services.approvals",
    "jara.services.audit",
    "jara.services.organisation",
    "jara.services.rate_limits",
    "jara.services.ports.access",
    "jara.services.ports.books",
    "jara.services.ports.database",
    "jara.services.ports.operations",
    "jara.services.ports.payments",
    "tomllib",
    "yaml",
}
"""What an entry, a payment, a session or a change needs, and no balance."""

SHOW_COLLECTOR = """
import atexit, gc, sys
atexit.register(lambda: sys.stderr.write(f"{gc.isenabled()} {gc.get_freeze_count() > 0}"))
from jara_cli.main import run
run()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an organisation, in which commands are run."""
    monkeypatch.chdir(tmp_path)
    assert execute(["init"]) == 0
    return tmp_path


def commands_for(*words: str) -> dict[str, Any]:
    """Return the commands that Typer knows for a command line, by name."""
    root: Any = get_command(build_app(words))
    return dict(root.commands)


@pytest.mark.parametrize("words", [["ledger", "balance"], ["split", "10"]])
@pytest.mark.usefixtures("folder")
def test_reading_totals_imports_nothing_else(words: list[str]) -> None:
    """A balance and the split in force are read without what entries and changes need."""
    modules = modules_after(*words)

    assert "jara.store.sqlite.database" in modules
    assert set() == UNUSED & modules


def test_only_the_named_verb_is_read() -> None:
    """Typer reads the signature of what is run, and of nothing beside it."""
    found = commands_for("ledger", "balance", "--json")

    assert {"ledger"} == set(found)
    assert {"balance"} == set(found["ledger"].commands)
    assert {"accounts"} == set(commands_for("ledger", "accounts")["ledger"].commands)
    assert {"split"} == set(commands_for("split", "10"))


@pytest.mark.parametrize("words", [["ledger"], ["ledger", "--help"], ["ledger", "blance"]])
def test_without_a_verb_all_are_known(words: list[str]) -> None:
    """Help lists every verb, and a slip of the pen is met with the nearest."""
    verbs = set(commands_for(*words)["ledger"].commands)

    assert {"balance", "register", "post", "accounts"} <= verbs


@pytest.mark.parametrize("words", [[], ["ledgr", "balance"]])
def test_without_a_noun_all_are_known(words: list[str]) -> None:
    """The same of the nouns."""
    assert set(COMMANDS) == set(commands_for(*words))


def test_help_before_a_noun_is_the_help_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    """``jara --help ledger`` answers like ``jara --help``."""
    assert execute(["--help", "ledger"]) == 0
    early = capsys.readouterr().out
    assert execute(["--help"]) == 0

    assert capsys.readouterr().out == early


def test_a_narrowed_noun_is_whole_the_next_time() -> None:
    """Narrowing makes a copy: what one command line named does not stay."""
    commands_for("ledger", "balance")

    assert "post" in commands_for("ledger")["ledger"].commands


@pytest.mark.usefixtures("folder")
def test_garbage_is_collected_while_a_command_works() -> None:
    """Only starting goes without the collector; what it made is put aside."""
    done = subprocess.run(
        [sys.executable, "-c", SHOW_COLLECTOR, "split", "10"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr == "True True"
