"""Tokens, nonces, trackers and the sealed form of ballots.

While a vote is open, its ballots are sealed rows: a box token that says who has voted, and a
ciphertext of constant length. The public log names a voter by another token. Only the key of the
vote links the two, and either to a member.
"""

import hmac
from base64 import b32encode
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import Leaf, ballot_leaf, instant_text
from jara.domain.publiclog.merkle import leaf_hash, tree_root

BALLOT_KEY_BYTES = 32
NONCE_BYTES = 16
_TOKEN_BYTES = 32
PACKED_BYTES = 2 * _TOKEN_BYTES + 2
_CHOICES = ("up", "down")
_WAYS = tuple(PaymentWay)

_VOTER = b"jara/v1/voter\0"
_BOX = b"jara/v1/box\0"
_CLAIM = b"jara/v1/claim\0"
_NONCE = b"jara/v1/nonce\0"


class Claim(StrEnum):
    """An identity, besides the member, that can cast one ballot per vote."""

    PAYER = "payer"
    """The payer's key in the books, which outlives the account."""
    ADDRESS = "address"
    """The email address, so that rejoining does not allow a second ballot."""
    CARD = "card"
    """The card that pays the pledge."""


class Ballot(NamedTuple):
    """What a sealed ballot contains."""

    voter: str  # the voter's token in the public log
    nonce_hash: str  # the hash by which the voter recognises the ballot
    choice: str  # ``up`` or ``down``
    way: PaymentWay  # how the payment that gives the vote was paid

    def leaf(self, proposal: str) -> Leaf:
        """Return its leaf in the public log."""
        return ballot_leaf(proposal, self.voter, self.choice, self.nonce_hash)

    def pack(self) -> bytes:
        """Return its bytes; every ballot has the same length."""
        marks = bytes((_CHOICES.index(self.choice), _WAYS.index(self.way)))
        return bytes.fromhex(self.voter + self.nonce_hash) + marks


def unpack_ballot(data: bytes) -> Ballot:
    """Return the ballot that `Ballot.pack` wrote.

    Raises:
        InvalidInput: the bytes are not a ballot.
    """
    _check_length("A ballot", data, PACKED_BYTES)
    choice, way = data[-2:]
    if choice >= len(_CHOICES) or way >= len(_WAYS):
        raise InvalidInput(f"A ballot has the marks {choice} and {way}, which mean nothing.")
    voter, mark = data[:_TOKEN_BYTES], data[_TOKEN_BYTES : 2 * _TOKEN_BYTES]
    return Ballot(voter.hex(), mark.hex(), _CHOICES[choice], _WAYS[way])


def count_ways(ways: Iterable[PaymentWay]) -> dict[str, int]:
    """Count ballots by the way of the payment that gives the vote.

    Cheques are named only if there are any, as in the leaves of votes before there were cheques.
    """
    counts = dict.fromkeys((way.value for way in PaymentWay), 0)
    for way in ways:
        counts[way] += 1
    if not counts[PaymentWay.CHEQUE]:
        del counts[PaymentWay.CHEQUE]
    return counts


def voter_token(key: bytes, proposal: str, member_id: str) -> str:
    """Return the voter's token in the public log.

    Raises:
        InvalidInput: the key does not have 32 bytes.
    """
    return _token(key, _VOTER, proposal, member_id)


def box_token(key: bytes, proposal: str, member_id: str) -> str:
    """Return the token under which an open vote stores the member's sealed ballot.

    Raises:
        InvalidInput: the key does not have 32 bytes.
    """
    return _token(key, _BOX, proposal, member_id)


def claim_token(key: bytes, claim: Claim, proposal: str, value: str) -> str:
    """Return the token of a payer, address or card, which only the proposal's key can link to it.

    Raises:
        InvalidInput: the key does not have 32 bytes.
    """
    return _token(key, _CLAIM + claim.encode() + b"\0", proposal, value)


def nonce_hash(proposal: str, nonce: bytes) -> str:
    """Return the hash by which a voter recognises their own ballot.

    Raises:
        InvalidInput: the nonce does not have 16 bytes.
    """
    _check_length("A nonce", nonce, NONCE_BYTES)
    return sha256(_NONCE + proposal.encode() + b"\0" + nonce).hexdigest()


def tracker(ballot_leaf_hash: bytes) -> str:
    """Return the short name of a ballot, such as `RSTY-2YNO-CRFS`."""
    letters = b32encode(ballot_leaf_hash[:10]).decode("ascii")
    return f"{letters[:4]}-{letters[4:8]}-{letters[8:12]}"


def roll_root(voters: Sequence[str]) -> str:
    """Return the Merkle root over an electoral roll, in hex.

    Raises:
        InvalidInput: the voters are not sorted, or one is repeated.
    """
    for earlier, later in pairwise(voters):
        if earlier >= later:
            raise InvalidInput(f"A roll is sorted and distinct; '{later}' breaks the order.")
    return tree_root(leaf_hash(voter.encode("ascii")) for voter in voters).hex()


def _token(key: bytes, kind: bytes, proposal: str, value: str) -> str:
    _check_length("A ballot key", key, BALLOT_KEY_BYTES)
    message = kind + proposal.encode() + b"\0" + value.encode()
    return hmac.digest(key, message, "sha256").hex()


def _check_length(what: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InvalidInput(f"{what} has {length} bytes, not {len(value)}.")


LISTED_WITHIN = timedelta(days=1)
"""How long after the end of a vote its ballots are listed at the latest."""


def promise_bytes(proposal: str, leaf: str, listed_by: datetime) -> bytes:
    """Return the bytes that the promise key signs.

    `leaf` is the hash of the ballot's leaf, in hex; at `listed_by`, at the latest, the log contains
    the ballot.
    """
    return canonical.encode(
        {
            "leaf": leaf,
            "listed_by": instant_text(listed_by),
            "proposal": proposal,
            "t": "jara/v1/promise",
        }
    )
