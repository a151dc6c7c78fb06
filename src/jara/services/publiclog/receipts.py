"""Voters' receipts: signed promises to list a ballot in the public log, and their check.

Anyone can do the same check without this program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, NamedTuple

from jara.documents import Document, to_document
from jara.domain.checks.log import read_leaf
from jara.domain.errors import InvalidInput, NotFound, Unavailable
from jara.domain.publiclog import ballots, canonical, merkle
from jara.domain.publiclog.ballots import LISTED_WITHIN, promise_bytes
from jara.domain.publiclog.leaves import Leaf, LeafType, instant_text, promise_key_leaf
from jara.domain.time_zone import UTC_ZONE
from jara.domain.voting.proposal import Proposal
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

PROMISE_KEYS = "promise.keys"
"""Key in `meta`: the keys that the log names for receipts, each with its log index."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A voter's receipt: the ballot, and the signed promise to list it in the log."""

    leaf: str  # the leaf hash in hex
    leaf_bytes: str  # the leaf's exact JSON text
    proposal: str  # the id of the proposal
    listed_by: str  # the instant at which the log contains the ballot at the latest
    key: str  # the public key that signs promises, in hex; a leaf of the log names it
    signature: str  # the signature of the promise (Ed25519), in hex
    nonce: str  # the voter's random number, in hex
    tracker: str  # the ballot's short name

    def document(self) -> Document:
        """Return the receipt as a JSON document."""
        return to_document(self)

    @property
    def due(self) -> datetime:
        """The instant at which the log contains the ballot at the latest."""
        return datetime.fromisoformat(self.listed_by)

    @property
    def latest_day(self) -> date:
        """The day that contains it, or ends with it at midnight."""
        return UTC_ZONE.day_of(UTC_ZONE.last_minute(self.due))

    def promise(self) -> bytes:
        """Return the bytes that are signed."""
        return promise_bytes(self.proposal, self.leaf, self.due)


def name_promise_key(context: Context, work: UnitOfWork) -> bool:
    """Create the key that signs receipts, and name it in the log; return whether it is new."""
    key = context.vault.make_promise_key()
    if key.hex() in promise_keys(work):
        return False
    leaf = work.log.append(promise_key_leaf(key))
    keys = {**promise_keys(work), key.hex(): leaf.index}
    work.meta.put(PROMISE_KEYS, " ".join(f"{index}:{key}" for key, index in keys.items()))
    return True


def promise_keys(work: UnitOfWork) -> dict[str, int]:
    """Return the keys that have signed receipts, in hex, and the log index that names each."""
    words = (work.meta.get(PROMISE_KEYS) or "").split()
    return {key: int(index) for index, _, key in (word.partition(":") for word in words)}


def require_promise_key(context: Context, work: UnitOfWork) -> None:
    """Check that receipts can be signed with the key that the log names.

    Raises:
        Unavailable: the key is missing, or is another one.
    """
    key = context.vault.promise_key()
    if key is None or key.hex() not in promise_keys(work):
        raise Unavailable(
            "The log does not name the key in the secrets folder that signs voters' receipts, so "
            "no ballot is accepted; run: jara migrate"
        )


def make_receipt(context: Context, proposal: Proposal, leaf: Leaf, nonce: bytes) -> Receipt:
    """Return the signed receipt of a ballot; the same ballot gets the same receipt again.

    Raises:
        Unavailable: the promise key is missing.
    """
    body = canonical.encode(leaf)
    digest = merkle.leaf_hash(body)
    listed_by = proposal.ends_at + LISTED_WITHIN
    promise = promise_bytes(proposal.id, digest.hex(), listed_by)
    return Receipt(
        leaf=digest.hex(),
        leaf_bytes=body.decode("utf-8"),
        proposal=proposal.id,
        listed_by=instant_text(listed_by),
        key=(context.vault.promise_key() or b"").hex(),
        signature=context.vault.sign_promise(promise).hex(),
        nonce=nonce.hex(),
        tracker=ballots.tracker(digest),
    )


_HASH_BYTES = 32
_SIGNATURE_BYTES = 64


class CheckedPoint(NamedTuple):
    """One check of a receipt: its name, its result and a message."""

    name: str
    ok: bool
    message: str


@dataclass(frozen=True, slots=True)
class LeafProof:
    """A leaf, and the hashes that lead from it to the root of a log."""

    index: int
    leaf: str
    proof: tuple[str, ...]


class BallotProof(NamedTuple):
    """What a log of a given size says about one ballot."""

    size: int
    root: str  # its root, in hex
    key: LeafProof | None  # the leaf that names the key of the receipt; None if there is none
    opening: LeafProof | None  # the leaf that opens the vote; None if there is none
    ballot: LeafProof | None  # the leaf that lists the voter's ballot; None if there is none
    ending: LeafProof | None
    """The leaf that closes or withdraws the vote; None while it is open. It names the ballots that
    were dropped."""


def prove_ballot(
    context: Context, *, proposal: str, voter: str, key: str, size: int
) -> BallotProof:
    """Prove what the log of a given size says about a ballot.

    `proposal` is an id or slug in full, since a search would show drafts; `voter` is the token in
    the ballot's leaf, and `key` the public key of the receipt, in hex.

    Raises:
        NotFound: there is no such proposal, or the log never had this size.
    """
    with context.store.read() as work:
        root = work.log.root(size)
        record = work.proposals.named(proposal)
        if record is None or not record.proposal.is_public:
            raise NotFound(f"There is no proposal '{proposal}'.")
        ballot = work.ballots.get(record.proposal.id, voter)
        return BallotProof(
            size=size,
            root=root.hex(),
            key=_proven(work, promise_keys(work).get(key), size),
            opening=_proven(work, record.opened_index, size),
            ballot=_proven(work, None if ballot is None else ballot.log_index, size),
            ending=_proven(work, record.closed_index, size),
        )


def check_receipt(context: Context, document: Mapping[str, Any]) -> list[CheckedPoint]:
    """Verify a receipt against this log.

    Raises:
        InvalidInput: the document is not a receipt.
    """
    receipt = read_receipt(document)
    body = receipt.leaf_bytes.encode("utf-8")
    digest = bytes.fromhex(receipt.leaf)
    with context.store.read() as work:
        return [
            _point("leaf", merkle.leaf_hash(body) == digest, "Its bytes hash to its leaf"),
            _point(
                "tracker",
                ballots.tracker(digest) == receipt.tracker,
                "Its short name is made of its leaf",
            ),
            _point("nonce", _is_own_nonce(receipt, body), "The ballot contains your nonce"),
            *_promise_points(context, work, receipt),
        ]


def _promise_points(context: Context, work: UnitOfWork, receipt: Receipt) -> Iterator[CheckedPoint]:
    yield _point(
        "promise",
        context.vault.verifies(
            bytes.fromhex(receipt.key), receipt.promise(), bytes.fromhex(receipt.signature)
        ),
        "Its promise is signed by its key",
    )
    yield _point("key", receipt.key in promise_keys(work), "This log names its key")
    is_kept, sentence = _outcome(context, work, receipt)
    yield CheckedPoint("log", is_kept, sentence)


def _outcome(context: Context, work: UnitOfWork, receipt: Receipt) -> tuple[bool, str]:
    """Return whether the promise is kept or still open, and what became of the ballot."""
    leaf = read_leaf(receipt.leaf_bytes.encode("utf-8"))
    ballot = work.ballots.get(receipt.proposal, str(leaf.get("voter")))
    if ballot is not None and work.log.leaf(ballot.log_index).hash.hex() == receipt.leaf:
        word = "yes" if leaf["choice"] == "up" else "no"
        return True, f"Listed in leaf {ballot.log_index}, counted as {word}."
    record = work.proposals.get(receipt.proposal)
    index = None if record is None else record.closed_index
    ending = {} if index is None else read_leaf(work.log.leaf(index).body)
    if ending.get("t") == LeafType.PROPOSAL_WITHDRAW:
        return True, "The vote was withdrawn; nothing was counted."
    if receipt.leaf in ending.get("dropped", ()):
        return True, "Dropped, because no contribution was left."
    if not ending and context.now() <= receipt.due:
        return True, f"Promised; listed on {receipt.latest_day} at the latest."
    return False, "Promised and missing: keep this file, it is the proof."


def read_receipt(document: Mapping[str, Any]) -> Receipt:
    """Parse a receipt.

    Raises:
        InvalidInput: a field is missing or malformed.
    """
    return Receipt(
        leaf=_hex(document.get("leaf"), "leaf"),
        leaf_bytes=_text(document, "leafBytes"),
        proposal=_text(document, "proposal"),
        listed_by=_instant(document, "listedBy"),
        key=_hex(document.get("key"), "key"),
        signature=_hex(document.get("signature"), "signature", size=_SIGNATURE_BYTES),
        nonce=_hex(document.get("nonce"), "nonce", size=ballots.NONCE_BYTES),
        tracker=_text(document, "tracker"),
    )


def _proven(work: UnitOfWork, index: int | None, size: int) -> LeafProof | None:
    if index is None or index >= size:
        return None
    leaf = work.log.leaf(index)
    proof = tuple(step.hex() for step in work.log.inclusion(index, size))
    return LeafProof(index, leaf.body.decode("utf-8"), proof)


def _point(name: str, holds: bool, sentence: str) -> CheckedPoint:  # noqa: FBT001 - a fact
    return CheckedPoint(name, holds, f"{sentence}: {'yes' if holds else 'no'}.")


def _is_own_nonce(receipt: Receipt, body: bytes) -> bool:
    leaf = read_leaf(body)
    if leaf.get("t") != LeafType.BALLOT:
        return False
    mark = ballots.nonce_hash(str(leaf.get("proposal")), bytes.fromhex(receipt.nonce))
    return leaf.get("nonce_hash") == mark


def _text(document: Mapping[str, Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise InvalidInput(f"A receipt has a text '{key}'; this file is not a receipt.")
    return value


def _instant(document: Mapping[str, Any], key: str) -> str:
    text = _text(document, key)
    try:
        if datetime.fromisoformat(text).tzinfo is not None:
            return text
    except ValueError:
        pass
    raise InvalidInput(f"A receipt has an instant '{key}', not '{text[:40]}'.")


def _hex(value: object, key: str, *, size: int = _HASH_BYTES) -> str:
    if (
        not isinstance(value, str)
        or len(value) != 2 * size
        or not set(value) <= set("0123456789abcdef")
    ):
        raise InvalidInput(f"A receipt's '{key}' is {size} bytes in hex; this is not a receipt.")
    return value
