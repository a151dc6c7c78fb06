"""The home page in Chromium against a bare page with the same text, in one run (U1, U2, U3).

``webui/scripts/measure-speed.mjs`` loads both in turn from one machine, each time with an
empty cache; ``webui/scripts/check-bundle.mjs`` weighs what each route adds.
"""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from typing import Any

import pytest

from tests.benchmarks.figures import median_of, saw
from tests.benchmarks.processes import WEBUI

ROUNDS = 7
KB = 1000
GOALS_OF_PAINT = {1: "U2.paint1", 4: "U2.paint4"}
"""By how many times slower the processor is made."""

ROUTE = re.compile(r"([\d.]+) kB of +[\d.]+ +src/app/routes/(\S+)")


@pytest.fixture(scope="module")
def seen(origin: str) -> Any:
    """What Chromium saw."""
    command = ["node", "scripts/measure-speed.mjs", origin, str(ROUNDS)]
    done = subprocess.run(command, cwd=WEBUI, capture_output=True, check=True)
    return json.loads(done.stdout)


def test_first_scripts(seen: Any) -> None:
    """What a visitor's browser must load before the home page is alive (U1)."""
    ours, floor = seen["scriptBytes"], seen["floorBytes"]
    detail = f"{ours / floor:.2f} x React, its DOM and the router alone"
    saw("U1.first", [ours / KB], detail)


def test_routes() -> None:
    """What the other pages add to it (U1)."""
    command = ["node", "scripts/check-bundle.mjs"]
    told = subprocess.run(command, cwd=WEBUI, capture_output=True, text=True, check=False).stdout
    sizes = {name: float(size) for size, name in ROUTE.findall(told)}
    largest = max(sizes, key=sizes.__getitem__)

    saw("U1.routes", [sizes[largest]], f"{largest}, of {len(sizes)} routes")


def test_what_the_home_page_does_without(origin: str) -> None:
    """Neither the payment provider's code nor the toasts are in its first scripts (U1)."""
    texts = first_scripts(origin)
    holding = [text for text in texts if "js.stripe.com" in text or "Toastify" in text]

    assert len(texts) > 1
    saw("U1.kept_out", [len(holding)], f"of {len(texts)} scripts")


def first_scripts(origin: str) -> list[str]:
    """Return the script that the home page starts, and what that cannot do without."""
    [waiting] = re.findall(r'data-main="/assets/([^"]+)"', read(f"{origin}/"))
    names, texts = [waiting], []
    for name in names:
        text = read(f"{origin}/assets/{name}")
        texts.append(text)
        imported = re.findall(r'(?:from|import)\s*"\./([^"]+)"', text)
        names += [one for one in dict.fromkeys(imported) if one not in names]
    return texts


def read(address: str) -> str:
    """Return what our own server answers."""
    with urllib.request.urlopen(address, timeout=20) as answer:  # noqa: S310 - our own
        text: str = answer.read().decode()
    return text


def test_paint(seen: Any) -> None:
    """The largest text is there almost as soon as on a page that is nothing but text (U2)."""
    for part in seen["paint"]:
        home = median_of([row["homeMs"] for row in part["rows"]], "ms", 0)
        bare = median_of([row["bareMs"] for row in part["rows"]], "ms", 0)
        ratios = [row["homeMs"] / row["bareMs"] for row in part["rows"]]
        saw(GOALS_OF_PAINT[part["slowed"]], ratios, f"{home} for {bare}")
    shifts = {window: seen[window]["shift"] for window in ("phone", "desk")}
    detail = ", ".join(f"{window} {shift:.5f}" for window, shift in shifts.items())
    saw("U2.shift", [round(max(shifts.values()), 3)], detail)


def test_weight(seen: Any) -> None:
    """The home page with its fonts and pictures (U3)."""
    phone, desk = seen["phone"], seen["desk"]
    saw("U3.bytes", [phone["bytes"] / KB], f"on a desk {desk['bytes'] / KB:.0f} kB")
    saw("U3.requests", [phone["requests"]], f"on a desk {desk['requests']}")
