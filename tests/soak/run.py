"""Runs the long tests row by row, continues where it stopped, and writes the results.

``python -m tests.soak.run --minutes 60`` (or ``nox -s soak -- --minutes 60``). Rows that
passed with this state of the program are skipped; ``--again`` runs all rows, and
``--rows 1,4 --seed 99`` repeats two of them with the seed of another run.
"""

import argparse
import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.soak.rows import ROWS, Row
from tests.soak.table import write_table

ROOT = Path(__file__).parents[2]
STATE = ROOT / ".soak.json"


def main() -> int:
    """Run the selected rows; return 1 if one failed."""
    asked = read_arguments()
    kept = json.loads(STATE.read_text("utf-8")) if STATE.exists() else {}
    program = fingerprint()
    is_same = kept.get("program") == program and not asked.again
    state: dict[str, Any] = kept["rows"] if is_same else {}
    ends = time.monotonic() + asked.minutes * 60
    for row in ROWS:
        known = state.get(str(row.number), {})
        if row.number not in asked.rows or (known.get("outcome") == "passed" and not asked.chosen):
            continue
        left = ends - time.monotonic()
        if left < 1:
            say(f"row {row.number}: no time is left; run again to go on")
            continue
        say(f"row {row.number}: {row.done}")
        state[str(row.number)] = run_row(row, asked.seed, left)
        kept = {"program": program, "rows": state}
        STATE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        write_table(ROOT / "docs" / "reliability.md", state)
    write_table(ROOT / "docs" / "reliability.md", state)
    return int(any(found["outcome"] == "failed" for found in state.values()))


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="The long tests of reliability.")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so many")
    parser.add_argument("--seed", type=int, default=7, help="of everything that is drawn")
    parser.add_argument("--rows", default="", help="only these, such as 1,4; also if they passed")
    parser.add_argument("--again", action="store_true", help="forget what passed")
    asked = parser.parse_args()
    asked.chosen = bool(asked.rows)
    asked.rows = {int(word) for word in asked.rows.split(",") if word} or {
        row.number for row in ROWS
    }
    return asked


def fingerprint() -> str:
    """Return a hash of the program, because a change invalidates earlier results."""
    found = hashlib.sha256()
    for folder in ("src", "cli", "webapi"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def run_row(row: Row, seed: int, seconds: float) -> dict[str, Any]:
    """Run the tests of a row; return the result."""
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / "figures"
        environ = {
            **os.environ,
            "JARA_SOAK": "1",
            "JARA_SOAK_SEED": str(seed),
            "JARA_SOAK_FIGURES": str(figures),
        }
        outcome, last_line = "passed", ""
        for words, place in commands(row, seed):
            left = seconds - (time.monotonic() - begin)
            outcome, last_line = run_command(words, place, environ, left)
            if outcome != "passed":
                break
        seen = figures.read_text("utf-8").splitlines() if figures.exists() else []
        seen = list(dict.fromkeys(seen))  # each core that runs tests reports their sizes
    if outcome == "failed":
        say(f"row {row.number} failed; the same again: {replay(row, seed)}")
    return {
        "outcome": outcome,
        "tests": last_line,
        "figures": [json.loads(line) for line in seen],
        "seconds": round(time.monotonic() - begin),
        "seed": seed,
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0]),
    }


def commands(row: Row, seed: int) -> list[tuple[list[str], Path]]:
    """Return the commands of a row, each with its folder."""
    found: list[tuple[list[str], Path]] = []
    if row.tests:
        options = ["-q", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}"]
        options += ["-n", "auto", "--dist", "worksteal"] if row.is_divisible else []
        found.append(([sys.executable, "-m", "pytest", *options, *row.tests], ROOT))
    if row.journey:
        found.append((["npm", "run", "e2e", "--", row.journey], ROOT / "webui"))
    return found


def run_command(
    words: list[str], place: Path, environ: dict[str, str], seconds: float
) -> tuple[str, str]:
    """Run a command with a time limit; return the outcome and its last line."""
    with subprocess.Popen(
        words, cwd=place, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            told, _ = process.communicate(timeout=max(1.0, seconds))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # lets it stop the servers that it started
            told, _ = process.communicate()
            return "stopped", "no time was left"
    if process.returncode:
        say(told[-6000:])
    lines = [line for line in told.splitlines() if "passed" in line or "failed" in line]
    return ("failed" if process.returncode else "passed"), (lines[-1].strip() if lines else "")


def replay(row: Row, seed: int) -> str:
    """Return one command that runs a row again with the same seed."""
    return shlex.join(["nox", "-s", "soak", "--", "--rows", str(row.number), "--seed", str(seed)])


def say(line: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
