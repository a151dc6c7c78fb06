"""Fixtures for tests of interrupted payments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.webapi.payments.live_desk import LiveDesk, open_live_desk


@pytest.fixture
def live(place: Path) -> Iterator[LiveDesk]:
    """An organisation with live payments, on 31 January 2026."""
    with open_live_desk(place) as opened:
        yield opened
