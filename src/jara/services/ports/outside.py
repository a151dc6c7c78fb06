"""The outside world: time, randomness, passwords, secrets, emails, witnesses."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from jara.domain.control.ssh import PublicKey
from jara.domain.control.statement import Signed
from jara.domain.errors import Unavailable
from jara.domain.publiclog.notes import VerificationKey
from jara.domain.publiclog.witnessing import Seen
from jara.records.log import SignerStanding, Tree
from jara.records.operations import Command, Email


class Clock(Protocol):
    """The clock; tests and samples use an adjustable one."""

    def now(self) -> datetime:
        """Return the current time, as an aware datetime in UTC."""
        ...


class Entropy(Protocol):
    """Generates random bytes; a seeded one makes samples reproducible."""

    def token(self, size: int) -> bytes:
        """Return that many random bytes."""
        ...


class PasswordHasher(Protocol):
    """Hashes and checks passwords."""

    @property
    def decoy(self) -> str:
        """A hash that matches no password; checking against it takes the usual time."""
        ...

    def hash(self, password: str) -> str:
        """Return a hash that includes its parameters and salt."""
        ...

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether the password matches the hash."""
        ...

    def needs_rehash(self, password_hash: str) -> bool:
        """Return whether the hash was made with weaker parameters."""
        ...


class ActSigner(Protocol):
    """Signs the operator's acts with one of their keys."""

    @property
    def command(self) -> Command:
        """The command that is running."""
        ...

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign a statement with one of the keys.

        Raises:
            Refused: none of the keys is available.
            Unavailable: the agent or the signing program failed.
        """
        ...


class Vault(Protocol):
    """The secrets folder: signing keys and ballot keys, outside the database."""

    def log_key_name(self) -> str:
        """Return the name of the log key in signed notes."""
        ...

    def log_public_key(self) -> bytes:
        """Return the 32 bytes of the Ed25519 public key."""
        ...

    def sign_checkpoint(self, seen: Seen, tree: Tree) -> str:
        """Return the signed checkpoint of a size and root whose leaves are committed.

        Raises:
            SignerRefused: the log does not contain the tree that was signed last.
            Unavailable: the signer's state is missing or cannot be written.
        """
        ...

    def require_signer(self, tree: Tree) -> None:
        """Check, before adding a leaf, that the log is not behind the last signed tree.

        Raises:
            SignerRefused: it is behind, or is a different log.
            Unavailable: the signer's state is missing.
        """
        ...

    def signer_standing(self, tree: Tree) -> SignerStanding:
        """Compare the last signed tree with the log."""
        ...

    def adopt_signed(self, seen: Seen) -> None:
        """Replace the signer's state.

        Raises:
            Unavailable: it cannot be written.
        """
        ...

    def prepare_log_key(self, *, name: str | None = None) -> tuple[VerificationKey, str]:
        """Store the successor of the log's key: another name, or a new key.

        Returns:
            The next key, and the fingerprint of the secrets with it.
        """
        ...

    def next_log_key(self) -> VerificationKey | None:
        """Return the prepared key that is not active yet."""
        ...

    def signing_stopped(self) -> AbstractContextManager[object]:
        """Block signing in every process until the block ends."""
        ...

    def adopt_log_key(self) -> None:
        """Activate the prepared key; the old one also signs until it is forgotten."""
        ...

    def forget_old_log_key(self) -> bool:
        """Destroy the old key once its handover is stored; return whether there was one."""
        ...

    def make_index_key(self) -> str:
        """Create the key of `keyed_hash` if it is missing; return its fingerprint."""
        ...

    def index_fingerprint(self) -> str:
        """Return a hash that identifies the index key without revealing it."""
        ...

    def keyed_hash(self, purpose: str, text: str) -> str:
        """Return the HMAC-SHA256 of a text in hexadecimal; the hash depends on the purpose."""
        ...

    def seal_row(self, text: str) -> str:
        """Return the seal of a stored row, given as a text; see `jara.store.seals`."""
        ...

    def seal(self, text: str, *, about: str) -> str:
        """Encrypt a text of the row that ``about`` describes."""
        ...

    def unseal(self, sealed: str, *, about: str) -> str:
        """Return a sealed text.

        Raises:
            Unavailable: it was sealed with another key, or about something else.
        """
        ...

    def seal_bytes(self, content: bytes, *, about: str) -> bytes:
        """Encrypt the bytes of the row that ``about`` describes."""
        ...

    def unseal_bytes(self, sealed: bytes, *, about: str) -> bytes:
        """Return sealed bytes.

        Raises:
            Unavailable: as `unseal`.
        """
        ...

    def verifies(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether a key made the signature of a message.

        A key of 32 bytes is Ed25519, one of 65 bytes P-256; see `jara.domain.control.ssh`.
        """
        ...

    def make_ballot_key(self, proposal: str) -> bytes:
        """Create and store the 32-byte key of a vote; it is on disk when this returns."""
        ...

    def ballot_key(self, proposal: str) -> bytes | None:
        """Return the key of a vote; None if it was destroyed or lost."""
        ...

    def destroy_ballot_key(self, proposal: str) -> bool:
        """Destroy the key of a vote; return whether there was one."""
        ...

    def make_promise_key(self) -> bytes:
        """Create the key that signs voters' receipts if it is missing; return its public key."""
        ...

    def promise_key(self) -> bytes | None:
        """Return the public key that verifies voters' receipts, 32 bytes; None without one."""
        ...

    def sign_promise(self, promise: bytes) -> bytes:
        """Return the Ed25519 signature of a promise.

        Raises:
            Unavailable: the promise key is missing.
        """
        ...

    def prepare_token_key(self) -> str:
        """Create the next token key beside the current one; return the new fingerprint.

        An already prepared key is reused, so that an interrupted change can continue.
        """
        ...

    def adopt_token_key(self) -> None:
        """Replace the current token key with the prepared one."""
        ...

    def scratch(self) -> AbstractContextManager[Path]:
        """Create a private folder for a block; leftovers of a killed process are removed later."""
        ...

    def fingerprint(self) -> str:
        """Return a hash that identifies the secrets without revealing them."""
        ...

    def findings(self) -> list[str]:
        """Return what is wrong with the folder: permissions, missing files."""
        ...


FINAL_REPLY = 500
"""Answers of a mail server from this code on are final (RFC 5321 §4.2.1)."""


class EmailRefused(Unavailable):
    """The mail server does not take this email, now or ever; it may take others.

    Args:
        message: the reason, without the recipient's address.
        reply: the code of the answer, such as 550.
        status: the enhanced status code, such as ``5.1.1``; empty without one.
        answer: the server's words, which may name the recipient; not to be stored or shown.
    """

    def __init__(self, message: str, *, reply: int, status: str = "", answer: str = "") -> None:
        super().__init__(message)
        self.reply = reply
        self.status = status
        self.answer = answer

    @property
    def is_final(self) -> bool:
        """Whether no later try can succeed."""
        return self.reply >= FINAL_REPLY


class NotSent(Exception):
    """An email must not go out any more, and leaves the outbox."""


class MailSender(Protocol):
    """Sends emails."""

    def send(self, email: Email) -> None:
        """Send one email.

        Raises:
            EmailRefused: the server does not take this email.
            Unavailable: it could not be sent; a retry may succeed.
            NotSent: it must not go out any more.
        """
        ...

    def keep_only(self, email_ids: Container[str]) -> int:
        """Remove stored copies of all other emails; return how many."""
        ...


class MailServer(MailSender, Protocol):
    """Sends emails, and can be asked without sending one."""

    def offer(self, email: Email) -> None:
        """Ask whether an email can be sent, and send nothing.

        Raises:
            Unavailable: as `send` would.
        """
        ...


class WitnessAnswer(NamedTuple):
    """A witness's answer; status 0 means no answer, and the body says why."""

    status: int
    body: str
    media_type: str = ""


OnAnswer = Callable[[str, WitnessAnswer], bytes | None]
"""Called with a name and its answer; returns a follow-up request or None."""


class WitnessNetwork(Protocol):
    """Sends requests to all witnesses in parallel, within seconds."""

    def offer(
        self, urls: Mapping[str, str], bodies: Mapping[str, bytes], on_answer: OnAnswer
    ) -> None:
        """Send each witness a request, and call `on_answer` for each, even if it does not answer.

        Args:
            urls: the addresses, by name.
            bodies: the requests, by name.
            on_answer: called in this thread for each answer.
        """
        ...
