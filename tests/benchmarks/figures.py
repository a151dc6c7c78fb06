"""How a benchmark reports its results: the figure of a goal, or a table.

Results are printed, and ``nox -s bench`` also stores them for docs/performance.md.
"""

import json
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.goals import GOALS

FIGURES_VARIABLE = "JARA_BENCH_FIGURES"
"""Environment variable with the file for the results, one JSON document per line."""


def saw(goal: str, rounds: Sequence[float], detail: str) -> None:
    """Report the figure of a goal.

    Args:
        goal: the key of one of `tests.benchmarks.goals.GOALS`.
        rounds: the figure of each round; their median is compared with the goal.
        detail: the absolute figures behind it, with their units.
    """
    value = statistics.median(rounds)
    wanted = GOALS[goal]
    met = "met" if wanted.is_met(value) else "missed"
    sys.stdout.write(
        f"\n{goal}: {wanted.told(value)}, {wanted.told_limit()} {met}; {detail} (n={len(rounds)})\n"
    )
    _keep(
        {
            "goal": goal,
            "value": value,
            "least": min(rounds),
            "most": max(rounds),
            "rounds": len(rounds),
            "detail": detail,
        }
    )


def saw_table(title: str, about: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Report a table with a heading and a sentence."""
    lines = [title, " | ".join(head), *(" | ".join(row) for row in rows)]
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    _keep({"table": title, "about": about, "head": list(head), "rows": [list(row) for row in rows]})


def median_of(values: Sequence[float], unit: str, digits: int = 2) -> str:
    """Return the median as text with its unit."""
    return f"{statistics.median(values):,.{digits}f} {unit}"


def _keep(document: dict[str, Any]) -> None:
    path = os.environ.get(FIGURES_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps(document) + "\n")
