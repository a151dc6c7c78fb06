"""The schema: that of release 0.2.0 in `baseline.sql`, and the steps after it.

A step is a file ``mNNNN_name.sql`` in this package, in the form of `baseline.sql`; steps are taken
in the order of their names. A released step never changes.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jara.domain.errors import OlderDatabase, Unavailable

_MARK = "-- append-only: "


class Step(NamedTuple):
    """A change of the schema."""

    statements: tuple[str, ...]  # portable SQL, in order; tables are ``STRICT``
    append_only: tuple[str, ...] = ()
    """New tables that refuse UPDATE and DELETE: history is corrected, never rewritten."""


@cache
def _read(path: Path) -> Step:
    lines = path.read_text("utf-8").splitlines()
    marks = [line.removeprefix(_MARK) for line in lines if line.startswith(_MARK)]
    text = "\n".join(line for line in lines if not line.startswith("--"))
    statements = (one.strip().rstrip(";") for one in text.split(";\n"))
    tables = (table for mark in marks for table in mark.split(", "))
    return Step(tuple(filter(None, statements)), tuple(tables))


_FOLDER = Path(__file__).parent
BASELINE = "baseline"
BASELINE_VERSION = 35
"""The version of release 0.2.0, which counted its own steps; each later step adds one."""

STEPS: dict[str, Step] = {path.stem: _read(path) for path in sorted(_FOLDER.glob("m*.sql"))}
"""The steps after the baseline, by their name, in order."""


def latest_version() -> int:
    """Return the version of a new database."""
    return BASELINE_VERSION + len(STEPS)


def all_steps() -> dict[str, Step]:
    """Return the baseline and every later step, by name."""
    return {BASELINE: _read(_FOLDER / "baseline.sql"), **STEPS}


def append_only_tables() -> list[str]:
    """Return the tables that refuse UPDATE and DELETE."""
    return [table for step in all_steps().values() for table in step.append_only]


def all_statements() -> Iterator[str]:
    """Yield the statements of all steps."""
    for step in all_steps().values():
        yield from step.statements


def require_known(version: int, name: str) -> None:
    """Check that this program can read a database of this version, perhaps after later steps.

    Raises:
        OlderDatabase: it is older than the baseline.
        Unavailable: it is newer than this program.
    """
    name = f"{name[0].upper()}{name[1:]}"
    if version < BASELINE_VERSION:
        raise OlderDatabase(f"{name} is older than Jara 0.2.0; upgrade it with Jara 0.2.0 first.")
    if version > latest_version():
        raise Unavailable(
            f"{name} is of version {version}, newer than this program's {latest_version()}; use "
            "the newer program."
        )
