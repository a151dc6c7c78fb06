"""Documents of entries, and their encrypted bytes."""

from collections.abc import Iterator
from datetime import date, datetime

from jara.domain.lookup import choose_one
from jara.records.papers import EntryPaper, Spend, StoredPaper
from jara.store.rows import Repository, Rows, read_row
from jara.store.sql.codecs import instant_text, read_instant

PAPERS = Rows("documents", StoredPaper)
LINKS = Rows("entry_documents", EntryPaper, "entry, document, is_public")


_SPENDS = """
    SELECT e.idx, e.id, e.day, e.description, SUM(p.cents),
    (SELECT COUNT(*) FROM entry_documents d WHERE d.entry = e.idx AND d.leaf < :size)
    FROM postings p JOIN entries e ON e.idx = p.entry
    WHERE (p.account >= 'expenses:' AND p.account < 'expenses:fees'
    OR p.account > 'expenses:fees;' AND p.account < 'expenses;')
    AND p.day >= :first AND p.day <= :last AND e.idx > :after AND e.idx < :size
    AND e.reverses IS NULL
    AND NOT EXISTS (SELECT 1 FROM entries r WHERE r.reverses = e.idx AND r.idx < :size)
    GROUP BY e.idx, e.id, e.day, e.description HAVING SUM(p.cents) >= :least
    ORDER BY e.day, e.idx
"""
_EVERYTHING = 1 << 62


class PaperRepository(Repository):
    """The documents behind entries."""

    get = PAPERS.finder("hash")
    all = PAPERS.streamer("ORDER BY hash")
    public = PAPERS.lister(
        "WHERE hash IN (SELECT d.document FROM entry_documents d JOIN document_files f "
        "ON f.document = d.document WHERE d.is_public = 1 AND f.sealed IS NOT NULL) "
        "ORDER BY hash"
    )  # that visitors may read
    link = LINKS.adder()
    entries_of = LINKS.lister_by("document", "ORDER BY leaf")

    def add(self, paper: StoredPaper, sealed: bytes) -> None:
        """Store a document; one that was erased has its bytes again."""
        PAPERS.add_new(self._sql, paper)
        self._sql.run(
            "INSERT INTO document_files (document, sealed) VALUES (:hash, :sealed) "
            "ON CONFLICT (document) DO UPDATE SET sealed = excluded.sealed, erased_at = NULL",
            {"hash": paper.hash, "sealed": sealed},
        )

    def find(self, text: str) -> StoredPaper:
        """Return the document with this hash, or with a unique beginning of it.

        Raises:
            NotFound: no document matches.
            Conflict: several match.
        """
        found = PAPERS.all(
            self._sql, "WHERE hash >= :text AND hash < :after", text=text, after=f"{text}g"
        )
        return choose_one(
            text,
            found if text else [],
            kinds="documents",
            label=lambda one: one.hash[:16],
            missing=f"There is no document '{text}'; see `jara ledger documents ENTRY`.",
        )

    def sealed(self, name: str) -> bytes | None:
        """Return the encrypted bytes of a document; None if they are not here."""
        query = "SELECT sealed FROM document_files WHERE document = :hash"
        return self._value(bytes, query, hash=name)

    def erased_at(self, name: str) -> datetime | None:
        """Return when the bytes of a document were erased; None if they were not."""
        query = "SELECT erased_at FROM document_files WHERE document = :hash"
        return self._value(read_instant, query, hash=name)

    def erase(self, name: str, at: datetime) -> None:
        """Erase the bytes of a document; what proves that it was here stays."""
        self._sql.run(
            "UPDATE document_files SET sealed = NULL, erased_at = :at WHERE document = :hash",
            {"at": instant_text(at), "hash": name},
        )

    def links(self, start: int = 0) -> Iterator[EntryPaper]:
        """Return the documents of entries in the order of their leaves, from an index on."""
        return LINKS.each(self._sql, "WHERE leaf >= :start ORDER BY leaf", start=start)

    def of_entry(self, entry: int) -> list[EntryPaper]:
        """Return the documents of an entry, in the order in which they were added."""
        return LINKS.all(self._sql, "WHERE entry = :entry ORDER BY leaf", entry=entry)

    def between(self, first: date, last: date) -> list[EntryPaper]:
        """Return the documents of the entries of a period, entry by entry."""
        return LINKS.all(
            self._sql,
            "WHERE entry IN (SELECT idx FROM entries WHERE day >= :first AND day <= :last) "
            "ORDER BY entry, leaf",
            first=first,
            last=last,
        )

    def spends(
        self, least: int, first: date, last: date, *, after: int = -1, size: int | None = None
    ) -> list[Spend]:
        """Return the entries that spend at least so many cents, and were not reversed, by day.

        Only entries after the log index `after` are returned; with `size`, only what stands below
        that log index counts.
        """
        rows = self._sql.all(
            _SPENDS,
            {
                "least": least,
                "first": first.isoformat(),
                "last": last.isoformat(),
                "after": after,
                "size": _EVERYTHING if size is None else size,
            },
        )
        return [read_row(Spend, row) for row in rows]
