"""Hashes passwords with argon2id at OWASP's parameters, and limits how many at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from jara.domain.errors import Busy

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

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


class ThrottledHasher:
    """Limits how many passwords are hashed at once and how many wait; the rest are refused.

    Each hash takes 19 MiB and a whole core: many sign-ins at once must not slow down
    readers. Hashing has its own threads, since the C library keeps those 19 MiB for every
    thread that ever hashed.
    """

    def __init__(self, inner: ArgonHasher, *, at_once: int, waiting: int) -> None:
        self._inner = inner
        self._at_once = at_once
        self._queue = threading.BoundedSemaphore(at_once + waiting)
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None

    @property
    def decoy(self) -> str:
        """A hash that no password matches; verifying against it takes the usual time."""
        return self._inner.decoy

    def hash(self, password: str) -> str:
        """Return a hash that carries its own parameters and salt."""
        with self._place():
            return self._pool().submit(self._inner.hash, password).result()

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether the password matches the hash."""
        with self._place():
            return self._pool().submit(self._inner.verify, password_hash, password).result()

    def needs_rehash(self, password_hash: str) -> bool:
        """Return whether the hash was made with weaker parameters."""
        return self._inner.needs_rehash(password_hash)

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._queue.acquire(blocking=False):
            raise Busy("Many people are signing in right now; try again in a moment.")
        try:
            yield
        finally:
            self._queue.release()

    def _pool(self) -> ThreadPoolExecutor:
        # Only servers hash in threads; commands need not load them.
        from concurrent.futures import ThreadPoolExecutor

        # Created by the first hash: threads do not survive the server's fork.
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._at_once, "jara-hash")
            return self._threads
