"""Voter tokens, nonces and trackers of ballots."""

from __future__ import annotations

import hmac
from base64 import b32encode
from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise

from jara.domain.errors import InvalidInput
from jara.domain.publiclog.merkle import leaf_hash, tree_root

BALLOT_KEY_BYTES = 32
NONCE_BYTES = 16

_VOTER = b"jara/v1/voter\0"
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


def voter_token(key: bytes, proposal: str, member_id: str) -> str:
    """Return the voter's token, which only the proposal's key can link to the member.

    Raises:
        InvalidInput: the key does not have 32 bytes.
    """
    _check_length("A ballot key", key, BALLOT_KEY_BYTES)
    message = _VOTER + proposal.encode() + b"\0" + member_id.encode()
    return hmac.digest(key, message, "sha256").hex()


def claim_token(key: bytes, claim: Claim, proposal: str, value: str) -> str:
    """Return the token of a payer, address or card, which only the proposal's key can link to it.

    Raises:
        InvalidInput: the key does not have 32 bytes.
    """
    _check_length("A ballot key", key, BALLOT_KEY_BYTES)
    message = b"\0".join((_CLAIM + claim.encode(), proposal.encode(), value.encode()))
    return hmac.digest(key, message, "sha256").hex()


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


def _check_length(what: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InvalidInput(f"{what} has {length} bytes, not {len(value)}.")
