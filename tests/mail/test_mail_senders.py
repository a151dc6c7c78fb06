"""Mail senders: a folder of files, and SMTP with a small local server."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import ClassVar

import pytest

from jara.domain.errors import Unavailable
from jara.mail.senders import FolderSender, SmtpSender
from jara.records.operations import Email
from tests.mail.emails_for_tests import IDENTITY, make_email


def test_emails_become_files_that_only_their_owner_reads(tmp_path: Path) -> None:
    """An email is a complete message in a private file; sent again it is the same file."""
    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)

    sender.send(make_email())
    sender.send(make_email())

    (path,) = sender.folder.iterdir()
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert path.name == "email-receipt.eml"
    assert message["Subject"] == "Receipt for your payment of $10.00"
    assert path.stat().st_mode & 0o777 == 0o600
    assert sender.folder.stat().st_mode & 0o777 == 0o700


def test_files_of_emails_that_are_gone_are_removed(tmp_path: Path) -> None:
    """Emails deleted from the outbox are deleted from the folder."""
    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)
    assert sender.keep_only(()) == 0
    sender.send(make_email("receipt"))
    sender.send(make_email("welcome"))

    assert sender.keep_only({"email-welcome"}) == 1
    assert [path.name for path in sender.folder.iterdir()] == ["email-welcome.eml"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error names the file."""
    (tmp_path / "jara.mail").write_text("in the way")

    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)
    for act in (sender.send, sender.offer):
        with pytest.raises(Unavailable, match=r"jara\.mail"):
            act(make_email())


def test_an_offered_email_leaves_no_file(tmp_path: Path) -> None:
    """The folder can be written, and stays empty."""
    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)
    sender.offer(make_email())

    assert list(sender.folder.iterdir()) == []


Ask = Callable[[SmtpSender, Email], None]


class _Conversation(socketserver.StreamRequestHandler):
    """A minimal SMTP server."""

    received: ClassVar[list[bytes]] = []
    commands: ClassVar[list[str]] = []
    recipient_answer: ClassVar[bytes] = b"250 fine"
    sender_answer: ClassVar[bytes] = b"250 fine"

    def handle(self) -> None:
        """Answer each command until the client leaves."""
        self._say(b"220 here")
        while line := self.rfile.readline():
            word = line.split()[0].upper()
            self.commands.append(line.decode().strip())
            if word == b"EHLO":
                self._say(b"250-here", b"250 AUTH PLAIN")
            elif word == b"MAIL":
                self._say(self.sender_answer)
            elif word == b"RCPT":
                self._say(self.recipient_answer)
            elif word == b"DATA":
                self._say(b"354 go on")
                self.received.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self._say(b"250 taken")
            elif word == b"AUTH":
                self._say(b"235 welcome")
            elif word == b"QUIT":
                self._say(b"221 bye")
                return
            else:
                self._say(b"250 fine")

    def _say(self, *lines: bytes) -> None:
        self.wfile.write(b"".join(line + b"\r\n" for line in lines))


@contextmanager
def mail_server(**answers: bytes) -> Iterator[tuple[int, type[_Conversation]]]:
    """Run a mail server on a free port of this machine."""
    kind = type("Conversation", (_Conversation,), {"received": [], "commands": [], **answers})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), kind) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1], kind
        finally:
            server.shutdown()
            thread.join()


def test_smtp_hands_the_email_over() -> None:
    """The server gets the message after a login with the address's credentials."""
    with mail_server() as (port, seen):
        SmtpSender(f"smtp://ama:p%40ss@127.0.0.1:{port}", IDENTITY).send(make_email())

    (data,) = seen.received
    message = message_from_bytes(data, policy=default)
    assert message["Subject"] == "Receipt for your payment of $10.00"
    assert any(command.startswith("AUTH PLAIN") for command in seen.commands)
    assert SmtpSender(f"smtp://127.0.0.1:{port}", IDENTITY).keep_only(()) == 0


@pytest.mark.parametrize("ask", [SmtpSender.send, SmtpSender.offer])
def test_a_refused_recipient_is_reported_without_the_address(ask: Ask) -> None:
    """The stored and displayed reason contains no personal data."""
    with (
        mail_server(recipient_answer=b"550 no ama@example.org here") as (port, _),
        pytest.raises(Unavailable, match=r"refused the recipient \(550\)") as failure,
    ):
        ask(SmtpSender(f"smtp://127.0.0.1:{port}", IDENTITY), make_email())

    assert "ama@" not in failure.value.message


@pytest.mark.parametrize("ask", [SmtpSender.send, SmtpSender.offer])
def test_a_refused_sender_is_reported_by_its_code(ask: Ask) -> None:
    """Any other refusal is reported with the server's code."""
    with (
        mail_server(sender_answer=b"451 later") as (port, _),
        pytest.raises(Unavailable, match=r"it answered 451"),
    ):
        ask(SmtpSender(f"smtp://127.0.0.1:{port}", IDENTITY), make_email())


def test_a_server_that_speaks_no_tls_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """No email is sent unencrypted to another machine."""
    monkeypatch.setattr("jara.mail.senders._THIS_MACHINE", frozenset())
    with mail_server() as (port, seen), pytest.raises(Unavailable, match="cannot be reached"):
        SmtpSender(f"smtp://127.0.0.1:{port}", IDENTITY).send(make_email())

    assert seen.received == []


def test_smtps_never_falls_back_to_plain_text() -> None:
    """``smtps`` does not fall back to plain text."""
    with mail_server() as (port, seen), pytest.raises(Unavailable, match="cannot be reached"):
        SmtpSender(f"smtps://127.0.0.1:{port}", IDENTITY, timeout_seconds=2).send(make_email())

    assert seen.received == []
