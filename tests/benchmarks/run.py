"""Runs the benchmarks file by file and writes docs/performance.md.

``python -m tests.benchmarks.run`` (or ``nox -s bench``) measures everything; with
file names, it measures these files again and keeps the other figures. A missed goal is not an
error; a benchmark that fails or gets a wrong response is.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.figures import FIGURES_VARIABLE
from tests.benchmarks.goals import GOALS
from tests.benchmarks.machine import describe_machine
from tests.benchmarks.page import unexplained, write_page
from tests.benchmarks.sizes import SMALL
from tests.soak.run import fingerprint, say

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
STATE = ROOT / ".bench.json"
PAGE = ROOT / "docs" / "performance.md"


def main() -> int:
    """Run the requested benchmarks; return 1 if one failed."""
    asked = read_arguments()
    program = fingerprint()
    state = read_state()
    if asked.files:
        state["machine"] = describe_machine()
        state["load"] = round(os.getloadavg()[0])
    for file in asked.files:
        begin = time.monotonic()
        say(f"{file.name} ...")
        found = measure(file, small=asked.small)
        keep(state, found, {"file": file.name, "program": program, "small": asked.small})
        say(f"{file.name}: {time.monotonic() - begin:.0f} s")
        STATE.write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")
    publish(asked.page, state, program)
    for key in unexplained(state["figures"]):
        say(f"{key} is missed, and tests/benchmarks/goals.py does not say what stands in the way")
    return int(any(state["files"][file.name]["failed"] for file in asked.files))


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="The benchmarks and their page.")
    parser.add_argument("files", nargs="*", type=Path, help="only these files of benchmarks")
    parser.add_argument("--small", action="store_true", help="with small sizes, for a first try")
    parser.add_argument("--page-only", action="store_true", help="only write the page anew")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the page is written")
    asked = parser.parse_args()
    if not asked.files and not asked.page_only:
        asked.files = sorted(HERE.glob("test_*.py"))
    return asked


def read_state() -> dict[str, Any]:
    """Return the results of earlier runs."""
    if STATE.exists():
        kept: dict[str, Any] = json.loads(STATE.read_text("utf-8"))
        return kept
    return {"figures": {}, "tables": {}, "files": {}}


def measure(file: Path, *, small: bool) -> dict[str, Any]:
    """Run one file of benchmarks; return its results and whether it failed."""
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures"
        environ = {**os.environ, **(SMALL if small else {}), FIGURES_VARIABLE: str(figures)}
        options = ["-q", "-s", "-p", "no:cacheprovider", "--basetemp", f"{folder}/pytest"]
        command = [sys.executable, "-m", "pytest", *options, str(file.resolve())]
        done = subprocess.run(command, cwd=ROOT, env=environ, check=False)
        seen = figures.read_text("utf-8").splitlines() if figures.exists() else []
    return {"failed": done.returncode != 0, "seen": [json.loads(line) for line in seen]}


def publish(page: Path, state: dict[str, Any], program: str) -> None:
    """Write the page; docs/performance.md only if no figure is missing."""
    lacking = [key for key in GOALS if key not in state["figures"]]
    if page == PAGE and lacking:
        say(f"{PAGE.name} stays as it is: {STATE.name} has no figures for {', '.join(lacking)}")
    else:
        write_page(page, state, program)


def keep(state: dict[str, Any], found: dict[str, Any], origin: dict[str, Any]) -> None:
    """Replace the earlier results of a file, and note the origin of the new ones."""
    file = origin["file"]
    for kind in ("figures", "tables"):
        state[kind] = {key: one for key, one in state[kind].items() if one["file"] != file}
    for one in found["seen"]:
        kind, key = ("figures", one["goal"]) if "goal" in one else ("tables", one["table"])
        state[kind][key] = {**one, **origin}
    state["files"][file] = {"failed": found["failed"]}


if __name__ == "__main__":
    sys.exit(main())
