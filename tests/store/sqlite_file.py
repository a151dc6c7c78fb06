"""An SQLite database for a test."""

from pathlib import Path

from jara.store.sqlite.database import SqliteDatabase


def new_file(folder: Path) -> SqliteDatabase:
    """Create a database on disk."""
    made = SqliteDatabase(folder / "jara.db", durable=False)
    made.create()
    return made
