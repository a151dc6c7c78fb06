"""Seals ballots with the key of their vote: authenticated encryption (AES-256-GCM, RFC 5116)."""

from __future__ import annotations

import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from jara.domain.errors import Unavailable

IV_BYTES = 12
_PURPOSE = b"jara/v1/seal"


class BallotSealer:
    """Seals and opens the ballots of one vote."""

    def __init__(self, ballot_key: bytes, proposal: str) -> None:
        """Derive the encryption key from the ballot key, so that each has one purpose.

        Args:
            ballot_key: the 32 bytes of the vote's key.
            proposal: the id of the proposal.
        """
        self._cipher = AESGCM(hmac.digest(ballot_key, _PURPOSE, "sha256"))
        self._proposal = proposal

    def seal(self, box: str, ballot: bytes, *, iv: bytes) -> bytes:
        """Encrypt a ballot; only the same vote and box token can open it.

        Args:
            box: the box token.
            ballot: its bytes; ballots have one length, and so have their sealed forms.
            iv: 12 random bytes.
        """
        return iv + self._cipher.encrypt(iv, ballot, self._bound(box))

    def open(self, box: str, sealed: bytes) -> bytes:
        """Return the bytes of a sealed ballot.

        Raises:
            Unavailable: the key is that of another vote, or the stored bytes were changed.
        """
        try:
            return self._cipher.decrypt(sealed[:IV_BYTES], sealed[IV_BYTES:], self._bound(box))
        except (InvalidTag, ValueError):
            raise Unavailable(
                f"The ballot key of '{self._proposal}' does not open its ballots: the key or a "
                "ballot was replaced. Restore the secrets folder that opened the vote, or "
                "withdraw the vote."
            ) from None

    def _bound(self, box: str) -> bytes:
        return f"{self._proposal}\0{box}".encode()
