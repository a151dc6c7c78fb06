"""Mail senders."""

import os
import re
import smtplib
import ssl
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import unquote, urlsplit

from jara.domain.errors import Unavailable
from jara.mail.rendering import SenderIdentity, build_message, return_path_of
from jara.records.operations import Email
from jara.services.ports.outside import EmailRefused

TIMEOUT_SECONDS = 20.0
_PORTS = {"smtp": 587, "smtps": 465}
_DONE, _FORWARDED, _FAILURE, _CLOSING = 250, 251, 400, 421
_ACCEPTED = frozenset({_DONE, _FORWARDED})
"""The answers of a server that takes a recipient; `smtplib` has the same two."""
_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
_OF_SERVER = "4.3."
"""How the status of a server begins that cannot work now, whoever the recipient is (RFC 3463)."""
_THIS_MACHINE = frozenset({"localhost", "127.0.0.1", "::1"})

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


class SmtpSender:
    """Sends emails through a mail server, one connection for each."""

    def __init__(
        self, url: str, identity: SenderIdentity, *, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        """Read the server from ``smtp://user:password@host:587`` or ``smtps://host:465``."""
        parts = urlsplit(url)
        self._encrypted = parts.scheme == "smtps"
        self._host = parts.hostname or "localhost"
        self._port = parts.port or _PORTS[parts.scheme]
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._identity = identity
        self._timeout_seconds = timeout_seconds

    def send(self, email: Email) -> None:
        """Send one email.

        Raises:
            EmailRefused: the server does not take this email or its recipient.
            Unavailable: the server is unreachable or takes no emails now, or no postal address is
                set, which every message must contain.
        """
        message = self._message(email)
        with self._session() as server:
            self._name_recipient(server, email, message)
            code, answer = server.data(message.as_bytes())
            if code != _DONE:
                raise self._refusal("email", code, answer)

    def offer(self, email: Email) -> None:
        """Ask the server whether it takes an email, and send nothing.

        Raises:
            EmailRefused: the server does not take this recipient.
            Unavailable: as `send` would.
        """
        message = self._message(email)
        with self._session() as server:
            self._name_recipient(server, email, message)

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:  # noqa: ARG002 - keeps nothing
        """Do nothing: sent emails are not stored."""
        return 0

    def _message(self, email: Email) -> EmailMessage:
        if not self._identity.postal_address:
            raise Unavailable(
                "No postal address is set (`jara organisation set --address TEXT`); "
                "every email has one."
            )
        return build_message(email, self._identity)

    def _name_recipient(self, server: smtplib.SMTP, email: Email, message: EmailMessage) -> None:
        server.ehlo_or_helo_if_needed()
        recipient = parseaddr(str(message["To"]))[1]
        sender = return_path_of(email, self._identity)
        code, answer = server.mail(sender)
        if code != _DONE:
            raise smtplib.SMTPSenderRefused(code, answer, sender)
        code, answer = server.rcpt(recipient)
        if code not in _ACCEPTED:
            raise self._refusal("recipient", code, answer)

    def _refusal(self, what: str, code: int, answer: bytes) -> Exception:
        """Return the error for a refused recipient or email, or for a server that cannot work.

        Its text has the codes alone: many servers repeat the recipient's address.
        """
        words = answer.decode("ascii", "replace")
        found = _STATUS.match(words)
        status = found[0] if found else ""
        if code == _CLOSING or code < _FAILURE or status.startswith(_OF_SERVER):
            return smtplib.SMTPResponseException(code, answer)
        codes = f"{code} {status}".rstrip()
        message = f"The mail server {self._host}: it refused the {what} ({codes})."
        return EmailRefused(message, reply=code, status=status, answer=words)

    @contextmanager
    def _session(self) -> Iterator[smtplib.SMTP]:
        try:
            server = self._connect()
            try:
                yield server
            finally:
                # Waiting for the answer to QUIT would delay noting that an email is sent, and
                # an error in it would send the email again.
                with suppress(OSError, smtplib.SMTPException):
                    server.putcmd("QUIT")
                server.close()
        except (OSError, smtplib.SMTPException) as error:
            raise Unavailable(f"The mail server {self._host}: {_reason(error)}") from error

    def _connect(self) -> smtplib.SMTP:
        if self._encrypted:
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self._host,
                self._port,
                timeout=self._timeout_seconds,
                context=ssl.create_default_context(),
            )
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=self._timeout_seconds)
        try:
            self._greet(server)
        except BaseException:
            server.close()
            raise
        return server

    def _greet(self, server: smtplib.SMTP) -> None:
        if not self._encrypted and self._host not in _THIS_MACHINE:
            server.starttls(context=ssl.create_default_context())
        if self._user:
            server.login(self._user, self._password)


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answered {error.smtp_code}."
    return f"it cannot be reached ({type(error).__name__})."


class FolderSender:
    """Writes each email into a folder that only its owner may read; the first creates it."""

    def __init__(self, folder: Path, identity: SenderIdentity) -> None:
        self.folder = folder
        self._identity = identity

    def send(self, email: Email) -> None:
        """Write one email; sending it again replaces its file.

        Raises:
            Unavailable: the folder cannot be written.
        """
        message = build_message(email, self._identity)
        # As the last mail server of a delivery writes it (RFC 5321 §4.4).
        message["Return-Path"] = f"<{return_path_of(email, self._identity)}>"
        data = message.as_bytes()
        with self._writing(email) as path:
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE)
            with os.fdopen(number, "wb") as file:
                file.write(data)

    def offer(self, email: Email) -> None:
        """Check that an email could be written, and leave no file.

        Raises:
            Unavailable: as `send` would.
        """
        with self._writing(email) as path:
            path.touch()
            path.unlink()

    @contextmanager
    def _writing(self, email: Email) -> Iterator[Path]:
        path = self.folder / Path(f"{email.id}.eml").name  # a changed row chooses no folder
        try:
            self.folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            yield path
        except OSError as error:
            raise Unavailable(f"'{path}' cannot be written: {error.strerror}.") from error

    def keep_only(self, read_ids: Callable[[], Container[str]]) -> int:
        """Remove the files of emails that left the outbox; return how many."""
        paths = list(self.folder.glob("*.eml"))
        email_ids = read_ids()  # after the paths: another process may write an email meanwhile
        old = [path for path in paths if path.stem not in email_ids]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)


def open_sender(
    identity: SenderIdentity, *, smtp_url: str | None, folder: Path
) -> FolderSender | SmtpSender:
    """Return a sender for the mail server, or for the folder if no server is set."""
    return FolderSender(folder, identity) if smtp_url is None else SmtpSender(smtp_url, identity)
