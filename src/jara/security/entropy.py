"""Random bytes: from the operating system, or from a seed for samples."""

from __future__ import annotations

import secrets
from hashlib import sha256


class SystemEntropy:
    """Random bytes for keys, from the operating system."""

    def token(self, size: int) -> bytes:
        """Return this many random bytes."""
        return secrets.token_bytes(size)


class SeededEntropy:
    """The same bytes for the same seed; for samples and tests, never for real people."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode()
        self._count = 0

    def token(self, size: int) -> bytes:
        """Return the next bytes of the sequence."""
        drawn = b""
        while len(drawn) < size:
            self._count += 1
            drawn += sha256(self._seed + b"\0" + str(self._count).encode()).digest()
        return drawn[:size]
