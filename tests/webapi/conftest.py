"""One organisation for each module of tests of the web API."""

from __future__ import annotations

import pytest

from tests.webapi.desk import Desk, open_desk


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """An organisation and its web API; tests of a module share it."""
    return open_desk(tmp_path_factory.mktemp("organisation"))
