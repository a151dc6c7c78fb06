"""Rows that driver tests write and count, on either engine."""

from jara.store.sql.database import Database

ADD_META = "INSERT INTO meta (key, value) VALUES (:key, :value)"


def put_meta(database: Database, key: str, value: str = "x") -> None:
    """Write a row that a test can look for."""
    with database.transaction(write=True) as sql:
        sql.run(ADD_META, {"key": key, "value": value})


def count_meta(database: Database) -> int:
    """Count those rows."""
    with database.transaction(write=False) as sql:
        row = sql.one("SELECT COUNT(*) FROM meta")
    assert row is not None
    return int(row[0])
