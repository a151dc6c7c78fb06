"""Cosignatures of witnesses, in the C2SP formats 'tlog-cosignature' v1 and 'tlog-witness'.

A witness signs a checkpoint together with the current time, and only if the log extends the
last checkpoint it signed. The caller signs and verifies with Ed25519.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from jara.domain.publiclog.notes import (
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
    """A request for a cosignature.

    Args:
        old: the size that the witness signed last; 0 if none.
        proof: the consistency proof from that size to the checkpoint's.
        note: the signed checkpoint.
    """

    old: int
    proof: tuple[bytes, ...]
    note: str

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

    Args:
        text: the checkpoint's text, without its signatures.
        time: now, in seconds since 1970.
        sign: makes the Ed25519 signature of a message.
    """
    made = sign(cosignature_message(text, time))
    return signature_line(key, time.to_bytes(_TIME_BYTES, "big") + made)


def cosigned_at(
    text: str, signatures: Iterable[NoteSignature], *, key: CosignerKey, verifies: Verifies
) -> int | None:
    """Return when a witness signed a checkpoint, in seconds since 1970, or None.

    Signatures by other keys are ignored. One invalid signature by this key invalidates the rest.

    Args:
        text: the checkpoint's text, without its signatures.
        signatures: the signatures of the note or of the witness's response.
        key: the witness's key, from a trusted source.
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
