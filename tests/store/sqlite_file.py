"""A database of SQLite for a test."""

from __future__ import annotations

from pathlib import Path

from jara.store.sqlite.database import SqliteDatabase


def new_file(folder: Path) -> SqliteDatabase:
    """Make a database on disk."""
    made = SqliteDatabase(folder / "jara.db", durable=False)
    made.create()
    return made
