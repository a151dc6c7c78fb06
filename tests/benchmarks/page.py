"""Writes docs/performance.md from the results of the benchmarks."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.goals import GOALS, Goal

INTRODUCTION = """\
# Performance

Jara should answer at once, in the first month and after twenty years, on a small server. This
page measures what people wait for, and how Jara handles a crowd in the last minute of a vote. It
is for those who choose a server for Jara, and for those who change the code.

A time on one machine says little about another. So most figures are a ratio to a peer (a program
that does the same, such as hledger) or to a limit (an empty Typer command, a page without
scripts). Both are measured in the same run, in turn, round by round. A cell shows the median of
the rounds, and the minimum and maximum; `x` means times. The next cell shows both figures. A goal
in seconds or milliseconds depends on the machine; the last section says how fast it was.

One command writes this page and stores its results in `.bench.json`:

    nox -s bench

It installs missing programs (hledger, wrk, Chromium; Lighthouse through `npx`), and needs Node for
the website. `nox -s bench -- --small` tries everything with small sizes;
`nox -s bench -- tests/benchmarks/test_load.py` measures one file again and keeps the other
figures. A missed goal is reported as missed; the command fails only if a measurement fails or a
response is wrong.

L is the ledger, O what an operator waits for, V votes, C the command line, P passwords, U the
website, G growth with history, Load a crowd at once. Commands are timed as whole processes.

"""
HEAD = "| # | What is measured | Goal | Result | Figures | Rounds | |\n|" + "---|" * 7 + "\n"
EARLIER = "earlier version"
SMALL = "small trial size"


def write_page(path: Path, state: Mapping[str, Any], program: str) -> None:
    """Write the page; a goal without a result is marked."""
    parts = [
        INTRODUCTION + goals_table(state["figures"], program),
        missed(state["figures"]),
        *(extra_table(one) for one in state["tables"].values()),
        machine(state),
    ]
    path.write_text("\n".join(part for part in parts if part), encoding="utf-8")


def goals_table(figures: Mapping[str, Any], program: str) -> str:
    """Return the table of all goals."""
    rows = [row_of(goal, figures.get(goal.key), program) for goal in GOALS.values()]
    judged = [goal for goal in GOALS.values() if goal.key in figures]
    met = [goal for goal in judged if goal.is_met(figures[goal.key]["value"])]
    count = f"\n{len(met)} of {len(judged)} goals are met.\n" if judged else ""
    return f"## What people wait for\n\n{HEAD}" + "\n".join(rows) + "\n" + count


def row_of(goal: Goal, seen: Mapping[str, Any] | None, program: str) -> str:
    """Return the row of a goal."""
    if seen is None:
        cells = ["", "", "", "not measured yet"]
    else:
        spread = ""
        if seen["rounds"] > 1:
            spread = f" ({goal.told(seen['least'])} to {goal.told(seen['most'])})"
        cells = [f"{goal.told(seen['value'])}{spread}", seen["detail"], str(seen["rounds"])]
        cells.append(verdict(goal, seen, program))
    return f"| {' | '.join([goal.number, goal.what, goal.told_limit(), *cells])} |"


def verdict(goal: Goal, seen: Mapping[str, Any], program: str) -> str:
    """Return whether a goal is met, and on which old or small run that rests."""
    words = ["met" if goal.is_met(seen["value"]) else "**missed**"]
    if seen["program"] != program:
        words.append(EARLIER)
    if seen["small"]:
        words.append(SMALL)
    return ", ".join(words)


def goals_missed(figures: Mapping[str, Any]) -> list[Goal]:
    """Return the goals that are not met."""
    judged = [goal for goal in GOALS.values() if goal.key in figures]
    return [goal for goal in judged if not goal.is_met(figures[goal.key]["value"])]


def unexplained(figures: Mapping[str, Any]) -> list[str]:
    """Return the goals that are missed without an explanation."""
    return [goal.key for goal in goals_missed(figures) if not goal.hindrance]


def missed(figures: Mapping[str, Any]) -> str:
    """List the missed goals with their reasons."""
    lines = [
        f"- **{goal.number}**, {goal.what}: {goal.told(figures[goal.key]['value'])} instead of "
        f"{goal.told_limit()}. {goal.hindrance}".rstrip()
        for goal in goals_missed(figures)
    ]
    return "\n".join(["## Missed goals", "", *lines, ""]) if lines else ""


def extra_table(table: Mapping[str, Any]) -> str:
    """Return an extra table with its heading."""
    rule = ["---"] * len(table["head"])
    rows = [line_of(cells) for cells in (table["head"], rule, *table["rows"])]
    note = [f"Measured at a {SMALL}.", ""] if table["small"] else []
    return "\n".join([f"## {table['table']}", "", table["about"], "", *note, *rows, ""])


def line_of(cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def machine(state: Mapping[str, Any]) -> str:
    """Describe the machine of the newest run."""
    if "machine" not in state:
        return ""
    rows = [line_of(cells) for cells in state["machine"].items()]
    lines = ["## The machine", "", "| | |", "|---|---|", *rows, ""]
    lines.append(
        f"At the start of the newest run the load was {state['load']}. wrk, the crowd and "
        "Chromium share the cores with the server."
    )
    failed = [name for name, one in state["files"].items() if one["failed"]]
    if failed:
        lines.append(f"\nFailed, in part without figures: {', '.join(sorted(failed))}.")
    return "\n".join([*lines, ""])
