"""The size of a test: small in every run, larger in ``nox -s full``, largest in a soak.

``JARA_FULL=1`` selects the full sizes and all cases, ``JARA_SOAK=1`` the long sizes and
``JARA_SOAK_SEED`` the seed; ``JARA_SOAK_FIGURES`` names a file for measurements.
"""

import json
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

IS_SOAK = os.environ.get("JARA_SOAK") == "1"
IS_FULL = IS_SOAK or os.environ.get("JARA_FULL") == "1"
FULL_FACTOR = 5
PATIENCE_SECONDS = 300
"""Long enough for any machine; who waits so long waits for nothing."""
SEED = int(os.environ.get("JARA_SOAK_SEED", "7"))
"""The seed is the same in every ordinary run, so failures are reproducible."""
only_full = pytest.mark.skipif(not IS_FULL, reason="runs in nox -s full")

Case = TypeVar("Case")


def size(quick: int, long: int, *, full: int | None = None) -> int:
    """Return a count for an ordinary run, a full one or a soak."""
    if IS_SOAK:
        return long
    return (full or min(FULL_FACTOR * quick, long)) if IS_FULL else quick


def some(cases: Iterable[Case], step: int) -> list[Case]:
    """Return every n-th case of a table, or all in a full run.

    A step that divides none of the table's dimensions keeps each value of each dimension.
    """
    return list(cases)[:: 1 if IS_FULL else step]


def fewer_examples(divisor: int) -> settings:
    """Return settings for a property test whose examples are slow: a part of the usual number."""
    return settings(max_examples=max(1, settings().max_examples // divisor))


def wait_until(holds: Callable[[], object]) -> None:
    """Wait until a condition is true, as long as any machine may need."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.02)


def saw(**figures: object) -> None:
    """Record a measurement of a test, for the table of a soak."""
    path = os.environ.get("JARA_SOAK_FIGURES")
    if path:
        with Path(path).open("a", encoding="utf-8") as out:
            out.write(json.dumps(figures) + "\n")
