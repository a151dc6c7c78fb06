"""Every test of the store runs on both engines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

NewDatabase = Callable[[], str]


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest) -> NewDatabase:
    """Return what gives the address of an empty database, a new one at each call."""
    if request.param == "sqlite":
        return lambda: ":memory:"
    make: NewDatabase = request.getfixturevalue("postgres").create_database
    return make
