"""A migration reads the milestones of earlier payments from their notes."""

from __future__ import annotations

import pytest

from jara.store.schema import STEPS, name_of
from jara.store.unit_of_work import UnitOfWork
from tests.store.conftest import OlderDatabase

BEFORE = 23
NOTES = {
    1: ("disbursement", "Tranche 'survey'"),
    2: ("disbursement", "The second slip, 'Tranche'"),
    3: ("expense", "Tranche 'survey'"),
    4: ("disbursement", "Tranche '"),
}


def test_the_note_of_a_payment_names_its_milestone(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only payments with the note that an earlier version wrote get a milestone."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        for index, (kind, note) in NOTES.items():
            values = {"idx": index, "hash": bytes([index])}
            sql.run(
                "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :hash, :hash, 't')", values
            )
            sql.run(
                "INSERT INTO entries (idx, id, day, booked_at, kind, description, source) VALUES "
                "(:idx, :id, '2026-05-04', '2026-05-04T12:00:00Z', :kind, '', 'operator')",
                {"idx": index, "id": f"entry{index}", "kind": kind},
            )
            sql.run(
                "INSERT INTO entry_notes (entry, note) VALUES (:idx, :note)",
                {"idx": index, "note": note},
            )
    monkeypatch.undo()

    assert [name_of(step) for step in STEPS[BEFORE:]] == database.migrate()

    with database.transaction(write=False) as sql:
        assert UnitOfWork(sql).commitments.tranches(list(NOTES)) == {1: "survey"}
    database.close()
