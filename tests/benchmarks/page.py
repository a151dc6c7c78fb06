"""Writes docs/performance.md from what benchmarks saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from tests.benchmarks.goal import Goal
from tests.benchmarks.goals import GOALS

INTRODUCTION = """\
# How fast Jara is

A sum of money that a member looks up must be there at once, in the first month and after twenty
years; and who runs Jara should not need a larger machine for it than for other programs. This
page says how fast Jara is beside programs that people know, beside the least that its own tools
allow, and how it bears a crowd in the last minute of a vote. It is for those who choose where to
run Jara, and for those who change it.

A time on one machine says little about another. So each figure is a ratio to a **peer** (a
program that does the same: hledger, ledger, beancount, DuckDB, sqlite-utils) or to a **limit**
(the least that is needed: bare Falcon, bare argon2, raw SQLite, an empty Typer command, a page
without scripts), and both were measured in the same run, in turn, round by round. A cell shows
the median of the rounds, and the least and the most. `x` means so many times; behind it stand
our own figure and that of the other side.

Everything below was written by one command, which takes about half an hour on two cores and
leaves what it saw in `.bench.json`:

    nox -s bench

It installs what is missing (hledger, ledger, wrk, Chromium; Lighthouse comes through `npx`), and
needs Node for the website. `nox -s bench -- --small` tries everything with small sizes;
`nox -s bench -- tests/benchmarks/test_load.py` measures one file anew and leaves the other
figures as they were. A goal that is missed is called missed here; the command fails only when a
measurement itself fails, or when an answer was wrong.

## Goals

L is the ledger, V votes, W the web API, C the command line, P passwords, U the website, G growth
with history, and Load a crowd at once. Commands are timed as whole processes, unless it says
otherwise; requests a second are those of wrk over 32 connections to two processes of eight threads.

"""
HEAD = "| Goal | What is measured | Wanted | Seen | In figures | Rounds | |\n|" + "---|" * 7 + "\n"
EARLIER = "earlier state of the program"
SMALL = "small size of a first try"


def write_page(path: Path, state: Mapping[str, Any], program: str) -> None:
    """Write the page; a goal without a figure says so."""
    parts = [
        INTRODUCTION + goals_table(state["figures"], program),
        summary(state["figures"]),
        missed(state["figures"]),
        unmeasured(),
        *(extra_table(one) for one in state["tables"].values()),
        machine(state),
    ]
    path.write_text("\n".join(part for part in parts if part), encoding="utf-8")


def goals_table(figures: Mapping[str, Any], program: str) -> str:
    """Return the table of all goals that can be measured."""
    rows = [
        row_of(goal, figures.get(goal.key), program)
        for goal in GOALS.values()
        if not goal.unmeasured
    ]
    return HEAD + "\n".join(rows) + "\n"


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
    """Return whether a goal is met, and what weakens that."""
    words = []
    if goal.limit is not None:
        words.append("met" if goal.is_met(seen["value"]) else "**missed**")
    if seen["program"] != program:
        words.append(EARLIER)
    if seen["small"]:
        words.append(SMALL)
    return ", ".join(words)


def summary(figures: Mapping[str, Any]) -> str:
    """Count what is met."""
    if not figures:
        return ""
    judged = [GOALS[key] for key in figures if GOALS[key].limit is not None]
    met = [goal for goal in judged if goal.is_met(figures[goal.key]["value"])]
    return f"{len(met)} of {len(judged)} figures that have a limit keep it.\n"


def goals_missed(figures: Mapping[str, Any]) -> list[Goal]:
    """Return the goals whose figure is not good enough."""
    judged = [goal for goal in GOALS.values() if goal.key in figures]
    return [goal for goal in judged if not goal.is_met(figures[goal.key]["value"])]


def unexplained(figures: Mapping[str, Any]) -> list[str]:
    """Return the goals that are missed without a word of why."""
    return [goal.key for goal in goals_missed(figures) if not goal.hindrance]


def missed(figures: Mapping[str, Any]) -> str:
    """Say of each goal that is missed what stands in the way."""
    lines = [
        f"- **{goal.number}**, {goal.what}: {goal.told(figures[goal.key]['value'])} instead of "
        f"{goal.told_limit()}. {goal.hindrance}".rstrip()
        for goal in goals_missed(figures)
    ]
    return "\n".join(["## What is missed, and why", "", *lines, ""]) if lines else ""


def unmeasured() -> str:
    """Say which goals no run measures, and why."""
    lines = ["## What is not measured", ""]
    goals = [goal for goal in GOALS.values() if goal.unmeasured]
    for why, group in groupby(goals, key=lambda goal: goal.unmeasured):
        named = "; ".join(
            f"{goal.number}, {goal.what} (wanted {goal.told_limit()})" for goal in group
        )
        lines.append(f"- {named}: {why}.")
    return "\n".join([*lines, ""])


def extra_table(table: Mapping[str, Any]) -> str:
    """Return a table of its own, with its heading."""
    rule = ["---"] * len(table["head"])
    rows = [line_of(cells) for cells in (table["head"], rule, *table["rows"])]
    note = [f"These are figures of a {SMALL}.", ""] if table["small"] else []
    return "\n".join([f"## {table['table']}", "", table["about"], "", *note, *rows, ""])


def line_of(cells: Sequence[str]) -> str:
    """Return a line of a table."""
    return f"| {' | '.join(cells)} |"


def machine(state: Mapping[str, Any]) -> str:
    """Say on what it was seen."""
    if "machine" not in state:
        return ""
    rows = [line_of(cells) for cells in state["machine"].items()]
    lines = ["## The machine", "", "| | |", "|---|---|", *rows, ""]
    lines.append(
        f"When the newest run began, {state['load']} other processes wanted to run. wrk, the "
        "crowd and Chromium share the cores with the server that they press upon."
    )
    failed = [name for name, one in state["files"].items() if one["failed"]]
    if failed:
        lines.append(f"\nFailed, and without figures in part: {', '.join(sorted(failed))}.")
    return "\n".join([*lines, ""])
