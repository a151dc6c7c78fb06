"""The home page in Chromium against a bare page with the same text, in one run (U1, U2, U3).

``webui/scripts/measure-speed.mjs`` loads both in turn from one machine, each time with an
empty cache; a line gives our figure, or the median of the ratios of the rounds, and the goal.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.live_server import free_port

ROUNDS = 7
JARA = str(Path(sys.executable).with_name("jara"))
WEBUI = Path(__file__).parents[2] / "webui"
SCRIPT_BYTES_MAX = 90_000
PAGE_BYTES_MAX = 230_000
REQUESTS_MAX = 12
PAINT_RATIO_MAX = 1.5

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (WEBUI / "dist" / "index.html").is_file(),
    reason="needs Node and the built website: npm ci && npm run build in webui/",
)


def report(line: str) -> None:
    """Print a figure."""
    sys.stdout.write(f"\n{line}\n")


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A sample organisation, served."""
    folder = tmp_path_factory.mktemp("site")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("JARA_")}
    make = [JARA, "demo", "--no-serve", "--members", "40"]
    subprocess.run(make, cwd=folder, env=environ, check=True, capture_output=True)
    port = free_port()
    command = [JARA, "--db", "jara-demo/jara.db", "serve", "--port", str(port)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environ, stdout=log, stderr=log)
        try:
            _wait_for(f"http://127.0.0.1:{port}/readyz")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


def _wait_for(address: str) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address, timeout=2).close()  # noqa: S310 - our own
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"nobody answers at {address}")


def test_home_page(origin: str, benchmark: Any) -> None:
    """The first page of a visitor: light, and there almost as soon as its text alone would be."""
    command = ["node", "scripts/measure-speed.mjs", origin, str(ROUNDS)]

    def measure() -> Any:
        done = subprocess.run(command, cwd=WEBUI, capture_output=True, check=True)
        return json.loads(done.stdout)

    seen = benchmark.pedantic(measure, rounds=1)

    ours, floor = seen["scriptBytes"], seen["floorBytes"]
    report(
        f"U1 first JavaScript: {ours:,} B gzip (goal {SCRIPT_BYTES_MAX:,}), "
        f"{ours / floor:.2f} x React, its DOM and the router alone"
    )
    for part in seen["paint"]:
        ratio = statistics.median(row["homeMs"] / row["bareMs"] for row in part["rows"])
        home = statistics.median(row["homeMs"] for row in part["rows"])
        report(
            f"U2 largest text, processor / {part['slowed']}: {ratio:.2f} x a bare page "
            f"(goal {PAINT_RATIO_MAX}); {home:.0f} ms"
        )
    for window in ("phone", "desk"):
        page = seen[window]
        report(
            f"U3 {window}: {page['bytes']:,} B (goal {PAGE_BYTES_MAX:,}), {page['requests']} "
            f"requests (goal {REQUESTS_MAX} on a phone), shift {page['shift']:.5f} (goal 0)"
        )
        assert page["bytes"] <= PAGE_BYTES_MAX
        assert round(page["shift"], 3) == 0
    assert seen["phone"]["requests"] <= REQUESTS_MAX
    assert ours <= SCRIPT_BYTES_MAX
