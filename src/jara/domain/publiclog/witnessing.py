"""Witnesses of a log: their cosignatures, what they refuse, and their quorum.

The formats are C2SP 'tlog-cosignature' v1 and 'tlog-witness'. A witness signs a checkpoint
together with the current time, and only if the log signed it and it extends the last one that the
witness signed. The caller signs and verifies with Ed25519.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from enum import Enum
from ipaddress import ip_address
from typing import ClassVar, NamedTuple
from urllib.parse import urlsplit

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.merkle import EMPTY_ROOT, verify_consistency
from jara.domain.publiclog.notes import (
    Checkpoint,
    MalformedNote,
    NoteSignature,
    VerificationKey,
    Verifies,
    signature_line,
)

PROOF_LINES_MAX = 63
"""The maximum number of hashes in a consistency proof."""

TIME_MAX = 2**63 - 1
"""The latest time of a cosignature, in seconds since 1970."""

_TIME_BYTES = 8
_ED25519_BYTES = 64
_HASH_BYTES = 32
_OLD = re.compile(r"old (0|[1-9][0-9]{0,15})", re.ASCII)


class CosignerKey(VerificationKey):
    """The public half of a witness's key; its published form has the signature type 0x04."""

    __slots__ = ()
    ALGORITHM: ClassVar[bytes] = b"\x04"


class AddCheckpoint(NamedTuple):
    """A request for a cosignature."""

    old: int  # the size that the witness signed last; 0 if none
    proof: tuple[bytes, ...]  # the consistency proof from that size to the checkpoint's
    note: str  # the signed checkpoint

    def text(self) -> str:
        """Return the request's body."""
        lines = [f"old {self.old}", *(b64encode(step).decode("ascii") for step in self.proof)]
        return "".join(f"{line}\n" for line in lines) + f"\n{self.note}"


def parse_add_checkpoint(body: str) -> AddCheckpoint:
    """Parse a request for a cosignature; its note is parsed by `parse_checkpoint`.

    Raises:
        MalformedNote: it is not in the exact format.
    """
    head, empty_line, note = body.partition("\n\n")
    first, *steps = head.split("\n")
    old = _OLD.fullmatch(first)
    if old is None or not empty_line or len(steps) > PROOF_LINES_MAX:
        raise MalformedNote("A request has a line 'old N', up to 63 hashes, and a checkpoint.")
    return AddCheckpoint(int(old[1]), tuple(_hash(step) for step in steps), note)


def cosignature_message(text: str, time: int) -> bytes:
    """Return the message a witness signs: two lines, then the checkpoint's text.

    Raises:
        MalformedNote: the time is negative or too late for the format.
    """
    if not 0 <= time <= TIME_MAX:
        raise MalformedNote(f"{time} is not the time of a cosignature.")
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosign(text: str, time: int, *, key: CosignerKey, sign: Callable[[bytes], bytes]) -> str:
    """Return a witness's signature line for a checkpoint.

    `text` is the checkpoint's, without its signatures; `time` is now, in seconds since 1970; `sign`
    makes the Ed25519 signature of a message.
    """
    made = sign(cosignature_message(text, time))
    return signature_line(key, time.to_bytes(_TIME_BYTES, "big") + made)


def cosigned_at(
    text: str, signatures: Iterable[NoteSignature], *, key: CosignerKey, verifies: Verifies
) -> int | None:
    """Return when a witness signed a checkpoint, in seconds since 1970, or None.

    Signatures by other keys are ignored. One invalid signature by this key invalidates the rest.
    `text` is the checkpoint's, without signatures; these are from the note or the witness's
    response. The witness's key is from a trusted source.
    """
    times = []
    for one in signatures:
        if (one.name, one.key_id) != (key.name, key.key_id):
            continue
        time = int.from_bytes(one.signature[:_TIME_BYTES], "big")
        if len(one.signature) != _TIME_BYTES + _ED25519_BYTES or time > TIME_MAX:
            return None
        message = cosignature_message(text, time)
        if not verifies(key.public_key, message, one.signature[_TIME_BYTES:]):
            return None
        times.append(time)
    return max(times, default=None)


def _hash(line: str) -> bytes:
    try:
        step = b64decode(line, validate=True)
    except ValueError:
        step = b""
    if len(step) != _HASH_BYTES or b64encode(step).decode("ascii") != line:
        raise MalformedNote(f"'{line}' is not a hash in base64.")
    return step


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

    `keys` are those that the witness trusts for the checkpoint's origin, and `seen` is the last
    checkpoint it signed for this origin.
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
