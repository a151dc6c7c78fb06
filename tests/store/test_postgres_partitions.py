"""Jara works with tables that an administrator has partitioned."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jara.domain.errors import Conflict
from jara.services.books.verification import verify_books
from jara.services.operations.backups import make_backup
from jara.store.postgres.database import PostgresDatabase
from tests.harness import make_organisation
from tests.postgres_server import PostgresServer, find_program
from tests.services.ballots.voting_world import add_member, open_vote, vote

PARTITIONS = Path(__file__).parents[2] / "docs" / "deploy" / "postgresql-partitions.sql"
PLACE = 6


def test_the_log_and_the_postings_may_be_cut(tmp_path: Path, postgres: PostgresServer) -> None:
    """Rows are read, written, guarded, verified and backed up as before."""
    url = postgres.create_database()
    context = make_organisation(tmp_path, database=url)
    open_vote(context)
    vote(context, add_member(context, "ada"))

    cut = ["--set=ON_ERROR_STOP=1", f"--set=place={PLACE}", f"--file={PARTITIONS}", "--quiet"]
    subprocess.run([find_program("psql"), url, *cut], check=True)
    for name in ("bob", "cyd"):
        vote(context, add_member(context, name))

    verification = verify_books(context)
    assert verification.findings == ()
    assert verification.size > PLACE
    assert context.store.integrity_findings() == []
    assert verification.root == make_backup(context, tmp_path / "backup.db").root
    database = PostgresDatabase(url)
    with database.transaction(write=False) as sql:
        for table, column in (("log", "idx"), ("postings", "entry")):
            [[below, above]] = sql.all(
                f"SELECT (SELECT MAX({column}) FROM {table}_below), "  # noqa: S608 - ours
                f"(SELECT MIN({column}) FROM {table}_above)"
            )
            assert below < PLACE <= above
    for table in ("log", "log_below", "log_above", "postings_below", "postings_above"):
        with (
            pytest.raises(Conflict, match="append-only"),
            database.transaction(write=True) as sql,
        ):
            sql.run(f"DELETE FROM {table}")  # noqa: S608 - ours
    database.close()
    context.store.close()
