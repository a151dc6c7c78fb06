"""Every test of the store runs on both engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jara.store.postgres.database import PostgresDatabase
from jara.store.schema import STEPS
from jara.store.sql.database import Database
from jara.store.sqlite.database import SqliteDatabase
from tests.postgres_server import PostgresServer

NewDatabase = Callable[[], str]
OlderDatabase = Callable[[int], Database]


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest) -> NewDatabase:
    """Return a function that returns the address of a new, empty database."""
    if request.param == "sqlite":
        return lambda: ":memory:"
    make: NewDatabase = request.getfixturevalue("postgres").create_with_tables
    return make


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    """The address of an empty PostgreSQL database."""
    return postgres.create_database()


@pytest.fixture
def database(url: str) -> Iterator[PostgresDatabase]:
    """A new PostgreSQL database."""
    made = PostgresDatabase(url, location="postgresql://here/jara", durable=False)
    made.create()
    yield made
    made.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def older_database(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> OlderDatabase:
    """Return a function that creates a database of the first steps; undo the patch to migrate."""

    def create(steps: int) -> Database:
        database: Database
        if request.param == "sqlite":
            monkeypatch.setattr("jara.store.sqlite.migrations.STEPS", STEPS[:steps])
            database = SqliteDatabase(tmp_path / "jara.db", durable=False)
        else:
            monkeypatch.setattr("jara.store.postgres.database.STEPS", STEPS[:steps])
            monkeypatch.setattr("jara.store.postgres.database.SCHEMA_VERSION", steps)
            database = PostgresDatabase(request.getfixturevalue("url"), durable=False)
        database.create()
        return database

    return create
