"""Which engine an address names; PostgreSQL's library is imported only for its own."""

from __future__ import annotations

from jara.store.sqlite.database import SqliteDatabase
from jara.store.unit_of_work import Database

_FILE = "sqlite:///"


def open_database(url: str, *, location: str, durable: bool = True) -> Database:
    """Return the driver of a checked address; nothing is opened yet."""
    if url.startswith(_FILE):
        return SqliteDatabase(url.removeprefix(_FILE), durable=durable)
    from jara.store.postgres.database import PostgresDatabase

    return PostgresDatabase(url, location=location, durable=durable)
