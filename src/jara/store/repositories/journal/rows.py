"""Reads entries from rows of the journal, and turns entries and queries into SQL values."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, PostedEntry, Posting
from jara.records.journal import BalanceRow, EntryQuery
from jara.store.rows import Repository
from jara.store.sql.codecs import (
    chunks,
    document_text,
    in_list,
    instant_text,
    like_part,
    optional_day,
    optional_day_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

ENTRY_COLUMNS = (
    "e.idx, e.id, e.day, e.kind, e.description, e.reference, e.source, e.external_id, "
    "e.member_key, e.reverses, e.of_entry, e.true_day, e.foreign_doc, e.booked_at"
)
ADD_ENTRY = (
    "INSERT INTO entries (idx, id, day, kind, description, reference, source, external_id, "
    "member_key, reverses, of_entry, true_day, foreign_doc, booked_at) VALUES (:idx, :id, "
    ":day, :kind, :description, :reference, :source, :external_id, :member_key, :reverses, "
    ":of_entry, :true_day, :foreign_doc, :booked_at)"
)
PAGE = 500
"""How many entries a long read holds in memory at once."""


def entry_row(posted: PostedEntry) -> Row:
    """Return the values that `ADD_ENTRY` inserts."""
    entry = posted.entry
    return (
        posted.index,
        posted.id,
        entry.day.isoformat(),
        entry.kind.value,
        entry.description,
        entry.reference,
        entry.source,
        entry.external_id,
        entry.member_key,
        entry.reverses,
        entry.of,
        optional_day_text(entry.true_day),
        None if entry.foreign is None else _foreign_text(entry.foreign),
        instant_text(posted.booked_at),
    )


def _foreign_text(foreign: Foreign) -> str:
    values = foreign._asdict()
    return document_text({key: value for key, value in values.items() if value is not None})


def read_foreign(text: str | None) -> Foreign | None:
    """Return the foreign amount that a column holds."""
    return None if text is None else Foreign(**read_document(text))


def where_clause(query: EntryQuery, sql: Sql) -> tuple[str, dict[str, object]]:
    """Return the condition of a query on ``entries e``, and its parameters."""
    conditions = ["1 = 1"]
    params: dict[str, object] = {}
    plain = (
        ("e.day >= :first_day", "first_day", optional_day_text(query.first_day)),
        ("e.day <= :last_day", "last_day", optional_day_text(query.last_day)),
        ("e.member_key = :member_key", "member_key", query.member_key),
        ("e.reference = :reference", "reference", query.reference),
        ("e.idx < :size", "size", query.size),
    )
    for condition, name, value in plain:
        if value is not None:
            conditions.append(condition)
            params[name] = value
    if query.kinds:
        names, kinds = in_list("kind", query.kinds)
        conditions.append(f"e.kind IN {names}")
        params |= kinds
    if query.texts:
        condition, found = _matches(query, sql)
        conditions.append(condition)
        params |= found
    return " AND ".join(conditions), params


def _matches(query: EntryQuery, sql: Sql) -> tuple[str, dict[str, object]]:
    """Return the condition that an entry contains one of the texts or accounts."""
    either: list[str] = []
    params: dict[str, object] = {}
    for place, text in enumerate(query.texts):
        columns = (sql.plain("e.description"), sql.plain("e.reference"), "e.id")
        either += [f"{column} LIKE :text{place} ESCAPE '!'" for column in columns]
        params[f"text{place}"] = like_part(text)
    if query.accounts:
        params |= {f"account{place}": name for place, name in enumerate(query.accounts)}
        names = (f":account{place}" for place in range(len(query.accounts)))
        on_one = " OR ".join(within("p.account", name) for name in names)
        either.append(f"EXISTS (SELECT 1 FROM postings p WHERE p.entry = e.idx AND ({on_one}))")
    return f"({' OR '.join(either)})", params


def within(account: str, parent: str) -> str:
    """Return the condition that an account is another or below it, as `is_below` of the domain."""
    return f"({account} = {parent} OR substr({account}, 1, length({parent}) + 1) = {parent} || ':')"


def balance_rows(rows: Iterable[Row]) -> list[BalanceRow]:
    """Return balance rows by account, fund and month, including zero balances."""
    found = [
        BalanceRow(account, Fund(fund), int(cents), period) for account, fund, period, cents in rows
    ]
    return sorted(found, key=lambda row: (row.account, row.fund.position, row.month or ""))


class JournalLookup(Repository):
    """Finds many entries at once: by log index, by id, in order of the log."""

    def many(self, indexes: Iterable[int]) -> dict[int, PostedEntry]:
        """Return the entries at these log indexes, by index."""
        found: dict[int, PostedEntry] = {}
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            statement = f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.idx IN {names}"
            found.update((posted.index, posted) for posted in self._load(statement, params))
        return found

    def known_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each of these entry ids that exists."""
        known: dict[str, int] = {}
        for piece in chunks(ids):
            names, params = in_list("n", piece)
            rows = self._sql.all(f"SELECT id, idx FROM entries WHERE id IN {names}", params)
            known.update((row[0], row[1]) for row in rows)
        return known

    def notes_of(self, indexes: Iterable[int]) -> dict[int, str]:
        """Return the notes of these entries, which are stored outside the log."""
        notes: dict[int, str] = {}
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            rows = self._sql.all(
                f"SELECT entry, note FROM entry_notes WHERE entry IN {names}", params
            )
            notes.update((row[0], row[1]) for row in rows)
        return notes

    def in_log_order(self) -> Iterator[PostedEntry]:
        """Return every entry in log order; references point to earlier ones."""
        last = -1
        while page := self._load(
            f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.idx > :last ORDER BY e.idx "
            f"LIMIT {PAGE}",
            {"last": last},
        ):
            yield from page
            last = page[-1].index

    def _load(self, statement: str, params: dict[str, object]) -> list[PostedEntry]:
        rows = self._sql.all(statement, params)
        if not rows:
            return []
        postings: defaultdict[int, list[Posting]] = defaultdict(list)
        for piece in chunks([row[0] for row in rows]):
            names, wanted = in_list("i", piece)
            for index, account, fund, cents in self._sql.all(
                f"SELECT entry, account, fund, cents FROM postings WHERE entry IN {names} "
                "ORDER BY entry, line",
                wanted,
            ):
                postings[index].append(Posting(account, Fund(fund), cents))
        return [_posted_entry(row, postings[row[0]]) for row in rows]


def _posted_entry(row: Row, postings: Sequence[Posting]) -> PostedEntry:
    """Build an entry from its row and its postings."""
    (index, entry_id, day, kind, description, reference, source, external_id) = row[:8]
    (member_key, reverses, of_entry, true_day, foreign_doc, booked_at) = row[8:]
    return PostedEntry(
        entry_id,
        index,
        read_instant(booked_at),
        JournalEntry(
            day=date.fromisoformat(day),
            kind=EntryKind(kind),
            description=description,
            postings=tuple(postings),
            reference=reference,
            source=source,
            external_id=external_id,
            member_key=member_key,
            reverses=reverses,
            of=of_entry,
            true_day=optional_day(true_day),
            foreign=read_foreign(foreign_doc),
        ),
    )
