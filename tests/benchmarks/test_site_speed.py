"""Pages in Chromium: home beside a bare page of its text, a member's dashboard (U2, U3).

``webui/scripts/measure-speed.mjs`` loads two in turn from one machine with an empty cache.
"""

import json
import subprocess
from typing import Any

import pytest

from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.grown_organisation import EMAIL, PASSWORD
from tests.benchmarks.processes import WEBUI

ROUNDS = 7
KB = 1000
GOALS_OF_PAINT = {1: "U2.paint1", 4: "U2.paint4"}
"""The CPU slowdown of the second measurement."""


@pytest.fixture(scope="module")
def seen(origin: str) -> Any:
    """The measurements of Chromium."""
    command = ["node", "scripts/measure-speed.mjs", origin, str(ROUNDS), EMAIL, PASSWORD]
    done = subprocess.run(command, cwd=WEBUI, capture_output=True, check=True)
    return json.loads(done.stdout)


def test_paint(seen: Any) -> None:
    """The largest text is painted nearly as early as on a bare page (U2)."""
    for part in seen["paint"]:
        home = median_of([row["homeMs"] for row in part["rows"]], "ms", 0)
        bare = median_of([row["bareMs"] for row in part["rows"]], "ms", 0)
        ratios = [row["homeMs"] / row["bareMs"] for row in part["rows"]]
        saw(GOALS_OF_PAINT[part["slowed"]], ratios, f"{home} for {bare}")
    shifts = {window: seen[window]["shift"] for window in ("phone", "desk")}
    detail = ", ".join(f"{window} {shift:.5f}" for window, shift in shifts.items())
    saw("U2.shift", [round(max(shifts.values()), 3)], detail)


def test_first_text_of_a_member(seen: Any) -> None:
    """The dashboard shows its first text nearly as early as ``/my-impact`` on a slow phone (U2)."""
    rows = seen["member"]
    dashboard = median_of([row["dashboardMs"] for row in rows], "ms", 0)
    trace = median_of([row["traceMs"] for row in rows], "ms", 0)
    ratios = [row["dashboardMs"] / row["traceMs"] for row in rows]
    saw("U2.member", ratios, f"{dashboard} for {trace}")


def test_weight(seen: Any) -> None:
    """The size of the home page with its fonts and pictures (U3)."""
    phone, desk = seen["phone"], seen["desk"]
    saw("U3.bytes", [phone["bytes"] / KB], f"on a desk {desk['bytes'] / KB:.0f} kB")
    saw("U3.requests", [phone["requests"]], f"on a desk {desk['requests']}")
