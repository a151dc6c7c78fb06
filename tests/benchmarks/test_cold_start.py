"""Start-up of the command line, compared with the minimum of Python and Typer (goal C1).

Command and peer run in turn, so that other load slows both.
"""

import sys
from pathlib import Path

import pytest

from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import JARA, run, seconds_of

ROUNDS = 15
SMALLEST_TYPER_COMMAND = """
import typer
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
@app.command()
def nothing(name: str = "x") -> None: pass
app()
"""
CASES = {
    "C1.help": (("--help",), "import typer"),
    "C1.reading": (("ledger", "balance"), SMALLEST_TYPER_COMMAND),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An organisation for the commands to read."""
    place = tmp_path_factory.mktemp("start")
    run([JARA, "init"], place)
    return place


@pytest.mark.parametrize("goal", CASES)
def test_cold_start(goal: str, folder: Path) -> None:
    """A command starts nearly as fast as the libraries that it needs."""
    words, code = CASES[goal]
    command, peer = [JARA, *words], [sys.executable, "-c", code]
    seconds_of(command, folder), seconds_of(peer, folder)
    rounds = [(seconds_of(command, folder), seconds_of(peer, folder)) for _ in range(ROUNDS)]

    own = median_of([one * 1000 for one, _ in rounds], "ms", 0)
    other = median_of([one * 1000 for _, one in rounds], "ms", 0)
    saw(goal, [one / two for one, two in rounds], f"{own} for {other}")
