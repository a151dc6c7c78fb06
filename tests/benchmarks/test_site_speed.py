"""The home page in Chromium, compared with a bare page with the same text (U1, U2, U3).

``webui/scripts/measure-speed.mjs`` loads both in turn from one machine with an empty cache;
``webui/scripts/check-bundle.mjs`` measures the JavaScript of each route.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import WEBUI

ROUNDS = 7
KB = 1000
GOALS_OF_PAINT = {1: "U2.paint1", 4: "U2.paint4"}
"""The CPU slowdown of the second measurement."""


@pytest.fixture(scope="module")
def seen(origin: str) -> Any:
    """The measurements of Chromium."""
    command = ["node", "scripts/measure-speed.mjs", origin, str(ROUNDS)]
    done = subprocess.run(command, cwd=WEBUI, capture_output=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def weighed() -> Any:
    """The sizes that the build's own check measures."""
    command = ["node", "scripts/check-bundle.mjs", "--json"]
    # It fails if something is too large; the goal is then missed.
    done = subprocess.run(command, cwd=WEBUI, capture_output=True, check=False)
    return json.loads(done.stdout)


def test_first_scripts(seen: Any, weighed: Any) -> None:
    """The JavaScript that the home page needs before it responds (U1)."""
    ours, floor = weighed["firstBytes"], seen["floorBytes"]
    detail = f"{ours / floor:.2f} x React, its DOM and the router alone"
    saw("U1.first", [ours / KB], detail)


def test_routes(weighed: Any) -> None:
    """The JavaScript that other pages add (U1)."""
    sizes = weighed["routes"]
    largest = max(sizes, key=sizes.__getitem__)

    detail = f"{largest.rpartition('/')[2]}, of {len(sizes)} routes"
    saw("U1.routes", [sizes[largest] / KB], detail)


def test_what_the_home_page_does_without(weighed: Any) -> None:
    """The first scripts contain neither Stripe's code nor the toasts (U1)."""
    texts = [(WEBUI / "dist" / file).read_text() for file in weighed["firstScripts"]]
    holding = [text for text in texts if "js.stripe.com" in text or "Toastify" in text]

    assert len(texts) > 1
    saw("U1.kept_out", [len(holding)], f"of {len(texts)} scripts")


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


def test_weight(seen: Any) -> None:
    """The size of the home page with its fonts and pictures (U3)."""
    phone, desk = seen["phone"], seen["desk"]
    saw("U3.bytes", [phone["bytes"] / KB], f"on a desk {desk['bytes'] / KB:.0f} kB")
    saw("U3.requests", [phone["requests"]], f"on a desk {desk['requests']}")
