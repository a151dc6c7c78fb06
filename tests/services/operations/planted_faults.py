"""Books with every kind of row, planted faults, and the findings of verification."""

import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

from jara.services.books.verification import verify_books
from jara.services.context import Context
from jara.services.proposals import lifecycle
from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal, withdraw_proposal
from jara.services.publiclog.proofs import make_checkpoint
from jara.services.publiclog.receipts import name_promise_key
from jara.store.postgres.database import PostgresDatabase
from jara.store.store import Store
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, leave, open_vote, refund, vote

# Log: 0 genesis, 1 policy, 2 open prop_01, 3 to 6 payments of ada, bob, cyd, dan,
# 7 key of promises, 8 refund, which drops bob's ballot, 9 to 11 ballots of ada, cyd, dan,
# 12 close, 13 commitment, 14 open prop_02, 15 withdrawal of prop_02, 16 open prop_03, with a
# sealed ballot of ada. The checkpoint of the close is of size 14, the last one of size 17.


_RULES = """
    SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE contype IN ('c', 'f') AND conrelid <> 0
    AND connamespace = CAST(current_schema() AS regnamespace)
"""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"


def with_every_row(folder: Path) -> Context:
    """Make an organisation with every kind of row."""
    context = make_organisation(folder)
    with patch.object(lifecycle, "name_promise_key", lambda *_: False):
        open_vote(context)
    ada, bob, cyd, dan = (add_member(context, name) for name in ("ada", "bob", "cyd", "dan"))
    with context.store.write() as work:
        name_promise_key(context, work)
    for member in (ada, bob, cyd, dan):
        vote(context, member)
    refund(context, bob, 1000)
    leave(context, dan)
    clock_of(context).advance(days=11)
    close_due_votes(context)
    open_vote(context, id="prop_02", title="Second", endDate="2026-12-31")
    vote(context, ada, proposal="prop_02")
    withdraw_proposal(context, "prop_02", reason="Sold")
    open_vote(context, id="prop_03", title="Third", endDate="2026-12-31")
    vote(context, ada, proposal="prop_03")
    draft_proposal(context, {**PROPOSAL, "id": "draft", "title": "A draft"})
    make_checkpoint(context)
    return context


def plant(context: Context, *statements: str) -> None:
    """Change the database without firing its triggers; it has all of them again afterwards."""
    assert isinstance(context.store, Store)
    database = context.store._database
    if isinstance(database, PostgresDatabase):
        _plant_on_server(database, statements)
        return
    connection: Any = database._connection()  # type: ignore[attr-defined] # behind the store's door
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        connection.execute(statement)
    for _, text in triggers:
        connection.execute(text)


def _plant_on_server(database: PostgresDatabase, statements: tuple[str, ...]) -> None:
    with database._connections.alone() as owner:
        for table, name in owner.execute(_RULES).fetchall():
            owner.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"'.encode())
        for (table,) in owner.execute(_TABLES).fetchall():
            owner.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER".encode())
        for statement in statements:
            zeros = statement.replace("zeroblob(32)", f"X'{bytes(32).hex()}'")
            owner.execute(re.sub(r"\bX'(\w*)'", r"'\\x\1'::bytea", zeros).encode())


def found(context: Context) -> dict[str, set[str]]:
    """Return the places found by each check of the verification."""
    places: dict[str, set[str]] = {}
    for finding in verify_books(context).findings:
        assert finding.message.endswith(".") or ":" in finding.message
        places.setdefault(finding.check, set()).add(finding.where)
    return places
