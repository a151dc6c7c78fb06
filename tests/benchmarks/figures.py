"""How a benchmark tells what it saw: a figure of a goal, or a table of its own.

Each is printed, and under ``nox -s bench`` also kept for docs/performance.md.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.goals import GOALS

FIGURES_VARIABLE = "JARA_BENCH_FIGURES"
"""Names the file into which a run wants what its benchmarks saw, a JSON document a line."""


def saw(goal: str, rounds: Sequence[float], detail: str) -> None:
    """Tell what was seen of a goal.

    Args:
        goal: the key of one of `tests.benchmarks.goals.GOALS`.
        rounds: the figure of each round; their median is held against the goal.
        detail: the absolute figures behind it, with their units.
    """
    value = statistics.median(rounds)
    wanted = GOALS[goal]
    met = "" if wanted.limit is None else (" met" if wanted.is_met(value) else " missed")
    sys.stdout.write(
        f"\n{goal}: {wanted.told(value)}, {wanted.told_limit()}{met}; {detail} (n={len(rounds)})\n"
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
    """Tell more than a goal asks for, as a table with a heading and a sentence."""
    lines = [title, " | ".join(head), *(" | ".join(row) for row in rows)]
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    _keep({"table": title, "about": about, "head": list(head), "rows": [list(row) for row in rows]})


def median_of(values: Sequence[float], unit: str, digits: int = 2) -> str:
    """Return the median of what was measured, as text with its unit."""
    return f"{statistics.median(values):,.{digits}f} {unit}"


def _keep(document: dict[str, Any]) -> None:
    path = os.environ.get(FIGURES_VARIABLE)
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps(document) + "\n")
