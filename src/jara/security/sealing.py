"""Authenticated encryption of stored values (AES-256-GCM, RFC 5116)."""

import hmac

from cryptography.exceptions import InvalidTag

from jara.domain.errors import Unavailable

IV_BYTES = 12
_PURPOSE = b"jara/v1/seal"


class BrokenSeal(ValueError):
    """Bytes were sealed with another key, or about something else, or were changed."""


class Sealer:
    """Seals and opens bytes with a key that is made of another one, so that each has one use."""

    def __init__(self, key: bytes) -> None:
        """Derive the encryption key from 32 secret bytes."""
        # Slow to load, and most commands seal nothing.
        from cryptography.hazmat.primitives.ciphers import aead

        self._cipher = aead.AESGCM(hmac.digest(key, _PURPOSE, "sha256"))

    def seal(self, content: bytes, *, about: str, iv: bytes) -> bytes:
        """Encrypt bytes about a row; only the same key and row open them.

        The result is 28 bytes longer. The IV is 12 random bytes, which must never repeat.
        """
        return iv + self._cipher.encrypt(iv, content, about.encode())

    def open(self, sealed: bytes, *, about: str) -> bytes:
        """Return sealed bytes.

        Raises:
            BrokenSeal: the key or the row is another one, or the bytes were changed.
        """
        try:
            return self._cipher.decrypt(sealed[:IV_BYTES], sealed[IV_BYTES:], about.encode())
        except (InvalidTag, ValueError):
            raise BrokenSeal from None


class BallotSealer:
    """Seals and opens the ballots of one vote, which all have the same length."""

    def __init__(self, ballot_key: bytes, proposal: str) -> None:
        """Use the 32 bytes of the vote's key."""
        self._sealer = Sealer(ballot_key)
        self._proposal = proposal

    def seal(self, box: str, ballot: bytes, *, iv: bytes) -> bytes:
        """Encrypt the ballot of a box token."""
        return self._sealer.seal(ballot, about=self._about(box), iv=iv)

    def open(self, box: str, sealed: bytes) -> bytes:
        """Return the bytes of a sealed ballot.

        Raises:
            Unavailable: the key is that of another vote, or the stored bytes were changed.
        """
        try:
            return self._sealer.open(sealed, about=self._about(box))
        except BrokenSeal:
            raise Unavailable(
                f"The ballot key of '{self._proposal}' does not open its ballots: the key or a "
                "ballot was replaced. Restore the secrets folder that opened the vote, or "
                "withdraw the vote."
            ) from None

    def _about(self, box: str) -> str:
        return f"{self._proposal}\0{box}"
