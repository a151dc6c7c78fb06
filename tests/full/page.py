"""Writes what the parts of `nox -s full` gave into docs/reliability.md.

The page is the only place that keeps a part's last result: a run replaces the rows of its parts.
"""

import re
import subprocess
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from tests.full.parts import PARTS, ROOT, Part, versions

PAGE = ROOT / "docs" / "reliability.md"
HEADING = "## The whole check\n"
"""What precedes it is written by `nox -s soak`."""

SECTION = f"""\
{HEADING}
`nox -s full` runs every test, on each engine and browser, with more examples: in parts, each of
which writes its row here when it ends. `nox -s full -- --list` says what each does and what this
machine lacks; `nox -s full -- engines properties` runs these two. The commit is the one that was
tested; a plus means that files were changed since. A test that is skipped on one machine may run
on another, so the reasons are here.

| Part | What it does | Foreign programs | Passed | Failed | Skipped | Commit | Day |
|---|---|---|---|---|---|---|---|
"""
REASONS_MAX, REASON_MAX = 8, 90


class Result(NamedTuple):
    """What a part gave.

    Args:
        passed: the tests that passed.
        failed: those that failed, or could not begin.
        skipped: the tests that were skipped, by reason.
        stopped: the command that failed for another reason than a test, or "".
    """

    passed: int
    failed: int
    skipped: Counter[str]
    stopped: str = ""

    @property
    def is_good(self) -> bool:
        """Whether nothing failed."""
        return not self.failed and not self.stopped


def read_result(files: Iterable[Path], stopped: str) -> Result:
    """Read the reports in JUnit's format; without one, the part itself is the test."""
    cases = [case for file in files for case in ET.parse(file).iter("testcase")]  # noqa: S314 - ours
    if not cases:
        return Result(int(not stopped), 0, Counter(), stopped)
    skipped: Counter[str] = Counter()
    failed = 0
    for case in cases:
        if (skip := case.find("skipped")) is not None:
            skipped[skip.get("message") or "not for this engine, width or size"] += 1
        failed += case.find("failure") is not None or case.find("error") is not None
    passed = len(cases) - failed - skipped.total()
    return Result(
        passed, failed, skipped, "" if failed and "Returned code 1" in stopped else stopped
    )


def write_lack(part: Part, lacking: list[str], page: Path = PAGE) -> str:
    """Say in its row that a part was not run, and why; return that."""
    outcome = f"not run: this machine lacks {', '.join(lacking)}"
    write_row(part, [outcome, "", ""], page)
    return outcome


def write_result(part: Part, result: Result, page: Path = PAGE) -> str:
    """Replace the row of a part that ran; return how it ended."""
    failed = "; ".join(filter(None, [f"{result.failed:,}" * bool(result.failed), result.stopped]))
    cells = [f"{result.passed:,}", failed or "0", _reasons(result.skipped)]
    write_row(part, cells, page)
    if result.is_good:
        return f"passed, {result.passed:,} of its tests"
    return f"failed, {cells[1]}, and {result.passed:,} passed"


def write_row(part: Part, cells: list[str], page: Path = PAGE) -> None:
    """Replace a row, with passed, failed and skipped; keep the others and what precedes."""
    text = page.read_text("utf-8")
    rows = dict(re.findall(r"^(\| `([\w.-]+)` \|.*)$", text, re.MULTILINE))
    rows = {name: row for row, name in rows.items()}
    day = f"{datetime.now(UTC):%Y-%m-%d}"  # noqa: TID251 - the day of the run
    rows[part.name] = _row(part, ", ".join(versions(part)), *cells, commit(), day)
    lines = [rows.get(one.name) or _row(one, "", "not run yet", "", "", "", "") for one in PARTS]
    before = text.partition(HEADING)[0].rstrip("\n")
    page.write_text(f"{before}\n\n{SECTION}" + "\n".join(lines) + "\n", "utf-8")


def commit() -> str:
    """Return the commit that is tested, with a plus if files were changed since."""
    git = ("git", "-C", str(ROOT))
    known = subprocess.run(
        [*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True, check=False
    )
    changed = subprocess.run(
        [*git, "diff", "--quiet", "HEAD", "--", ".", f":!{PAGE.relative_to(ROOT)}"], check=False
    )
    return known.stdout.strip() + "+" * bool(changed.returncode)


def _row(part: Part, *cells: str) -> str:
    return f"| {' | '.join([f'`{part.name}`', part.does, *cells])} |"


def _reasons(skipped: Counter[str]) -> str:
    """Return the number of skipped tests with their reasons, the most frequent first."""
    if not skipped:
        return "0"
    short = Counter[str]()
    for reason, count in skipped.items():
        plain = " ".join(reason.removeprefix("Skipped: ").replace("|", "/").split())
        short[plain[:REASON_MAX]] += count
    told = [f"{count:,} {reason}" for reason, count in short.most_common(REASONS_MAX)]
    rest = short.total() - sum(count for _, count in short.most_common(REASONS_MAX))
    return f"{short.total():,}: " + "; ".join(told + [f"{rest:,} others"] * bool(rest))
