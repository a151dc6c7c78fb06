"""What most tests of the services begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from jara.services.context import Context
from tests.harness import make_organisation
from tests.services.giving.joiners import join

HERE = Path(__file__).parent
ON_BOTH = {
    HERE / "ballots" / "test_changemakers_agree.py",
    HERE / "books" / "test_verification.py",
    HERE / "proposals" / "test_vote_verification.py",
}
"""What finds a fault must find it wherever it is."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave PostgreSQL to the layers around unless it is asked for: databases take long to make."""
    if config.getoption("--every-engine"):
        return
    left = [item for item in items if _is_left(item)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if not _is_left(item)]


def _is_left(item: pytest.Item) -> bool:
    engine = item.callspec.params.get("new_place") if hasattr(item, "callspec") else None
    return engine == "postgresql" and item.path.is_relative_to(HERE) and item.path not in ON_BOTH


@pytest.fixture
def context(place: Path) -> Context:
    """A new organisation with empty books, on 20 November 2026, noon."""
    return make_organisation(place)


@pytest.fixture
def member_id(context: Context) -> str:
    """A member who pledged $10 on the day of joining."""
    return join(context).member.id
