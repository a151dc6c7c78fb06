"""A migration keeps the votes of earlier payments, and reads their way from the entries."""

from __future__ import annotations

import pytest

from jara.store.schema import STEPS, name_of
from tests.store.conftest import OlderDatabase

BEFORE = 17
SOURCES = ("stripe", "cash", "import")


def test_earlier_payments_keep_their_vote(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They count on trust, cash is known by its entry, and earlier members are not added ones."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        for index, source in enumerate(SOURCES):
            row = {"idx": index, "id": f"e{index}", "source": source, "h": b"%d" % index}
            sql.run("INSERT INTO log (idx, hash, body, type) VALUES (:idx, :h, :h, 't')", row)
            sql.run(
                "INSERT INTO entries (idx, id, day, booked_at, kind, description, source) "
                "VALUES (:idx, :id, '2026-05-04', '2026-05-31', 'pledge', '', :source)",
                row,
            )
            sql.run(
                "INSERT INTO payments (entry, kind, account, parts, cents, returned_cents, "
                "dispute, day) VALUES (:idx, 'pledge', 'income:pledges', '{}', 500, 0, 'none', "
                "'2026-05-04')",
                row,
            )
        sql.run(
            "INSERT INTO members (id, member_key, firstname, lastname, email, email_key, country, "
            "notifications, joined_at, session_epoch, todo) VALUES ('m', 'k', 'A', 'B', "
            "'a@example.org', 'a@example.org', 'Canada', 0, '2026-05-04', 0, '')"
        )
        sql.run("INSERT INTO operators (name, added_at) VALUES ('ada', '2026-05-04')")
    monkeypatch.undo()

    assert [name_of(step) for step in STEPS[BEFORE:]] == database.migrate()
    with database.transaction(write=False) as sql:
        rows = [tuple(row) for row in sql.all("SELECT way, proof FROM payments ORDER BY entry")]
        assert rows == [("card", "trust"), ("cash", "trust"), ("card", "trust")]
        assert [tuple(row) for row in sql.all("SELECT is_added FROM members")] == [(0,)]
        assert [tuple(row) for row in sql.all("SELECT email FROM operators")] == [("",)]
    assert database.integrity_findings() == []
    database.close()
