"""Starting is quick, because a command imports only what it uses.

The tests check the imported modules, because times would measure the machine.
"""

import os
import subprocess
import sys

import pytest

from jara_cli.exits import ExitCode
from jara_cli.main import execute, run

HEAVY = {
    "argon2",
    "cryptography",
    "falcon",
    "jwt",
    "nh3",
    "psycopg",
    "psycopg_pool",
    "pydantic",
    "rich",
    "sqlite3",
    "sqlite_utils",
    "stripe",
    "typst",
    "yaml",
}
SHOW_MODULES = """
import atexit, sys
atexit.register(lambda: sys.stderr.write(" ".join(sorted(sys.modules))))
from jara_cli.main import run
run()
"""


def modules_after(*words: str) -> set[str]:
    """Run a command line and return the names of all modules it imported."""
    # Coverage imports its own modules, which are not counted here.
    environ = {name: os.environ[name] for name in os.environ if "COVERAGE" not in name}
    result = subprocess.run(
        [sys.executable, "-c", SHOW_MODULES, *words],
        capture_output=True,
        text=True,
        check=True,
        env=environ,
    )
    return set(result.stderr.split())


def packages_after(*words: str) -> set[str]:
    """Return the top-level packages among them."""
    return {module.partition(".")[0] for module in modules_after(*words)}


def test_version_imports_nothing_of_ours() -> None:
    """``jara --version`` takes as long as starting Python."""
    modules = modules_after("--version")

    assert (HEAVY | {"typer", "typing", "json"}) & modules == set()
    assert {m for m in modules if m.startswith("jara")} == {"jara", "jara_cli", "jara_cli.main"}


def test_help_imports_typer_alone() -> None:
    """Help imports neither pydantic nor Rich nor the database."""
    packages = packages_after("--help")

    assert "typer" in packages
    assert HEAVY & packages == set()


def test_help_imports_no_command() -> None:
    """The list of commands needs their names and summaries, not their modules."""
    modules = modules_after("--help")

    assert {m for m in modules if m.startswith("jara_cli.commands.")} == set()


def test_a_command_imports_itself_alone() -> None:
    """Other commands, Rich and the web server are not imported if output is no terminal."""
    modules = modules_after("split", "10", "--json")
    commands = {m for m in modules if m.startswith("jara_cli.commands.")}

    assert commands == {"jara_cli.commands.split"}
    assert {"falcon", "rich", "stripe", "typst"} & modules == set()


def test_a_verb_of_the_ledger_imports_its_own_module() -> None:
    """A command that reads a balance does not import the modules for imports and checks."""
    modules = modules_after("ledger", "balance", "--help")
    parts = {m for m in modules if m.startswith("jara_cli.commands.ledger.")}

    assert parts == {"jara_cli.commands.ledger.reading"}


def test_the_help_of_a_verb_is_plain_text() -> None:
    """Help does not use Rich, also for verbs that are loaded lazily."""
    assert "rich" not in modules_after("ledger", "balance", "--help")


def test_help_before_a_noun_is_the_help_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    """``jara --help ledger`` answers like ``jara --help``."""
    assert execute(["--help", "ledger"]) == 0
    early = capsys.readouterr().out
    assert execute(["--help"]) == 0

    assert capsys.readouterr().out == early


def test_a_misspelled_verb_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """Suggestions work although verbs are loaded lazily."""
    status = execute(["ledger", "blance"])

    assert status == ExitCode.USAGE
    assert "Did you mean 'balance'?" in capsys.readouterr().err


def test_a_system_without_locks_is_told_where_jara_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, as on Windows, instead of the name of a missing module."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(SystemExit) as left:
        run()

    assert left.value.code == (
        "error: Jara runs on Linux and macOS; on Windows, use it in WSL or in a container."
    )
