"""The world outside: time, chance, secrets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests and samples bring one that can be set."""

    def now(self) -> datetime:
        """Return the present instant, aware and in UTC."""
        ...


class Entropy(Protocol):
    """Draws random bytes; a seeded one makes samples reproducible."""

    def token(self, size: int) -> bytes:
        """Return that many random bytes."""
        ...


class PasswordHasher(Protocol):
    """Hashes and checks passwords."""

    @property
    def decoy(self) -> str:
        """A hash that no password has; checking one against it takes the usual time."""
        ...

    def hash(self, password: str) -> str:
        """Return a hash that carries its own parameters and salt."""
        ...

    def verify(self, password_hash: str, password: str) -> bool:
        """Tell whether the password is the one that was hashed."""
        ...

    def needs_rehash(self, password_hash: str) -> bool:
        """Tell whether the parameters have risen since."""
        ...


class NoteFile(Protocol):
    """The file of published checkpoints, for others to keep; it only grows."""

    def extend(self, published: Callable[[], str]) -> int:
        """Append what was published since and return how many bytes that are.

        Raises:
            Conflict: what stands in the file is not the beginning of that text.
            Unavailable: the file cannot be written.
        """
        ...

    def check(self, published: str) -> str | None:
        """Return what is wrong with the file; None when all in it was published here."""
        ...


class Vault(Protocol):
    """The secrets folder: signing keys and ballot keys, outside the database."""

    def log_key_name(self) -> str:
        """Return the name that stands in the notes this log signs."""
        ...

    def log_public_key(self) -> bytes:
        """Return the 32 bytes of the Ed25519 public key."""
        ...

    def sign(self, message: bytes) -> bytes:
        """Return the Ed25519 signature of a message under the log key."""
        ...

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether a signature was made by the log key."""
        ...

    def make_ballot_key(self, proposal: str) -> bytes:
        """Make and keep 32 random bytes for one vote; on disk when this returns."""
        ...

    def ballot_key(self, proposal: str) -> bytes | None:
        """Return the key of a vote, or None when it was destroyed or lost."""
        ...

    def destroy_ballot_key(self, proposal: str) -> bool:
        """Destroy the key of a vote; tell whether there was one."""
        ...

    def prepare_token_key(self) -> str:
        """Draw the next token key beside the present one; return the fingerprint with it.

        One that was prepared before stays, so that a change that was cut off can go on.
        """
        ...

    def adopt_token_key(self) -> None:
        """Put the prepared token key in the place of the present one."""
        ...

    def fingerprint(self) -> str:
        """Return a hash that identifies the secrets without revealing them."""
        ...

    def findings(self) -> list[str]:
        """Return what is wrong with the folder: permissions, missing files."""
        ...
