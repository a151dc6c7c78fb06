"""Rows of the journal turned into entries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, PostedEntry, Posting
from jara.store.sql.codecs import optional_day, read_document, read_instant
from jara.store.sql.connection import Row


def posted_entry(row: Row, postings: Sequence[Posting]) -> PostedEntry:
    """Return the entry that a row and its postings hold."""
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
            foreign=None if foreign_doc is None else Foreign(**read_document(foreign_doc)),
        ),
    )
