"""Rows of entries: the cheap checks agree with the ones that name the fault."""

from __future__ import annotations

from collections.abc import Sequence
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
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import entry_id
from jara.domain.publiclog.merkle import leaf_hash
from tests import strategies

SALT = "00" * 16
POSTINGS = (Posting("assets:bank", Fund.STAFF, -500), Posting("expenses:staff", Fund.STAFF, 500))
ENTRY = JournalEntry(date(2026, 11, 20), EntryKind.MANUAL, "Stamps", POSTINGS)


def rows_of(entry: JournalEntry) -> list[StoredPosting]:
    """Return the rows of the postings of an entry at index 5."""
    day = entry.day.isoformat()
    return [StoredPosting(5, p.account, p.fund, p.cents, day) for p in entry.postings]


def stored(entry: JournalEntry) -> StoredEntry:
    """Return the row of an entry at index 5, without its id."""
    postings = [[p.account, p.fund, p.cents] for p in entry.postings]
    return StoredEntry(
        log_index=5,
        id="",
        day=entry.day.isoformat(),
        kind=entry.kind,
        description=entry.description,
        external_id=entry.external_id,
        member_key=None,
        reverses=entry.reverses,
        of=entry.of,
        true_day=None,
        foreign=None,
        postings=canonical.encode(postings).decode()[1:-1],
        is_of_its_day=True,
    )


def logged(
    row: StoredEntry, postings: Sequence[StoredPosting]
) -> tuple[StoredEntry, tuple[bytes, bytes]]:
    """Return the row with its id, and hash and bytes of its leaf."""
    body = canonical.encode(row.leaf(SALT, postings))
    digest = leaf_hash(body)
    return row._replace(id=entry_id(digest)), (digest, body)


@given(entry=strategies.entries())
def test_an_entry_of_the_books_has_no_findings(entry: JournalEntry) -> None:
    """The leaf of a valid entry has the bytes that its row implies."""
    postings = rows_of(entry)
    row, leaf = logged(stored(entry), postings)

    assert row.is_logged(*leaf)
    assert [*check_entry_columns(5, leaf, row, postings), *check_entry(row.id, postings)] == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cents", 0),
        ("cents", CENTS_MAX + 1),
        ("cents", 7),
        ("account", "nowhere"),
        ("fund", "party"),
    ],
)
@given(entry=strategies.entries())
def test_a_wrong_posting_is_found(field: str, value: Any, entry: JournalEntry) -> None:
    """A missing amount, an unbalanced entry, and an unknown account or fund are found."""
    first, *others = rows_of(entry)
    changed = first._replace(**{field: value})

    assert changed == first or list(check_entry("an entry", [changed, *others]))


def test_an_entry_has_two_postings() -> None:
    """No postings and one posting are both findings."""
    first, _ = rows_of(ENTRY)

    assert len(list(check_entry("an entry", []))) == 1
    assert len(list(check_entry("an entry", [first]))) == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "e\u0301"},  # not in NFC, which no leaf can hold
        {"description": '"postings":[]'},
        {"kind": "x"},
        {"external_id": "another"},
        {"id": "x"},
        {"is_of_its_day": False},
    ],
)
@given(entry=strategies.entries())
def test_a_changed_row_is_not_what_was_logged(changes: dict[str, Any], entry: JournalEntry) -> None:
    """The finding names the difference, or says that the bytes cannot be made."""
    postings = rows_of(entry)
    row, leaf = logged(stored(entry), postings)
    changed = row._replace(**changes)

    assert not changed.is_logged(*leaf)
    assert list(check_entry_columns(5, leaf, changed, postings))


@given(entry=strategies.entries())
def test_a_changed_posting_is_not_what_was_logged(entry: JournalEntry) -> None:
    """A cent more in the row than in the leaf is named."""
    first, *others = rows_of(entry)
    row, leaf = logged(stored(entry), [first, *others])
    changed = [first._replace(cents=first.cents + 1), *others]

    assert not row._replace(postings=row.postings.replace(str(first.cents), "1.5")).is_logged(*leaf)
    assert list(check_entry_columns(5, leaf, row._replace(postings=""), changed))


@pytest.mark.parametrize(
    "account",
    ['x","staff",5],' + "[" * 100_000, 'x","staff","5"],["y', 'x",["staff"],5],["y', 'x"'],
)
def test_an_account_with_quotes_has_no_nets(account: str) -> None:
    """Quotes in an account name corrupt the text of the postings, so computing the nets fails."""
    row = stored(ENTRY)._replace(postings=f'["{account}","staff",1]')

    with pytest.raises(ValueError, match=r"postings|delimiter|unpack"):
        _ = row.nets


@given(entry=strategies.entries())
def test_a_stored_entry_moves_what_its_entry_moves(entry: JournalEntry) -> None:
    """The trace of the rows is the trace of the entries."""
    assert entry.nets == stored(entry).nets


@given(entry=strategies.entries())
def test_a_description_cannot_pretend_to_be_the_postings(entry: JournalEntry) -> None:
    """Quotes within a description are escaped."""
    text = '"postings":[] "salt":"00","t":'
    row, leaf = logged(stored(entry)._replace(description=text), rows_of(entry))

    assert row.is_logged(*leaf)
