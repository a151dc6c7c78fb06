"""Every test of the store runs on both engines."""

from collections.abc import Callable, Iterator

import pytest

from jara.store.postgres.database import PostgresDatabase
from tests.postgres_server import PostgresServer

NewDatabase = Callable[[], str]


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
