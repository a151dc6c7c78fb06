"""Votes of fifty members who sign in and vote in random order, and copies of the stored data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import psycopg
from psycopg.rows import dict_row

from jara.domain.giving.member import Member
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import vote
from jara.services.context import Context
from jara.services.members.sessions import sign_in
from jara.services.operations.backups import make_backup
from jara.services.operations.email_run import queue_due_emails
from jara.services.operations.upkeep import wipe_erased
from jara.services.proposals.closing import close_due_votes, destroy_ballot_key
from jara.store.sqlite.connection import sqlite3
from tests.harness import clock_of, make_organisation
from tests.secrecy.attacker import Attack, aliases, orders_in_bytes, orders_in_rows
from tests.services.ballots.voting_world import add_member, open_vote
from tests.services.members.codes_world import LIMITS, issuer

VOTERS = 50
PASSWORD = "correct horse battery"
_IN_PAGES = """
SELECT '{table}' AS table, p AS page, i.lp, i.t_xmin::text::bigint AS xmin, i.t_data AS data
FROM generate_series(0, pg_relation_size('{table}') / current_setting('block_size')::int - 1) p,
    heap_page_items(get_raw_page('{table}', p::int)) i WHERE i.t_data IS NOT NULL
"""

Act = Callable[[Context, str, Member], None]


@dataclass
class Election:
    """An organisation in which members vote while the attacker watches."""

    context: Context
    place: str
    attack: Attack
    random: Random
    leak: Act | None = None
    """The action of a planted fault after a member's vote."""

    def hold(self, number: int) -> None:
        """Hold one vote: fifty ballots, a copy during it, and copies after its key is destroyed."""
        context, proposal = self.context, f"prop_{number:02}"
        members = list(members_of(context))
        ends = context.today() + timedelta(days=10)
        open_vote(context, id=proposal, slug=f"vote-{number}", endDate=ends.isoformat())
        self.random.shuffle(members)
        places = {member.id: self._vote(proposal, member) for member in members}
        keys = {member.id: member.key for member in members}
        emails = {member.id: member.email for member in members}
        names = aliases(
            {
                name: place
                for member, place in places.items()
                for name in (member, keys[member], emails[member])
            }
        )
        clock_of(context).advance(days=8)
        queue_due_emails(context)
        self._look("during the vote", proposal, names)
        clock_of(context).advance(days=8)
        close_due_votes(context)
        destroy_ballot_key(context, proposal)
        wipe_erased(context)
        self._look("after the key", proposal, names)

    def _vote(self, proposal: str, member: Member) -> int:
        clock = clock_of(self.context)
        clock.advance(seconds=self.random.randint(5, 90))
        sign_in(
            self.context,
            issuer(),
            LIMITS,
            email=member.email,
            password=PASSWORD,
            address="192.0.2.1",
        )
        choice = self.random.choice((Choice.UP, Choice.DOWN))
        receipt = vote(self.context, LIMITS, proposal, member.id, choice)
        if self.leak is not None:
            self.leak(self.context, proposal, member)
        return int(receipt.leaf[:12], 16)  # the close lists ballots in random order

    def _look(self, when: str, proposal: str, names: dict[str, Any]) -> None:
        for copy, data in files_of(self.context, self.place):
            self.attack.try_orders(orders_in_bytes(f"{copy} {when}", data, names, proposal))
        tables = tables_of(self.place)
        self.attack.try_orders(orders_in_rows(f"tables {when}", tables, names, proposal))


def begin(folder: Path, database: str, seed: int) -> Election:
    """Create an organisation with fifty changemakers who subscribe to news."""
    context = make_organisation(folder, database=database)
    hashed = context.hasher.hash(PASSWORD)
    for number in range(VOTERS):
        member = add_member(context, f"member{number}")
        with context.store.write() as work:
            work.members.set_password_hash(member.id, hashed)
            work.members.update(member._replace(notifications=True))
    return Election(context, database, Attack(), Random(seed))


def members_of(context: Context) -> Iterator[Member]:
    """Return the members."""
    with context.store.read() as work:
        yield from list(work.members.all())


def files_of(context: Context, place: str) -> Iterator[tuple[str, bytes]]:
    """Return the files that an attacker may get: database, its log, and a backup."""
    if not place.startswith("postgresql://"):
        yield "database", Path(place).read_bytes()
        wal = Path(f"{place}-wal")
        yield "write-ahead log", wal.read_bytes() if wal.exists() else b""
    backup = context.vault.folder.parent / "backup.db"  # type: ignore[attr-defined] # its folder
    backup.unlink(missing_ok=True)
    make_backup(context, backup)
    yield "backup", backup.read_bytes()


def tables_of(place: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table with the engine's metadata."""
    if place.startswith("postgresql://"):
        return _postgres_tables(place)
    with sqlite3.connect(f"file:{place}?mode=ro", uri=True) as connection:
        connection.row_factory = sqlite3.Row
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
        return {
            name: [
                dict(row)
                for row in connection.execute(
                    f"SELECT * FROM {name}"  # noqa: S608 - the schema's own names
                    if "WITHOUT ROWID" in (text or "")
                    else f"SELECT rowid AS rowid_, * FROM {name}"  # noqa: S608 - the same
                )
            ]
            for name, text in found.fetchall()
        }


def _postgres_tables(url: str) -> dict[str, list[dict[str, Any]]]:
    with psycopg.connect(url, autocommit=True, row_factory=dict_row) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pageinspect SCHEMA public")
        names = [
            str(row["name"])
            for row in connection.execute(
                "SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' "
                "AND c.relnamespace = current_schema()::regnamespace"
            )
        ]
        live = {
            name: [
                {**row, "ctid_": _place(row["ctid_"])}
                for row in connection.execute(
                    f"SELECT xmin::text::bigint AS xmin_, ctid::text AS ctid_, * FROM {name}"  # noqa: S608 - the same
                )
            ]
            for name in names
        }
        pages = {
            f"{name} in its pages": list(connection.execute(_IN_PAGES.format(table=name)))
            for name in names
        }
    return {**live, **{name: _named_rows(rows) for name, rows in pages.items()}}


def _named_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the texts in the raw bytes of rows, including dead ones, with their row numbers."""
    return [
        {"page": row["page"], "lp": row["lp"], "xmin": row["xmin"], "text": text}
        for row in rows
        for text in _texts(bytes(row["data"]))
    ]


def _texts(data: bytes) -> list[str]:
    """Return the sequences of printable characters in a row's bytes."""
    runs: list[str] = []
    run = bytearray()
    for byte in [*data, 0]:
        if 32 < byte < 127:
            run.append(byte)
            continue
        if len(run) >= 8:
            text = run.decode()
            # A short text starts with its length, which may be a printable byte.
            runs += [text, text[1:]]
        run.clear()
    return runs


def _place(ctid: str) -> int:
    page, row = ctid.strip("()").split(",")
    return int(page) * 10_000 + int(row)
