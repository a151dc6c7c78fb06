"""Chooses the database engine by the address."""

from __future__ import annotations

from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase

_FILE = "sqlite:///"


def open_database(url: str, *, location: str, durable: bool = True) -> Database:
    """Return the driver for a checked address; nothing is opened yet."""
    if url.startswith(_FILE):
        return SqliteDatabase(url.removeprefix(_FILE), durable=durable)
    # psycopg is slow to import, and most organisations use SQLite.
    from jara.store.postgres.database import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url, location=location, durable=durable)
