"""Receipts as promises: the ballot will be in the log at the latest at a given time.

A ballot of an open vote is in no log, so its receipt cannot prove that it is listed. Instead a
key that the log names promises it, as certificate transparency does (RFC 6962 §3, the signed
certificate timestamp). After that time a receipt whose ballot is neither listed nor dropped
proves that the organisation broke its promise.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import instant_text

LISTED_WITHIN = timedelta(days=1)
"""How long after the end of a vote its ballots are listed at the latest."""


def promise_bytes(proposal: str, leaf: str, listed_by: datetime) -> bytes:
    """Return the bytes that the promise key signs.

    Args:
        proposal: the id of the proposal.
        leaf: the hash of the ballot's leaf, in hex.
        listed_by: the instant at which the log contains the ballot at the latest.
    """
    return canonical.encode(
        {
            "leaf": leaf,
            "listed_by": instant_text(listed_by),
            "proposal": proposal,
            "t": "jara/v1/promise",
        }
    )
