"""The decision of a witness, and the quorum of witnesses.

A witness signs a checkpoint only if the log signed it and it extends the last one that the
witness signed (C2SP 'tlog-witness').
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.cosignatures import AddCheckpoint
from jara.domain.publiclog.merkle import EMPTY_ROOT, verify_consistency
from jara.domain.publiclog.notes import Checkpoint, VerificationKey, Verifies


class Refusal(Enum):
    """The reason why a witness does not sign; each value is a sentence."""

    UNKNOWN_LOG = "This witness does not know the log."
    NOT_SIGNED = "The checkpoint has no signature of the log's known key."
    MALFORMED = "The old size is larger than the checkpoint's."
    OTHER_SIZE = "This witness signed another size last."
    OTHER_ROOT = "This witness signed another root of the same size."
    NO_PROOF = "The checkpoint is not proven to continue what this witness signed last."


class Seen(NamedTuple):
    """The size and root that a witness signed last for a log."""

    size: int = 0
    root: bytes = EMPTY_ROOT

    def is_forked_by(self, checkpoint: Checkpoint) -> bool:
        """Return whether a checkpoint has the same size but another root."""
        return checkpoint.size == self.size and checkpoint.root != self.root


def judge(
    request: AddCheckpoint,
    checkpoint: Checkpoint,
    *,
    keys: Iterable[VerificationKey],
    seen: Seen,
    verifies: Verifies,
) -> Refusal | None:
    """Return why a witness must not sign a checkpoint, or None if it may.

    Args:
        keys: the keys that the witness trusts for the checkpoint's origin.
        seen: the last checkpoint it signed for this origin.
    """
    known = tuple(keys)
    if not known:
        return Refusal.UNKNOWN_LOG
    if not any(checkpoint.is_signed_by(key, verifies) for key in known):
        return Refusal.NOT_SIGNED
    if request.old > checkpoint.size:
        return Refusal.MALFORMED
    if request.old != seen.size:
        return Refusal.OTHER_SIZE
    if seen.is_forked_by(checkpoint):
        return Refusal.OTHER_ROOT
    if not verify_consistency(
        seen.size, checkpoint.size, seen.root, checkpoint.root, request.proof
    ):
        return Refusal.NO_PROOF
    return None


def default_quorum(witnesses: int) -> int:
    """Return how many witnesses must sign, so that liars among them cannot hide a fork.

    Two histories could each get ``k`` cosignatures only if ``2k`` is at most the number of
    witnesses plus the number of liars, since only a liar signs both. So ``k`` is more than half
    of that sum, assuming that under a third of the witnesses lie, but at least one.
    """
    liars = max(1, (witnesses - 1) // 3)
    return min(witnesses, (witnesses + liars) // 2 + 1)


def tolerated_liars(witnesses: int, quorum: int) -> int:
    """Return the most liars for which two histories cannot both reach the quorum."""
    return max(0, 2 * quorum - witnesses - 1)


def require_witness_url(text: str) -> str:
    """Return the URL of a witness without a trailing slash.

    Raises:
        InvalidInput: it is not a plain URL with https, or http on this machine.
    """
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or text != text.strip() or parts.username is not None:
        raise InvalidInput(f"'{text}' is not an address such as https://witness.example/w1.")
    allowed = parts.scheme == "https" or (parts.scheme == "http" and _is_this_machine(host))
    if not allowed or parts.query or parts.fragment:
        raise InvalidInput(
            f"'{text}' is not the address of a witness: https://, or http:// on this machine only."
        )
    return text.rstrip("/")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
