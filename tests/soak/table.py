"""Writes docs/reliability.md from the results of a soak."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.full import page
from tests.soak.rows import ROWS, Row

INTRODUCTION = """\
# Reliability

Jara promises that what it confirmed is never lost, that each member has one ballot, that each
movement of money is booked once, and that anybody can check it. This page lists the faults and
attacks that the tests use to break those promises, when a test passes, and the result of the
last long run. It is for those who decide whether to rely on Jara, and for those who change it.

The same tests run with smaller sizes on every change, in `nox -s tests` (row 11 in
`nox -s browser`). The long sizes below are run by

    nox -s soak -- --minutes 120

which stops in time, continues where it stopped, and writes this page. A row that fails prints the
command that repeats it with the same seed: `nox -s soak -- --rows 14 --seed 7`.

Tests that touch the database run on both engines, SQLite and PostgreSQL; repeated ones run a fifth
as often on PostgreSQL, and row 14 with a tenth of the histories. On PostgreSQL a full disk is
simulated: every write gets the error of a full server. An erased member is searched for in a dump,
because deleted rows stay in the files until a vacuum.

`jara ledger verify` checks the invariants after every one of these tests: entries balance per
fund, totals equal postings, the log has no gap and its stored bytes hash to its leaves, each
checkpoint is a prefix of the log, each ballot's row equals its leaf, no voter appears twice, every
counted ballot belongs to the roll, each external id is posted once, nobody has two pledges.

"""

HEAD = "| # | Fault or attack | Passes when | Result | Time | Seed |\n|---|---|---|---|---|---|\n"


def write_table(path: Path, state: Mapping[str, Any]) -> None:
    """Write the page, and mark rows that were not run; keep what `nox -s full` wrote."""
    lines = [line_of(row, state.get(str(row.number))) for row in ROWS]
    _, heading, whole_check = path.read_text("utf-8").partition(page.HEADING)
    text = INTRODUCTION + HEAD + "\n".join(lines) + "\n" + ending(state)
    path.write_text(f"{text}\n{heading}{whole_check}", "utf-8")


def line_of(row: Row, found: Mapping[str, Any] | None) -> str:
    """Return a row of the table."""
    if found is None:
        cells = ["not run at this size yet", "", ""]
    else:
        seen = "; ".join(
            [found["outcome"], counted(found["tests"]), *map(words_of, found["figures"])]
        )
        cells = [seen, f"{found['seconds']} s", str(found["seed"])]
    return f"| {' | '.join([str(row.number), row.done, row.passes, *cells])} |"


def counted(tests: str) -> str:
    """Return the number of tests, from the test runner's last line."""
    found = re.search(r"(\d+) passed", re.sub(r"\x1b\[[0-9;]*m", "", tests))
    return f"{found[1]} tests" if found else tests or "no test"


def words_of(figures: Mapping[str, Any]) -> str:
    """Return the figures of a test as text."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())


def ending(state: Mapping[str, Any]) -> str:
    """Describe the machine."""
    cores = {found["cores"] for found in state.values()}
    if not cores:
        return ""
    loads = [found["load"] for found in state.values()]
    return (
        f"\nMeasured on {max(cores)} cores with a load of {min(loads)} to {max(loads)}. Row 17 is "
        "not a fault: it tests that both verifiers agree.\n"
    )
