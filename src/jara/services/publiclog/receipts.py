"""Voters' receipts: signed promises to list a ballot in the public log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from jara.documents import Document, to_document
from jara.domain.errors import Unavailable
from jara.domain.publiclog import ballots, canonical, merkle
from jara.domain.publiclog.ballots import LISTED_WITHIN, promise_bytes
from jara.domain.publiclog.leaves import Leaf, instant_text, promise_key_leaf
from jara.domain.voting.proposal import Proposal
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

PROMISE_KEYS = "promise.keys"
"""Key in `meta`: the keys that the log names for receipts, each with its log index."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A voter's receipt: the ballot, and the signed promise to list it in the log.

    Args:
        leaf: the leaf hash in hex.
        leaf_bytes: the leaf's exact JSON text.
        proposal: the id of the proposal.
        listed_by: the instant at which the log contains the ballot at the latest.
        key: the public key that signs promises, in hex; a leaf of the log names it.
        signature: the signature of the promise (Ed25519), in hex.
        nonce: the voter's random number, in hex.
        tracker: the ballot's short name.
    """

    leaf: str
    leaf_bytes: str
    proposal: str
    listed_by: str
    key: str
    signature: str
    nonce: str
    tracker: str

    def document(self) -> Document:
        """Return the receipt as a JSON document."""
        return to_document(self)

    def promise(self) -> bytes:
        """Return the bytes that are signed."""
        return promise_bytes(self.proposal, self.leaf, datetime.fromisoformat(self.listed_by))


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
