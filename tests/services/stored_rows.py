"""Reads the rows of a table as an attacker with the database file would."""

from typing import Any

from jara.services.context import Context


def rows_of(context: Context, table: str) -> list[tuple[Any, ...]]:
    """Return every row of a table."""
    with context.store.read() as work:
        return work.sql.all(f"SELECT * FROM {table}")  # noqa: S608 - the test's own
