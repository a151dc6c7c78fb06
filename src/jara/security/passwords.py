"""Hashes passwords with argon2id at OWASP's parameters."""

from __future__ import annotations

from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

MEMORY_KIB = 19 * 1024
PASSES = 2
LANES = 1


class ArgonHasher:
    """Hashes with 19 MiB, two passes and one lane."""

    def __init__(self, *, memory_kib: int = MEMORY_KIB, passes: int = PASSES) -> None:
        """Use other parameters only for tests and samples."""
        self._memory_kib = memory_kib
        self._passes = passes

    def hash(self, password: str) -> str:
        """Return a hash that carries its own parameters and salt."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether the password matches the hash."""
        try:
            return self._hasher.verify(password_hash, password)
        except (Argon2Error, InvalidHashError):
            return False

    def needs_rehash(self, password_hash: str) -> bool:
        """Return whether the hash was made with weaker parameters."""
        return self._hasher.check_needs_rehash(password_hash)

    @cached_property
    def decoy(self) -> str:
        """A hash that no password matches; verifying against it takes the usual time."""
        salt, tag = "A" * 22, "A" * 43  # 16 and 32 zero bytes in base64
        costs = f"m={self._memory_kib},t={self._passes},p={LANES}"
        return f"$argon2id$v=19${costs}${salt}${tag}"

    @cached_property
    def _hasher(self) -> PasswordHasher:
        return PasswordHasher(
            time_cost=self._passes, memory_cost=self._memory_kib, parallelism=LANES, salt_len=16
        )
