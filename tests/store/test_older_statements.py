"""Statements that an earlier version stored: they stay proven, and the next ones follow them."""

from __future__ import annotations

from datetime import date

import pytest

from jara.services.bank.balances import stored_balances
from jara.store.schema import STEPS, name_of
from jara.store.unit_of_work import UnitOfWork
from tests.domain.bank.bank_lines import NUMBER
from tests.store.conftest import OlderDatabase

BEFORE = 22
ROWS = """
INSERT INTO bank_accounts (number, ledger, added_at)
    VALUES ('DE89370400440532013000', 'assets:bank', '2026-05-31');
INSERT INTO bank_statements (id, account, file, form, first_day, last_day, opening_cents,
    closing_cents, imported_at, import_id)
    VALUES ('s', 'DE89370400440532013000', 'may.xml', 'camt.053', '2026-05-01', '2026-05-31',
        100, 1100, '2026-05-31', 'imp_old');
INSERT INTO bank_lines (id, account, statement, line, day, cents, key, text, party,
    party_account, bank_ref, own_ref, is_reversal)
    VALUES ('l', 'DE89370400440532013000', 's', 3, '2026-05-04', 1000, 'gift', 'GIFT',
        '', '', '', '', 0)
"""


def test_an_older_statement_has_a_base_and_is_proven(
    older_database: OlderDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lines are neither collective nor doubtful, and payments that they showed stay proven."""
    database = older_database(BEFORE)
    with database.transaction(write=True) as sql:
        for row in ROWS.split(";"):
            sql.run(row)
    monkeypatch.undo()

    assert [name_of(step) for step in STEPS[BEFORE:]] == database.migrate()
    with database.transaction(write=True) as sql:
        work = UnitOfWork(sql)
        (line,) = work.bank.waiting(NUMBER)
        balances = stored_balances(work, NUMBER)
        assert (line.is_proven, line.twin, line.line.is_collective) == (True, "", False)
        assert (balances.base_cents, work.bank.imports_of(NUMBER)) == (100, ["imp_old"])
        assert balances.covers(date(2026, 5, 4), date(2026, 5, 31))
    database.close()
