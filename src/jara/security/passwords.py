"""Passwords hashed with argon2id at OWASP's parameters (trust §4)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argon2 import PasswordHasher

MEMORY_KIB = 19 * 1024
PASSES = 2
LANES = 1


class ArgonHasher:
    """Hashes with 19 MiB, two passes and one lane."""

    def __init__(self, *, memory_kib: int = MEMORY_KIB, passes: int = PASSES) -> None:
        """Take other parameters only for tests and samples."""
        self._memory_kib = memory_kib
        self._passes = passes

    def hash(self, password: str) -> str:
        """Return a hash that carries its own parameters and salt."""
        return self._hasher.hash(password)

    def verify(self, password_hash: str, password: str) -> bool:
        """Tell whether the password is the one that was hashed."""
        from argon2.exceptions import Argon2Error, InvalidHashError

        try:
            return self._hasher.verify(password_hash, password)
        except (Argon2Error, InvalidHashError):
            return False

    def needs_rehash(self, password_hash: str) -> bool:
        """Tell whether the parameters have risen since."""
        return self._hasher.check_needs_rehash(password_hash)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        return PasswordHasher(
            time_cost=self._passes, memory_cost=self._memory_kib, parallelism=LANES, salt_len=16
        )
