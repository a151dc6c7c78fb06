# ruff: noqa: S608 - the test writes SQL of its own table names
"""One value of a full database is changed by SQL: verification notices it, or docs say why not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jara.domain.bank.booking import Part
from jara.domain.books.account import BANK, GIFTS, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.records.content import ContentItem
from jara.records.journal import CommitmentRecord, YearLock
from jara.services.audit import record_unattended
from jara.services.bank.answering import book_line, list_waiting
from jara.services.bank.importing import import_statements
from jara.services.books.posting import Books, closing_balances
from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.store.store import Store
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.services.operations.changed_columns import HELD, columns_noticed
from tests.services.operations.planted_faults import plant, with_every_row

PAYMENT = 3


def full(folder: Path) -> Context:
    """Make an organisation with a row in each table that money and votes hang on."""
    context = with_every_row(folder)
    statement = a_statement(a_line(900, "Gift", day=20), opening=0)
    import_statements(context, [statement], file="may.csv", new_account=BANK)
    book_line(context, list_waiting(context)[-1].id, [Part(GIFTS)])
    with context.store.write() as work:
        record = work.commitments.all()[0]
        payout = JournalEntry(
            context.today(),
            EntryKind.DISBURSEMENT,
            "Payment to a project",
            (
                Posting("expenses:projects:wells", Fund.COMMITTED, 200),
                Posting("assets:stripe", Fund.COMMITTED, -200),
            ),
            reference=record.commitment.proposal,
            milestone="a",
        )
        posted = Books(context, work).post(payout)
        work.commitments.add_tranche(posted.index, "a")
        paid = record.commitment.pay(200)
        work.commitments.put(CommitmentRecord(paid, record.decided_at))
        lock = YearLock(
            2025,
            context.now(),
            work.log.size(),
            work.log.root().hex(),
            closing_balances(work, 2025),
        )
        work.book_settings.lock_year(lock)
        record_unattended(
            context, work, "years.close", "2025", logSize=lock.log_size, root=lock.root
        )
        work.pledges.share_card("card_family", at=context.now(), why="a family")
        record_unattended(context, work, "members.share-card", "m", why="a family")
        item = ContentItem("claims", "c", "c", 0, True, {"text": "$1,457"})
        work.content.put(item, at=context.now())
    plant(
        context,
        "INSERT INTO identities (category, source_id, ordinal, entry, cents) "
        f"VALUES ('charge', 'ch_ada', 0, {PAYMENT}, 1000)",
        "UPDATE bank_statements SET is_proven = 0",
        "INSERT INTO audit VALUES (0, '2020-01-01', 'ada', 'operators.add', 'ada', '', '{}', '{}')",
    )
    assert verify_books(context).findings == ()
    return context


def schema_of(context: Context) -> dict[str, list[tuple[str, str]]]:
    """Return name and type of the columns of each table."""
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    return {
        table: [(row[1], row[2]) for row in connection.execute(f"PRAGMA table_info({table})")]
        for table in HELD
    }


VALUES = {
    "doc": '\'{"text":"$91,457"}\'',
    "parts": "'{\"projects\":1000}'",
    "proof": "'statement'",
    "way": "'cash'",
    "kind": "CASE kind WHEN 'pledge' THEN 'gift' ELSE 'faqs' END",
    "dispute": "'won'",
    "balances": "'{\"other\":5}'",
    "entry": "entry + 100",
    "allowed_at": "'2099-01-01T00:00:00Z'",
    "is_proven": "1 - is_proven",
}
"""The new value of a column, in SQL; of others a text changes, and a number grows by one."""


def changes(columns: dict[str, list[tuple[str, str]]]) -> Iterator[tuple[str, str, str]]:
    """Yield table, column and statement of each change."""
    for table, names in columns.items():
        where = f"WHERE entry = {PAYMENT}" if table == "payments" else ""
        for name, kind in names:
            value = (
                f"COALESCE({name}, 0) + 1" if kind == "INTEGER" else f"COALESCE({name}, '') || '1'"
            )
            if name.endswith(("_at", "_day")) or name == "day":
                value = "'2026-01-05'" if name.endswith("day") else "'2026-01-05T00:00:00Z'"
            yield table, name, f"UPDATE {table} SET {name} = {VALUES.get(name, value)} {where}"


def test_a_change_of_one_value_is_noticed_as_the_table_says(tmp_path: Path) -> None:
    """Each column of the tables that money and votes hang on is changed once."""
    context = full(tmp_path)
    seen: dict[str, bool] = {}
    assert isinstance(context.store, Store)
    connection: Any = context.store._database._connection()  # type: ignore[attr-defined]
    for table, column, statement in changes(schema_of(context)):
        rows = connection.execute(f"SELECT * FROM {table}").fetchall()
        assert rows, table
        plant(context, statement)
        seen[f"{table}.{column}"] = not verify_books(context).ok
        marks = ", ".join("?" * len(rows[0]))
        plant(context, f"DELETE FROM {table}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    expected = {f"{table}.{one}" for table in HELD for one in columns_noticed(table)}

    assert verify_books(context).findings == ()
    noticed = {name for name, is_noticed in seen.items() if is_noticed}
    assert (expected - noticed, noticed - expected) == (set(), set())
    assert len(seen) - len(expected) <= 25


@pytest.mark.parametrize("table", ["commitments", "tranches", "year_locks", "bank_matches"])
def test_a_deleted_row_is_noticed(tmp_path: Path, table: str) -> None:
    """A closed year that was deleted was open again, and nobody knew."""
    context = full(tmp_path)

    plant(context, f"DELETE FROM {table}")

    assert verify_books(context).ok is (table == "bank_matches")
