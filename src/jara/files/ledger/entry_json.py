"""The books as JSON: a list with one document for each entry."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TextIO

from jara.domain.books.journal import PostedEntry
from jara.files.ledger.journal import IdOf


def entry_document(posted: PostedEntry, id_of: IdOf) -> dict[str, object]:
    """Return an entry as a document: camelCase, cents, ISO dates.

    Like the public leaf, it leaves out external ids, contributors' keys and an operator's
    own words.
    """
    entry = posted.entry
    document: dict[str, object] = {
        "id": posted.id,
        "index": posted.index,
        "bookedAt": posted.booked_at.isoformat().replace("+00:00", "Z"),
        "date": entry.day.isoformat(),
        "kind": str(entry.kind),
        "description": entry.description,
        "reference": entry.reference,
        "source": entry.source,
        "postings": [
            {"account": p.account, "fund": str(p.fund), "cents": p.cents} for p in entry.postings
        ],
    }
    if entry.reverses is not None:
        document["reverses"] = id_of(entry.reverses)
    if entry.of is not None:
        document["of"] = id_of(entry.of)
    if entry.true_day is not None:
        document["trueDate"] = entry.true_day.isoformat()
    if entry.foreign is not None:
        foreign = entry.foreign
        document["foreign"] = {
            "currency": foreign.currency,
            "amountMinor": foreign.amount_minor,
            "rate": foreign.rate,
            **({} if foreign.receipt is None else {"receipt": foreign.receipt}),
        }
    return document


def write_entries_json(entries: Iterable[PostedEntry], out: TextIO, id_of: IdOf) -> None:
    """Write entries as a JSON list, one document per line, in bounded memory."""
    separator = "[\n"
    for posted in entries:
        out.write(separator + json.dumps(entry_document(posted, id_of), ensure_ascii=False))
        separator = ",\n"
    out.write("[]\n" if separator == "[\n" else "\n]\n")
