"""Columns and file reading shared by the commands about proposals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jara.documents import to_document
from jara.domain.errors import InvalidInput
from jara.files.content_files import FILE_BYTES_MAX, read_content
from jara.records.voting import ProposalRecord
from jara.services.proposals.views import name_proposal
from jara_cli.columns import Column, Kind
from jara_cli.inputs import open_input
from jara_cli.output import emit

LIST = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("slug", "Slug"),
    Column("title", "Title", rank=2),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("fundingGoalCents", "Goal", Kind.CENTS),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
    Column("roll", "Roll", Kind.COUNT),
]
CARD = [
    Column("id", "Id"),
    Column("slug", "Slug"),
    Column("title", "Title"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("country", "Country"),
    Column("category", "Category"),
    Column("fundingGoalCents", "Goal", Kind.CENTS),
    Column("summary", "Summary"),
    Column("upvotePercentage", "Yes", Kind.PERCENT),
    Column("downvotePercentage", "No", Kind.PERCENT),
    Column("votes", "Votes", Kind.COUNT),
    Column("result", "Result"),
]
_NAMED = [
    Column("id", "Id"),
    Column("slug", "Slug"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
]


def rounded_shares(counts: Mapping[str, Any]) -> dict[str, str]:
    """Return the shares of a count rounded for reading; scripts get the floored ones of the API."""
    roll = max(counts["roll"], 1)
    return {
        "upvotePercentage": f"{100 * counts['yes'] / roll:.1f}",
        "downvotePercentage": f"{100 * counts['no'] / roll:.1f}",
    }


def read_documents_of(source: str) -> list[dict[str, Any]]:
    """Read the proposals of a file; ``-`` is standard input."""
    with open_input(source) as stream:
        return read_content(stream.read(FILE_BYTES_MAX + 1), source)


def read_one_document(source: str) -> dict[str, Any]:
    """Read the one proposal of a file.

    Raises:
        InvalidInput: it contains none, or several.
    """
    documents = read_documents_of(source)
    if len(documents) != 1:
        raise InvalidInput(f"{source} contains {len(documents)} proposals; this command takes one.")
    return documents[0]


def emit_record(record: ProposalRecord, *, as_json: bool) -> None:
    """Show a proposal's id, slug and status."""
    emit(to_document(name_proposal(record)), as_json=as_json, columns=_NAMED)
