"""Facts about a database file, for ``jara doctor``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jara.records.database import DatabaseFacts
from jara.store.sqlite.connection import Connection

APPLICATION_ID = 0x6A617261
"""'jara' in ASCII; marks our files among all SQLite databases."""


def read_facts(connection: Connection, path: str, engine_version: str) -> DatabaseFacts:
    """Read the facts over an open connection."""

    def pragma(name: str) -> Any:  # noqa: ANN401 - a number or a text
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    return DatabaseFacts(
        engine="SQLite",
        engine_version=engine_version,
        location=path,
        schema_version=int(pragma("user_version")),
        journal_mode=str(pragma("journal_mode")),
        size_bytes=int(pragma("page_count")) * int(pragma("page_size")),
        readable_by_others=_is_readable_by_others(path),
    )


def _is_readable_by_others(path: str) -> bool:
    file = Path(path)
    return file.exists() and bool(file.stat().st_mode & 0o077)
