"""The canonical text of a proposal, hashed for the public log."""

from __future__ import annotations

import unicodedata

from jara.domain.publiclog import canonical
from jara.domain.voting.proposal import Proposal, Submitter


def content_bytes(proposal: Proposal) -> bytes:
    """Return the canonical bytes of a proposal's text; the public log holds their hash."""
    return canonical.encode(content_document(proposal))


def content_document(proposal: Proposal) -> dict[str, object]:
    """Return a proposal's text as a document for canonical JSON.

    It contains only NFC strings, integers, lists and dictionaries.
    """
    return {
        "budget": [
            {"amount_cents": line.amount_cents, "description": _nfc(line.description)}
            for line in proposal.budget
        ],
        "category": str(proposal.category),
        "country": _nfc(proposal.country),
        "country_code": proposal.country_code,
        "ends": proposal.ends_text,
        "goal_cents": proposal.goal_cents,
        "implementation_html": _nfc(proposal.implementation_html),
        "metrics": [_nfc(metric) for metric in proposal.metrics],
        "proposal": proposal.id,
        "story_html": _nfc(proposal.story_html),
        "submitters": [_submitter_document(submitter) for submitter in proposal.submitters],
        "summary": _nfc(proposal.summary),
        "title": _nfc(proposal.title),
    }


def _submitter_document(submitter: Submitter) -> dict[str, object]:
    document: dict[str, object] = {
        "image": _nfc(submitter.image),
        "linkedin_url": _nfc(submitter.linkedin_url),
    }
    if submitter.name is not None:
        document["name"] = _nfc(submitter.name)
    return document


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
