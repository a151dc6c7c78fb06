"""Finding many entries at once: by place, by id, in order of the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jara.domain.books.account import Fund
from jara.store.repositories.journal_rows import ENTRY_COLUMNS
from jara.store.sql.codecs import chunks, in_list
from jara.store.sql.connection import Sql

if TYPE_CHECKING:  # a balance is read without entries
    from jara.domain.books.journal import PostedEntry, Posting

PAGE = 500
"""So many entries are held at once while many are read."""


class SqlJournalLookup:
    """The reading half of the journal."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql

    def many(self, indexes: Iterable[int]) -> dict[int, PostedEntry]:
        """Return the entries at these places of the log, by place."""
        found: dict[int, PostedEntry] = {}
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            statement = f"SELECT {ENTRY_COLUMNS} FROM entries e WHERE e.idx IN {names}"
            found.update((posted.index, posted) for posted in self._load(statement, params))
        return found

    def known_ids(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the log index of each entry id that the books have."""
        known: dict[str, int] = {}
        for piece in chunks(ids):
            names, params = in_list("n", piece)
            rows = self._sql.all(f"SELECT id, idx FROM entries WHERE id IN {names}", params)
            known.update((row[0], row[1]) for row in rows)
        return known

    def notes_of(self, indexes: Iterable[int]) -> dict[int, str]:
        """Return the words kept beside these entries, outside the log."""
        notes: dict[int, str] = {}
        for piece in chunks(indexes):
            names, params = in_list("i", piece)
            rows = self._sql.all(
                f"SELECT entry, note FROM entry_notes WHERE entry IN {names}", params
            )
            notes.update((row[0], row[1]) for row in rows)
        return notes

    def in_log_order(self) -> Iterator[PostedEntry]:
        """Return every entry in order of the log, where links point upwards."""
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
        from jara.domain.books.journal import Posting
        from jara.store.repositories.posted_entries import posted_entry

        postings: defaultdict[int, list[Posting]] = defaultdict(list)
        for piece in chunks([row[0] for row in rows]):
            names, wanted = in_list("i", piece)
            for index, account, fund, cents in self._sql.all(
                f"SELECT entry, account, fund, cents FROM postings WHERE entry IN {names} "
                "ORDER BY entry, line",
                wanted,
            ):
                postings[index].append(Posting(account, Fund(fund), cents))
        return [posted_entry(row, postings[row[0]]) for row in rows]
