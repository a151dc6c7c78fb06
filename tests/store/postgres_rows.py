"""Rows that tests of the PostgreSQL driver write and count."""

from __future__ import annotations

import psycopg

from jara.store.postgres import PostgresDatabase

ADD_META = "INSERT INTO meta (key, value) VALUES (:key, :value)"


def put_meta(database: PostgresDatabase, key: str, value: str = "x") -> None:
    """Write a row that a test can look for."""
    with database.transaction(write=True) as sql:
        sql.run(ADD_META, {"key": key, "value": value})


def count_meta(database: PostgresDatabase) -> int:
    """Count the rows of that table."""
    with database.transaction(write=False) as sql:
        row = sql.one("SELECT COUNT(*) FROM meta")
    assert row is not None
    return int(row[0])


def execute(url: str, statement: str) -> None:
    """Do something behind the driver's back."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.encode())
