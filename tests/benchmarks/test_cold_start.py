"""Starting the command line, as ratios to the least that Python and Typer need (goal C1).

Run by ``nox -s bench``. Command and peer run in turn, so that a busy machine slows both;
the least time of each is what the machine can do.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROUNDS = 15
SMALLEST_TYPER_COMMAND = """
import typer
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
@app.command()
def nothing(name: str = "x") -> None: pass
app()
"""
JARA = str(Path(sys.executable).with_name("jara"))
CASES = {
    "jara --version / python -c pass": ([JARA, "--version"], "pass", 1.2),
    "jara --help / import typer": ([JARA, "--help"], "import typer", 1.15),
    "jara split 10 / smallest Typer command": (
        [JARA, "split", "10"],
        SMALLEST_TYPER_COMMAND,
        1.15,
    ),
}


def seconds_of(command: list[str]) -> float:
    """Start a command, wait for its end, and return the seconds between."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


@pytest.mark.parametrize("name", CASES)
def test_cold_start(name: str, benchmark: Any) -> None:
    """A command starts hardly later than what it cannot do without."""
    command, peer_code, goal = CASES[name]
    peer = [sys.executable, "-c", peer_code]
    peer_seconds: list[float] = []
    jara_seconds: list[float] = []

    def measure_both() -> None:
        peer_seconds.append(seconds_of(peer))
        jara_seconds.append(seconds_of(command))

    benchmark.pedantic(measure_both, rounds=ROUNDS, warmup_rounds=1)
    ratio = min(jara_seconds) / min(peer_seconds)
    benchmark.extra_info["ratio"] = round(ratio, 3)
    sys.stdout.write(f"\n{name}: {ratio:.2f} (goal {goal})\n")

    assert ratio <= goal
