"""Valid entries in the operators' format."""

from datetime import date
from typing import Any

from jara.domain.books.journal import JournalEntry
from jara.services.books.entry_documents import read_entry

TODAY = date(2026, 11, 20)


def a_document(**changes: object) -> dict[str, Any]:
    """Return a valid entry in the operators' format."""
    return {
        "date": "2026-11-19",
        "kind": "expense",
        "description": "Domain name",
        "postings": [
            {"account": "expenses:operations", "fund": "other", "amount": "12.50"},
            {"account": "assets:bank", "fund": "other", "amount": "-12.50"},
        ],
    } | changes


def an_entry(**changes: object) -> JournalEntry:
    """Return that entry."""
    return read_entry(a_document(**changes), today=TODAY)


def with_posting(**changes: object) -> dict[str, object]:
    """Return the changed postings of a document."""
    second = {"account": "assets:bank", "fund": "other", "amount": "-12.50"}
    first = {"account": "expenses:operations", "fund": "other", "amount": "12.50"}
    return {"postings": [first | changes, second]}
