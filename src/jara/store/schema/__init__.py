"""The schema: that of release 0.2.0 in `baseline.sql`, and the steps after it.

A step is a module ``mNNNN_name`` of this package with a `STEP`; steps are taken in the order of
their names. A released step is frozen text: it imports no live code and never changes.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from jara.domain.errors import OlderDatabase, Unavailable


class Step(NamedTuple):
    """A change of the schema."""

    statements: tuple[str, ...]  # portable SQL, in order; tables are ``STRICT``
    append_only: tuple[str, ...] = ()
    """New tables that refuse UPDATE and DELETE: history is corrected, never rewritten."""


BASELINE = "baseline"
BASELINE_VERSION = 35
"""The version of release 0.2.0, which counted its own steps; each later step adds one."""

STEPS: dict[str, Step] = {
    name: import_module(f"{__name__}.{name}").STEP
    for name in sorted(module.name for module in iter_modules(__path__))
}
"""The steps after the baseline, by their name, in order."""

_APPEND_ONLY = (
    *("log", "log_nodes", "checkpoints", "entries", "postings", "policies", "tranches"),
    *("ballots", "ballot_voids", "participations", "rolls", "dropped_ballots"),
    *("pledge_changes", "content_changes", "audit", "operator_keys", "signed_acts"),
)


def latest_version() -> int:
    """Return the version of a new database."""
    return BASELINE_VERSION + len(STEPS)


def all_steps() -> dict[str, Step]:
    """Return the baseline and every later step, by name."""
    return {BASELINE: _read_baseline(), **STEPS}


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


@cache
def _read_baseline() -> Step:
    lines = Path(__file__).with_name("baseline.sql").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("--"))
    statements = (statement.strip() for statement in text.split(";\n"))
    return Step(tuple(filter(None, (one.rstrip(";") for one in statements))), _APPEND_ONLY)
