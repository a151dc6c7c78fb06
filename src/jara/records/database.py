"""Facts about the database itself."""

from __future__ import annotations

from typing import NamedTuple

NEW_ORGANISATION = "`jara init` creates one."
"""What to do where no organisation is, unless its keys are there."""

OLDEST_SQLITE = (3, 51, 3)
"""The oldest supported SQLite; older versions may lose data."""


class DatabaseFacts(NamedTuple):
    """Facts about the database itself."""

    engine: str
    engine_version: str
    location: str
    schema_version: int
    journal_mode: str
    size_bytes: int
    readable_by_others: bool
