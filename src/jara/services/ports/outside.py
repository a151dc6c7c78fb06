"""The outside world: time, randomness, passwords, emails, witnesses."""

from collections.abc import Callable, Container, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from jara.domain.control.ssh import PublicKey
from jara.domain.control.statement import Signed
from jara.domain.errors import Unavailable
from jara.records.operations import Command, Email


class Clock(Protocol):
    """The clock; tests and samples use an adjustable one."""

    def now(self) -> datetime:
        """Return the current time, as an aware datetime in UTC."""


class Entropy(Protocol):
    """Generates random bytes; a seeded one makes samples reproducible."""

    def token(self, size: int) -> bytes:
        """Return that many random bytes."""


class PasswordHasher(Protocol):
    """Hashes and checks passwords."""

    @property
    def decoy(self) -> str:
        """A hash that matches no password; checking against it takes the usual time."""

    def hash(self, password: str) -> str:
        """Return a hash that includes its parameters and salt."""

    def verify(self, password_hash: str, password: str) -> bool:
        """Return whether the password matches the hash."""

    def needs_rehash(self, password_hash: str) -> bool:
        """Return whether the hash was made with weaker parameters."""


class ActSigner(Protocol):
    """Signs the operator's acts with one of their keys."""

    @property
    def command(self) -> Command:
        """The command that is running."""

    def sign(self, statement: bytes, keys: Sequence[PublicKey]) -> Signed:
        """Sign a statement with one of the keys.

        Raises:
            Refused: none of the keys is available.
            Unavailable: the agent or the signing program failed.
        """


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

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Remove stored copies of all other emails; return how many."""


class MailServer(MailSender, Protocol):
    """Sends emails, and can be asked without sending one."""

    def offer(self, email: Email) -> None:
        """Ask whether an email can be sent, and send nothing.

        Raises:
            Unavailable: as `send` would.
        """


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

        Addresses and requests are by name; `on_answer` is called in this thread.
        """
