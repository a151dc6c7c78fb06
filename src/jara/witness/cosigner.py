"""A witness: takes requests for cosignatures, and signs what continues each log."""

from functools import cached_property
from http import HTTPStatus
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.notes import Checkpoint, parse_checkpoint
from jara.domain.publiclog.witnessing import (
    CosignerKey,
    Refusal,
    Seen,
    cosign,
    judge,
    parse_add_checkpoint,
)
from jara.services.ports.outside import Clock, WitnessAnswer
from jara.witness.folder import WitnessedLog, WitnessFolder

SIZE_TYPE = "text/x.tlog.size"
TEXT_TYPE = "text/plain; charset=utf-8"

REQUEST_BYTES_MAX = 64 * 1024
"""The body limit, above 63 hashes and a checkpoint with many signatures."""

_STATUSES = {
    Refusal.MALFORMED: 400,
    Refusal.NOT_SIGNED: 403,
    Refusal.UNKNOWN_LOG: 404,
    Refusal.OTHER_SIZE: 409,
    Refusal.OTHER_ROOT: 422,
    Refusal.NO_PROOF: 422,
}
"""The answers of C2SP 'tlog-witness'."""


class Signed(NamedTuple):
    """The line that the witness signed."""

    line: str

    @property
    def answer(self) -> WitnessAnswer:
        """The status, body and media type of the answer."""
        return WitnessAnswer(HTTPStatus.OK, self.line, TEXT_TYPE)


class Refused(NamedTuple):
    """Why the witness did not sign, and the size that it signed last."""

    why: Refusal
    message: str
    size: int = 0

    @property
    def answer(self) -> WitnessAnswer:
        """The status, body and media type of the answer."""
        status = _STATUSES[self.why]
        if status == HTTPStatus.CONFLICT:
            return WitnessAnswer(status, f"{self.size}\n", SIZE_TYPE)
        return WitnessAnswer(status, f"{self.message}\n", TEXT_TYPE)


class Cosigner:
    """Signs checkpoints of the logs that it follows."""

    def __init__(self, folder: WitnessFolder, clock: Clock) -> None:
        self.folder = folder
        self._clock = clock

    @cached_property
    def key(self) -> CosignerKey:
        """The public key."""
        return self.folder.key()

    def add_checkpoint(self, body: bytes) -> Signed | Refused:
        """Sign a checkpoint, after noting it durably, or say why not.

        Raises:
            Unavailable: the state is busy or damaged; nothing was signed.
        """
        try:
            request = parse_add_checkpoint(body.decode())
            checkpoint = parse_checkpoint(request.note, extended=True)
        except (InvalidInput, UnicodeDecodeError) as error:
            return Refused(Refusal.MALFORMED, str(error))
        now = self._clock.now()
        with self.folder.transaction() as state:
            log = state.log(checkpoint.origin)
            keys, seen = ((), Seen()) if log is None else (log.keys, log.seen)
            why = judge(request, checkpoint, keys=keys, seen=seen, verifies=_verifies)
            if log is not None and why is not None and _proves_fork(log, why, checkpoint):
                state.note_refused(log, Refusal.OTHER_ROOT.name, request.note, now)
            if why is None:
                new = Seen(checkpoint.size, checkpoint.root)
                state.note_seen(checkpoint.origin, new, request.note, now)
        if why is not None:
            return Refused(why, why.value, seen.size)
        # The state is on disk now. A witness that is killed here signs nothing; the log asks
        # again, learns the size, and then gets the signature.
        time = int(now.timestamp())
        return Signed(cosign(checkpoint.text(), time, key=self.key, sign=self.folder.sign))


def _proves_fork(log: WitnessedLog, why: Refusal, checkpoint: Checkpoint) -> bool:
    """Return whether the log signed two roots of one size.

    Nothing else is stored: anybody can send the log's public checkpoint with a wrong proof.
    """
    signed_both = why is not Refusal.NOT_SIGNED and bool(log.note)
    return signed_both and log.seen.is_forked_by(checkpoint)


def _verifies(key: bytes, message: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
