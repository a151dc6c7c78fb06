"""The log's signer: its state, and the signed notes."""

from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import Conflict, InvalidInput, Unavailable
from jara.domain.publiclog.notes import Checkpoint, parse_checkpoint
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerStanding
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.log_keys import verification_key
from jara.services.publiclog.witnesses import Standing, read_standing
from jara.store.store import CLOSED
from jara.store.unit_of_work import UnitOfWork


class Position(StrEnum):
    """The signer's state relative to the log of the database."""

    NEW = "new"
    IN_STEP = "in_step"
    BEHIND = "behind"
    AHEAD = "ahead"
    FORKED = "forked"
    MISSING = "missing"

    @property
    def is_well(self) -> bool:
        """Whether the signer signs this log."""
        return self in {Position.NEW, Position.IN_STEP, Position.BEHIND}


class LogStatus(NamedTuple):
    """The log's size, how far its key has signed it, and who has seen it."""

    position: Position
    signer: SignerStanding
    size: int
    standing: Standing


def read_signer(context: Context, work: UnitOfWork) -> tuple[Position, SignerStanding]:
    """Compare the signer's state with the log."""
    standing, size = context.vault.log_signer().standing(work.log), work.log.size()
    if standing.seen is None:
        return (Position.MISSING if standing.is_expected else Position.NEW), standing
    if standing.seen.size > size:
        return Position.AHEAD, standing
    if not standing.contained:
        return Position.FORKED, standing
    return (Position.IN_STEP if standing.seen.size == size else Position.BEHIND), standing


def show_log_status(context: Context) -> LogStatus:
    """Return the size of the log, its signer's state and its witnesses."""
    with context.store.read() as work:
        # Read the signer first: a vote cast in between would make it seem ahead of the log.
        position, signer = read_signer(context, work)
        return LogStatus(position, signer, work.log.size(), read_standing(work))


def describe_signer(position: Position, standing: SignerStanding, size: int) -> str:
    """Return a sentence about the signer of a log of that size."""
    signed = 0 if standing.seen is None else standing.seen.size
    return {
        Position.NEW: "The log's key has not signed yet.",
        Position.IN_STEP: f"The signer has signed the log of {size:,} leaves.",
        Position.BEHIND: f"The signer has signed {signed:,} of {size:,} leaves, of the same log.",
        Position.AHEAD: (
            f"The signer has signed a log of {signed:,} leaves, and this database has {size:,}: it "
            "was restored to an older state. Restore the newest backup; nothing is signed until "
            "then."
        ),
        Position.FORKED: (
            f"The signer has signed a different log of {signed:,} leaves; this database has "
            f"{size:,}. Nothing is signed."
        ),
        Position.MISSING: (
            f"The signer's state {standing.place} is missing or damaged: set JARA_SIGNER_DIR to "
            "its folder, or jara proofs signer reset --checkpoint FILE"
        ),
    }[position]


def reset_signer(context: Context, text: str) -> Seen:
    """Recreate the signer's missing state, and return it.

    `text` is the newest checkpoint that others hold; of several notes the last counts.

    Raises:
        Conflict: there is a state, or the log does not contain the checkpoint.
        InvalidInput: it is not a checkpoint of this log.
    """
    with context.store.write() as work:
        position, standing = read_signer(context, work)
        if standing.seen is not None:
            raise Conflict(
                f"The signer has a state: {describe_signer(position, standing, work.log.size())} "
                "Nothing was changed."
            )
        checkpoint = _own_checkpoint(context, text)
        if checkpoint.size > work.log.size():
            raise Conflict(
                f"The checkpoint has {checkpoint.size:,} leaves and this log {work.log.size():,}; "
                "restore a newer backup."
            )
        if work.log.root(checkpoint.size) != checkpoint.root:
            raise Conflict(f"This log had another root at {checkpoint.size:,} leaves.")
        seen = Seen(work.log.size(), work.log.root())
        facts = {"size": seen.size, "root": seen.root.hex()}
        record_act(context, work, "proofs.signer-reset", str(checkpoint.size), facts=facts)
    context.vault.log_signer().adopt(seen)
    return seen


def _own_checkpoint(context: Context, text: str) -> Checkpoint:
    key = verification_key(context)
    checkpoint = parse_checkpoint("\n\n".join(text.split("\n\n")[-2:]))
    if not checkpoint.is_signed_by(key, context.vault.verifies):
        raise InvalidInput("The checkpoint is not signed by this log's key.")
    return checkpoint


class CommittedLog:
    """The committed log, read outside of transactions."""

    def __init__(self, context: Context) -> None:
        """Read a context's log."""
        self._context = context

    def size(self) -> int:
        """Return the number of leaves."""
        return self._context.store.read_once().log.size()

    def root(self, size: int | None = None) -> bytes:
        """Return the root now, or as it was at a size."""
        return self._context.store.read_once().log.root(size)

    def consistency(self, first: int, second: int) -> list[bytes]:
        """Return the proof that the first tree is a prefix of the second."""
        return self._context.store.read_once().log.consistency(first, second)


def sign_size(context: Context, work: UnitOfWork, size: int) -> str:
    """Return a signed checkpoint of the log at a size; its leaves must be committed.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    return context.vault.log_signer().sign(Seen(size, work.log.root(size)), work.log)


def sign_newest(context: Context) -> tuple[Seen, str]:
    """Return the size and root of the committed log, and its signed checkpoint.

    Call this before a transaction that reads the log: then the log in the transaction is never
    older than what another process has signed.

    A closed database signs nothing: its newest checkpoint is returned.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    with context.store.read() as work:
        if work.meta.get(CLOSED) is not None:
            return _newest_signed(work)
        seen = Seen(work.log.size(), work.log.root())
    return seen, context.vault.log_signer().sign(seen, CommittedLog(context))


def _newest_signed(work: UnitOfWork) -> tuple[Seen, str]:
    checkpoints = work.log.checkpoints()
    if not checkpoints:
        raise Unavailable("This log has no checkpoint, and a closed database signs none.")
    newest = checkpoints[-1]
    return Seen(newest.size, newest.root), newest.note
