"""A migration keeps the bank lines that entries are matched with."""

from __future__ import annotations

import pytest

from jara.domain.errors import JaraError
from jara.store.schema import STEPS, name_of
from tests.store.conftest import OlderDatabase

BEFORE = 15
ROWS = """
INSERT INTO bank_accounts (number, ledger, added_at) VALUES ('N', 'assets:bank', '2026-05-31');
INSERT INTO bank_statements (id, account, file, form, first_day, last_day, imported_at)
    VALUES ('s', 'N', 'may.xml', 'camt.053', '2026-05-01', '2026-05-31', '2026-05-31');
INSERT INTO bank_lines (id, account, statement, line, day, cents, key, text, party,
    party_account, bank_ref, own_ref, is_reversal)
    VALUES ('l', 'N', 's', 3, '2026-05-04', 900, '', '', '', '', '', '', 0),
        ('again', 'N', 's', 3, '2026-05-04', 900, '', '', '', '', '', '', 0);
INSERT INTO entries (idx, id, day, booked_at, kind, description, source)
    VALUES (0, 'e', '2026-05-04', '2026-05-31', 'expense', '', 'manual');
INSERT INTO bank_matches (entry, line) VALUES (0, 'l')
"""
MATCH_AGAIN = "INSERT INTO bank_matches (entry, line) VALUES (0, 'again')"


def test_matches_are_kept_and_may_be_several(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the migration, an entry of an undone line can be matched again."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        sql.run("INSERT INTO log (idx, hash, body, type) VALUES (0, :h, :h, 't')", {"h": b"{}"})
        for row in ROWS.split(";"):
            sql.run(row)
    with pytest.raises(JaraError), database.transaction(write=True) as sql:
        sql.run(MATCH_AGAIN)
    monkeypatch.undo()

    assert [name_of(step) for step in STEPS[BEFORE:]] == database.migrate()
    with database.transaction(write=True) as sql:
        sql.run(MATCH_AGAIN)
        rows = sql.all("SELECT entry, line FROM bank_matches ORDER BY line")
    assert [tuple(row) for row in rows] == [(0, "again"), (0, "l")]
    assert database.integrity_findings() == []
    database.close()
