"""A check of the books reports its progress without changing its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.services.books import checks
from jara.services.books.verification import verify_books
from tests.harness import copy_of
from tests.services.giving.giving_year import make_year


def test_progress_reaches_its_total(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is counted."""
    monkeypatch.setattr(checks, "_ROWS_AT_ONCE", 10)
    context = copy_of(make_year, tmp_path)
    steps: list[int] = []
    totals: set[int] = set()

    def progress(rows: int, total: int) -> None:
        steps.append(rows)
        totals.add(total)

    found = verify_books(context, progress=progress)

    assert verify_books(context) == found
    assert found.ok
    (total,) = totals
    assert 0.8 * total <= sum(steps) <= 1.2 * total
    assert {10, found.entries} >= {step for step in steps if step >= 10}
