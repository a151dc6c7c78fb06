"""docs/performance.md judges each goal by its measurement."""

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.goals import GOALS, Goal
from tests.benchmarks.page import EARLIER, SMALL, missed, row_of, unexplained, write_page
from tests.benchmarks.run import HERE, PAGE

LEAST = Goal("X1.least", "ours against theirs", 80, hindrance="The start takes most of it.")
MOST = Goal("X2.most", "what it holds", 130, "MiB", at_most=True)


def seen(value: float, **more: Any) -> dict[str, Any]:
    """Return a figure in the form that a run stores."""
    same = {"value": value, "least": value, "most": value, "rounds": 5, "detail": "1 s for 90 s"}
    return {**same, "program": "this", "small": False, **more}


@pytest.mark.parametrize(
    ("goal", "value", "is_met"),
    [(LEAST, 80, True), (LEAST, 79.99, False), (MOST, 130, True), (MOST, 130.01, False)],
)
def test_a_missed_goal_is_called_missed(goal: Goal, value: float, is_met: bool) -> None:
    """A goal is judged before its figure is rounded, so a near miss is a miss."""
    row = row_of(goal, seen(value), "this")

    assert row.endswith("| met |" if is_met else "| **missed** |")


def test_a_figure_of_an_older_version_or_a_small_trial_is_marked() -> None:
    """A figure is marked if the program has changed since, or the sizes were small."""
    assert EARLIER in row_of(LEAST, seen(90, program="that"), "this")
    assert SMALL in row_of(LEAST, seen(90, small=True), "this")
    assert row_of(LEAST, seen(90), "this").endswith("| met |")


def test_only_a_missed_goal_shows_its_reason() -> None:
    """Obstacles are listed only for missed goals."""
    goal = next(goal for goal in GOALS.values() if goal.hindrance and not goal.at_most)

    assert goal.hindrance in missed({goal.key: seen(goal.limit / 2)})
    assert missed({goal.key: seen(goal.limit)}) == ""
    assert unexplained({goal.key: seen(goal.limit / 2)}) == []


def test_every_goal_has_a_row(tmp_path: Path) -> None:
    """A goal has a row even if it is not measured yet."""
    page = tmp_path / "performance.md"
    write_page(page, {"figures": {}, "tables": {}, "files": {}}, "this")
    text = page.read_text("utf-8")

    assert len(GOALS) == text.count("not measured yet")
    assert [goal.key for goal in GOALS.values() if goal.what not in text] == []


def test_the_page_lists_the_current_goals() -> None:
    """The page has the current goals."""
    text = PAGE.read_text("utf-8")

    assert [goal.key for goal in GOALS.values() if goal.what not in text] == []


def test_every_goal_is_measured_somewhere() -> None:
    """Each goal is named by a benchmark."""
    code = "".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))

    assert [key for key in GOALS if f'"{key}"' not in code] == []
