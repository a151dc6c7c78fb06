"""Writes docs/reliability.md from what a soak saw."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.soak.rows import ROWS, Row

INTRODUCTION = """\
# What Jara bears

Jara promises that what it confirmed is never lost, that each member has one ballot, that each
movement of money is booked once, and that anybody can check it. This page lists what is done
to it in tests to break those promises, when a test counts as passed, and what was seen in the
last long run. It is for those who decide whether to rely on Jara, and for those who change it.

The same tests run with smaller sizes in `nox -s tests` (and row 11 in `nox -s browser`), with
every change. The long sizes below are run by

    nox -s soak -- --minutes 120

which stops in time, goes on where it stopped, and writes this page. Every figure below was
written by that command. A row that fails prints the one command that plays it again with the
same seed: `nox -s soak -- --rows 14 --seed 7`.

Whatever touches the database is done to both engines: on SQLite, and on PostgreSQL (where
something is repeated, a fifth as often there, and a tenth of the histories of row 14). On
PostgreSQL a full disk is played: every write is answered as the server answers where there is
no room; and an erased member is looked for in a dump, since dead rows wait there for a vacuum.

`jara ledger verify` asks the invariants after every one of these tests: entries balance per
fund, totals equal postings, the log has no gap and its stored bytes hash to its leaves, each
checkpoint is a prefix, ballots equal participations and no voter is there twice, every ballot
that stands is on the roll, each outside id is posted once, nobody has two pledges.

"""

HEAD = "| # | What is done | It is borne when | Seen | Time | Seed |\n|---|---|---|---|---|---|\n"


def write_table(path: Path, state: Mapping[str, Any]) -> None:
    """Write the page; a row that was not run says so."""
    lines = [line_of(row, state.get(str(row.number))) for row in ROWS]
    path.write_text(INTRODUCTION + HEAD + "\n".join(lines) + "\n" + ending(state), "utf-8")


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
    """Return how many tests there were, from the last line of their runner."""
    found = re.search(r"(\d+) passed", re.sub(r"\x1b\[[0-9;]*m", "", tests))
    return f"{found[1]} tests" if found else tests or "no test"


def words_of(figures: Mapping[str, Any]) -> str:
    """Return what a test saw as words."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items())


def ending(state: Mapping[str, Any]) -> str:
    """Say on what machine it was seen."""
    cores = {found["cores"] for found in state.values()}
    if not cores:
        return ""
    loads = [found["load"] for found in state.values()]
    return (
        f"\nSeen on {max(cores)} cores; while the rows ran, {min(loads)} to {max(loads)} processes "
        "wanted to run at once. Row 17 is the promise of the verifier, which is no fault but is "
        "tested in the same way.\n"
    )
