"""A migration lets undone movements be booked again, and names the charge of disputes."""

from __future__ import annotations

import pytest

from jara.store.schema import STEPS, name_of
from tests.store.conftest import OlderDatabase

BEFORE = [name_of(step) for step in STEPS].index("m0025_returns")
ROWS = """
INSERT INTO entries (idx, id, day, booked_at, kind, description, source, of_entry, reverses)
    VALUES (0, 'a', '2026-05-04', '2026-05-31', 'pledge', '', 'stripe', NULL, NULL),
        (1, 'b', '2026-05-05', '2026-05-31', 'dispute', '', 'stripe', 0, NULL),
        (2, 'c', '2026-05-06', '2026-05-31', 'fee', '', 'stripe', NULL, NULL),
        (3, 'd', '2026-05-07', '2026-05-31', 'reversal', '', 'operator', NULL, 2);
INSERT INTO payments (entry, source_id, kind, account, parts, cents, day)
    VALUES (0, 'ch_1', 'pledge', 'income:pledges', '{}', 1000, '2026-05-04');
INSERT INTO identities (category, source_id, ordinal, entry, cents)
    VALUES ('charge', 'ch_1', 0, 0, 1000), ('dispute', 'du_1', 0, 1, -1000),
        ('fee', 'txn_3', 0, 2, -5)
"""
UNDO = """INSERT INTO audit (seq, at, operator, action, subject, why, before_doc, after_doc)
    VALUES (1, '2026-05-31', 'ada', 'ledger.undo', 'imp_1', '', '{}', '{}')"""


@pytest.mark.parametrize("is_undone", [True, False])
def test_movements_of_undone_imports(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch, is_undone: bool
) -> None:
    """Entries reversed by hand stay known in books in which nothing was undone."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        for index in range(4):
            sql.run(
                "INSERT INTO log (idx, hash, body, type) VALUES (:idx, :h, :h, 't')",
                {"idx": index, "h": b"%d" % index},
            )
        for row in [*ROWS.split(";"), *[UNDO] * is_undone]:
            sql.run(row)
    monkeypatch.undo()
    database.migrate()

    with database.transaction(write=False) as sql:
        rows = sql.all("SELECT source_id, charge_id, is_undone FROM identities ORDER BY source_id")
    assert [tuple(row) for row in rows] == [
        ("ch_1", None, 0),
        ("du_1", "ch_1", 0),
        ("txn_3", None, int(is_undone)),
    ]
    database.close()
