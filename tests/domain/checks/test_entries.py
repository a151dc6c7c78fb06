"""Rows of entries: the cheap checks agree with the ones that name what is wrong."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given

from jara.domain.books.account import Fund
from jara.domain.books.journal import CENTS_MAX, EntryKind, JournalEntry, Posting
from jara.domain.checks.entries import (
    StoredEntry,
    StoredPosting,
    check_entry,
    check_entry_columns,
)
from jara.domain.errors import InvalidInput
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import entry_id
from jara.domain.publiclog.merkle import leaf_hash
from tests import strategies

SALT = "00" * 16
POSTINGS = (Posting("assets:bank", Fund.STAFF, -500), Posting("expenses:staff", Fund.STAFF, 500))
ENTRY = JournalEntry(date(2026, 11, 20), EntryKind.MANUAL, "Stamps", POSTINGS)


def stored(entry: JournalEntry) -> StoredEntry:
    """Return the rows of an entry at index 5, without its id."""
    day = entry.day.isoformat()
    return StoredEntry(
        log_index=5,
        id="",
        day=day,
        kind=entry.kind,
        description=entry.description,
        external_id=entry.external_id,
        member_key=None,
        reverses=entry.reverses,
        of=entry.of,
        true_day=None,
        foreign=None,
        postings=tuple(StoredPosting(5, p.account, p.fund, p.cents, day) for p in entry.postings),
    )


def parse(row: StoredEntry) -> JournalEntry:
    """Return the value of a row."""
    return JournalEntry(
        date.fromisoformat(row.day), EntryKind(row.kind), row.description, row.parsed_postings()
    )


def logged(row: StoredEntry) -> tuple[StoredEntry, bytes, bytes]:
    """Return the row with its id, and hash and bytes of its leaf."""
    body = canonical.encode(row.leaf(SALT))
    digest = leaf_hash(body)
    return row._replace(id=entry_id(digest)), digest, body


@pytest.mark.parametrize("changes", [{"cents": 0}, {"account": "nowhere"}, {"fund": "party"}])
def test_one_wrong_posting_is_not_sound(changes: dict[str, Any]) -> None:
    """The row passes until one posting has no amount, or an unknown account or fund."""
    row = stored(ENTRY)
    first, second = row.postings

    assert row.is_sound()
    assert not row._replace(postings=(first._replace(**changes), second)).is_sound()
    assert not row._replace(day="2026-02-30").is_sound()


def test_a_description_that_no_leaf_can_hold_was_not_logged() -> None:
    """Leaves are in NFC."""
    row, digest, body = logged(stored(ENTRY))

    assert row.is_logged(digest, body)
    assert not row._replace(description="e\u0301").is_logged(digest, body)


@given(entry=strategies.entries())
def test_an_entry_of_the_books_has_no_findings(entry: JournalEntry) -> None:
    """Its row is sound, and its leaf has the bytes that the row implies."""
    row, digest, body = logged(stored(entry))

    assert row.is_sound()
    assert row.is_logged(digest, body)
    assert [] == [*check_entry_columns(5, (digest, body), row), *check_entry(row)]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cents", 0),
        ("cents", CENTS_MAX + 1),
        ("cents", 1.5),
        ("cents", 7),
        ("account", "nowhere"),
        ("fund", "party"),
    ],
)
@given(entry=strategies.entries())
def test_a_malformed_posting_is_not_sound(field: str, value: Any, entry: JournalEntry) -> None:
    """What the cheap check refuses cannot be parsed either."""
    row = stored(entry)
    first, *others = row.postings
    changed = row._replace(postings=(first._replace(**{field: value}), *others))
    if changed == row:
        return

    assert not changed.is_sound()
    with pytest.raises((ValueError, InvalidInput)):
        parse(changed)


@pytest.mark.parametrize("changes", [{"kind": "x"}, {"day": "2026-02-30"}, {"postings": ()}])
@given(entry=strategies.entries())
def test_an_unknown_kind_or_day_is_not_sound(changes: dict[str, Any], entry: JournalEntry) -> None:
    """Nor an entry without postings."""
    row = stored(entry)._replace(**changes)

    assert not row.is_sound()
    with pytest.raises((ValueError, InvalidInput)):
        parse(row)


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "e\u0301"},  # not in NFC, which no leaf can hold
        {"description": '"postings":[]'},
        {"kind": "x"},
        {"external_id": "another"},
        {"id": "x"},
    ],
)
@given(entry=strategies.entries())
def test_a_changed_row_is_not_what_was_logged(changes: dict[str, Any], entry: JournalEntry) -> None:
    """The bytes differ, or cannot be made, and the difference is named."""
    row, digest, body = logged(stored(entry))
    changed = row._replace(**changes)

    assert not changed.is_logged(digest, body)
    assert list(check_entry_columns(5, (digest, body), changed))


@given(entry=strategies.entries())
def test_a_description_cannot_pretend_to_be_the_postings(entry: JournalEntry) -> None:
    """Quotes within a text are escaped."""
    row, digest, body = logged(stored(entry)._replace(description='"postings":[] "salt":"00","t":'))

    assert row.is_logged(digest, body)
