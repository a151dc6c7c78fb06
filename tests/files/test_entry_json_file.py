"""The books as JSON documents in the style of the HTTP API."""

import io
import json
from typing import Any

from jara.domain.books.journal import JournalEntry
from jara.files.ledger.file_entry import write_entries_json
from tests.files.posted_samples import ABROAD, HISTORY, odd_history, posted, posted_id


def documents(entries: list[JournalEntry]) -> Any:
    """Return the documents of entries, parsed again."""
    out = io.StringIO()
    write_entries_json(posted(entries), out, posted_id)
    return json.loads(out.getvalue())


def test_entry_is_exactly_this_document() -> None:
    """Keys are camelCase, money is cents, links are ids."""
    assert documents(list(HISTORY))[1] == {
        "id": posted_id(1),
        "index": 1,
        "bookedAt": "2026-03-02T08:30:00Z",
        "date": "2026-02-27",
        "kind": "disbursement",
        "description": "Disbursement: wells-of-x",
        "reference": "wells-of-x",
        "source": "operator",
        "postings": [
            {"account": "expenses:projects:wells-of-x", "fund": "projects", "cents": 40000},
            {"account": "assets:bank", "fund": "projects", "cents": -40000},
        ],
        "trueDate": "2025-12-30",
        "foreign": {"currency": "KES", "amountMinor": 5160000, "rate": "129.00"},
    }


def test_links_are_ids_and_private_words_stay_out() -> None:
    """Refunds and reversals have the id of their entry; keys and notes are not exported."""
    found = documents(list(HISTORY))

    assert (posted_id(0), posted_id(1)) == (found[2]["of"], found[3]["reverses"])
    assert not {"memberKey", "externalId", "note"} & set(found[0])


def test_any_words_and_no_entries_are_valid_json() -> None:
    """Unusual texts are read back unchanged; no entries give an empty list."""
    assert [e.description for e in odd_history()] == [
        document["description"] for document in documents(odd_history())
    ]
    assert documents([]) == []


def test_a_payment_abroad_has_its_receipt() -> None:
    """The receipt is exported; the rate's source, which an operator wrote, is not."""
    (document,) = documents([ABROAD])

    expected = {"currency": "KES", "amountMinor": 5160000, "rate": "129.00", "receipt": "ab" * 32}
    assert document["foreign"] == expected
