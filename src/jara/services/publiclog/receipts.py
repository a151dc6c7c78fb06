"""Voters' receipts, which anyone can verify independently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.publiclog import ballots, canonical, merkle, notes
from jara.domain.publiclog.leaves import LeafType
from jara.domain.publiclog.notes import Checkpoint
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import LogLeaf
from jara.services.context import Context
from jara.services.log_keys import key_chain
from jara.services.publiclog.signer import CommittedLog
from jara.services.publiclog.witnesses import newest_cosigned
from jara.store.unit_of_work import UnitOfWork

_HASH_BYTES = 32


@dataclass(frozen=True, slots=True)
class Receipt:
    """A voter's receipt: the ballot, and the proof that it is in the log.

    Args:
        leaf: the leaf hash in hex.
        leaf_bytes: the leaf's exact JSON text.
        index: its place in the log.
        size: the size of the log right after it.
        root: the root of the log of that size, in hex.
        proof: the hashes that lead from the leaf to the root, in hex.
        checkpoint: the signed note of exactly that size.
        nonce: the voter's random number, in hex.
        tracker: the ballot's short name.
        cosigned: the newest checkpoint that witnesses had cosigned by then; receipts without
            witnesses, and older ones, have none.
    """

    leaf: str
    leaf_bytes: str
    index: int
    size: int
    root: str
    proof: tuple[str, ...]
    checkpoint: str
    nonce: str
    tracker: str
    cosigned: str | None = None

    def document(self) -> dict[str, Any]:
        """Return the receipt as a JSON document."""
        cosigned = {} if self.cosigned is None else {"cosigned": self.cosigned}
        return {
            "leaf": self.leaf,
            "leafBytes": self.leaf_bytes,
            "index": self.index,
            "size": self.size,
            "root": self.root,
            "proof": list(self.proof),
            "checkpoint": self.checkpoint,
            "nonce": self.nonce,
            "tracker": self.tracker,
            **cosigned,
        }


class ProvenLeaf(NamedTuple):
    """A leaf, the log's root right after it, its inclusion proof, and the newest cosigned note."""

    leaf: LogLeaf
    root: bytes
    proof: tuple[bytes, ...]
    cosigned: str | None


class CheckedPoint(NamedTuple):
    """One check of a receipt: its name, its result and a message."""

    name: str
    ok: bool
    message: str


def sign_size(context: Context, work: UnitOfWork, size: int) -> str:
    """Return a signed checkpoint of the log at a size; its leaves must be committed.

    Raises:
        SignerRefused: the log does not contain what was signed before.
        Unavailable: the signer's state is missing or cannot be written.
    """
    return context.vault.sign_checkpoint(Seen(size, work.log.root(size)), work.log)


def append_proven(work: UnitOfWork, document: Mapping[str, object]) -> ProvenLeaf:
    """Append a leaf and return it with its inclusion proof."""
    proof = work.log.head().proof_of_next()
    leaf = work.log.append(document)
    return ProvenLeaf(leaf, work.log.root(), proof, newest_cosigned(work))


def find_proven(work: UnitOfWork, index: int) -> ProvenLeaf:
    """Return a leaf with the inclusion proof it had when it was appended."""
    size = index + 1
    proof = tuple(work.log.inclusion(index, size))
    return ProvenLeaf(work.log.leaf(index), work.log.root(size), proof, newest_cosigned(work))


def make_receipt(context: Context, ballot: ProvenLeaf, nonce: bytes) -> Receipt:
    """Return the signed receipt of a ballot; repeated receipts differ at most in `cosigned`."""
    leaf, size = ballot.leaf, ballot.leaf.index + 1
    before = merkle.Frontier(leaf.index, ballot.proof[::-1])
    log = CommittedLog(context, (before, leaf.hash))
    return Receipt(
        leaf=leaf.hash.hex(),
        leaf_bytes=leaf.body.decode("utf-8"),
        index=leaf.index,
        size=size,
        root=ballot.root.hex(),
        proof=tuple(step.hex() for step in ballot.proof),
        checkpoint=context.vault.sign_checkpoint(Seen(size, ballot.root), log, durable=False),
        nonce=nonce.hex(),
        tracker=ballots.tracker(leaf.hash),
        cosigned=ballot.cosigned,
    )


def check_receipt(context: Context, document: Mapping[str, Any]) -> list[CheckedPoint]:
    """Verify a receipt against this log.

    Raises:
        InvalidInput: the document is not a receipt.
    """
    receipt = read_receipt(document)
    body = receipt.leaf_bytes.encode("utf-8")
    digest, root = bytes.fromhex(receipt.leaf), bytes.fromhex(receipt.root)
    proof = [bytes.fromhex(step) for step in receipt.proof]
    with context.store.read() as work:
        grown = work.log.size() >= receipt.size
        here = work.log.leaf(receipt.index) if grown else None
        root_here = work.log.root(receipt.size) if grown else None
        signed = _own_checkpoint(context, work, receipt.checkpoint)
        points = (
            [] if receipt.cosigned is None else [_cosigned_point(context, work, receipt.cosigned)]
        )
    return [
        _point("leaf", merkle.leaf_hash(body) == digest, "Its bytes hash to its leaf"),
        _point(
            "tracker",
            ballots.tracker(digest) == receipt.tracker,
            "Its short name is made of its leaf",
        ),
        _point("nonce", _is_own_nonce(receipt, body), "The ballot contains your nonce"),
        _point(
            "proof",
            merkle.verify_inclusion(digest, receipt.index, receipt.size, proof, root),
            "Its proof leads from the leaf to the root",
        ),
        _point(
            "signature",
            signed is not None and (signed.size, signed.root.hex()) == (receipt.size, receipt.root),
            "Its checkpoint is signed by this log",
        ),
        _point(
            "log",
            here is not None and here.body == body and root_here == root,
            "This log has the same leaf under the same root",
        ),
        *points,
    ]


def read_receipt(document: Mapping[str, Any]) -> Receipt:
    """Parse a receipt.

    Raises:
        InvalidInput: a field is missing or malformed.
    """
    proof = document.get("proof")
    if not isinstance(proof, list):
        raise InvalidInput("A receipt has a list 'proof'; this file is not a receipt.")
    return Receipt(
        leaf=_hex(document.get("leaf"), "leaf"),
        leaf_bytes=_text(document, "leafBytes"),
        index=_count(document, "index"),
        size=_count(document, "size"),
        root=_hex(document.get("root"), "root"),
        proof=tuple(_hex(step, "proof") for step in proof),
        checkpoint=_text(document, "checkpoint"),
        nonce=_hex(document.get("nonce"), "nonce", size=ballots.NONCE_BYTES),
        tracker=_text(document, "tracker"),
        cosigned=None if document.get("cosigned") is None else _text(document, "cosigned"),
    )


def _point(name: str, holds: bool, sentence: str) -> CheckedPoint:  # noqa: FBT001 - a fact
    return CheckedPoint(name, holds, f"{sentence}: {'yes' if holds else 'no'}.")


def _is_own_nonce(receipt: Receipt, body: bytes) -> bool:
    try:
        leaf = canonical.decode(body)
    except InvalidInput:
        return False
    if not isinstance(leaf, dict) or leaf.get("t") != LeafType.BALLOT:
        return False
    mark = ballots.nonce_hash(str(leaf.get("proposal")), bytes.fromhex(receipt.nonce))
    return leaf.get("nonce_hash") == mark


def _cosigned_point(context: Context, work: UnitOfWork, note: str) -> CheckedPoint:
    checkpoint = _own_checkpoint(context, work, note)
    here = (
        checkpoint is not None
        and checkpoint.size <= work.log.size()
        and checkpoint.root == work.log.root(checkpoint.size)
    )
    return _point("cosigned", here, "This log begins with the checkpoint that witnesses cosigned")


def _own_checkpoint(context: Context, work: UnitOfWork, note: str) -> Checkpoint | None:
    """Return a checkpoint that a key of this log signed, or None."""
    try:
        checkpoint = notes.parse_checkpoint(note)
    except InvalidInput:
        return None
    signed = key_chain(context, work).is_signed(checkpoint, context.vault.verifies)
    return checkpoint if signed else None


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise InvalidInput(f"A receipt has a text '{key}'; this file is not a receipt.")
    return value


def _count(document: Mapping[str, Any], key: str) -> int:
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**53:
        raise InvalidInput(f"A receipt has a whole number '{key}'; this file is not a receipt.")
    return value


def _hex(value: object, key: str, *, size: int = _HASH_BYTES) -> str:
    if (
        not isinstance(value, str)
        or len(value) != 2 * size
        or not set(value) <= set("0123456789abcdef")
    ):
        raise InvalidInput(f"A receipt's '{key}' is {size} bytes in hex; this is not a receipt.")
    return value
