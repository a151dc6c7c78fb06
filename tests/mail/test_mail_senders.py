"""Mail senders: a folder of files, and SMTP to an independent server (aiosmtpd)."""

import re
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult, LoginPassword

from jara.domain.email_kinds import KINDS
from jara.domain.errors import Unavailable
from jara.mail.rendering import SenderIdentity
from jara.mail.senders import FolderSender, SmtpSender
from jara.records.operations import Email
from tests.mail.emails_for_tests import IDENTITY, SITE, Inbox, make_email, running

Ask = Callable[[SmtpSender, Email], None]


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


def test_a_changed_row_chooses_no_folder(tmp_path: Path) -> None:
    """The id of an email is a file's name, not a path."""
    sender = FolderSender(tmp_path / "mail", IDENTITY)
    sender.send(make_email()._replace(id="../../escaped"))

    assert [path.name for path in tmp_path.rglob("*.eml")] == ["escaped.eml"]
    assert [path.parent.name for path in tmp_path.rglob("*.eml")] == ["mail"]


def test_files_of_emails_that_are_gone_are_removed(tmp_path: Path) -> None:
    """Emails deleted from the outbox are deleted from the folder."""
    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)
    assert sender.keep_only(set) == 0
    sender.send(make_email("receipt"))
    sender.send(make_email("welcome"))

    assert sender.keep_only(lambda: {"email-welcome"}) == 1
    assert [path.name for path in sender.folder.iterdir()] == ["email-welcome.eml"]


def test_an_email_that_is_written_meanwhile_stays(tmp_path: Path) -> None:
    """Its file may be the only copy; it is in the outbox before it is a file."""
    sender = FolderSender(tmp_path / "jara.mail", IDENTITY)
    sender.send(make_email("receipt"))

    def read_ids() -> set[str]:
        sender.send(make_email("welcome"))
        return set()

    assert sender.keep_only(read_ids) == 1
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


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    """A running mail server and its address."""
    kept = Inbox()
    with running(kept) as url:
        yield kept, url


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_email_arrives_as_text_and_html_with_its_links(
    inbox: tuple[Inbox, str], kind: str
) -> None:
    """Both forms have postal address and site links, and news can be unsubscribed from."""
    kept, url = inbox
    way_out = (
        {"unsubscribeUrl": f"{SITE}/newsletter/unsubscribe?code=c"}
        if KINDS[kind].is_optional
        else {}
    )

    SmtpSender(url, IDENTITY).send(make_email(kind, values=way_out))

    [message] = kept.messages
    for form in ("plain", "html"):
        body = message.get_body((form,))
        assert body is not None
        text = body.get_content()
        assert IDENTITY.postal_address in text
        links = re.findall(r"https?://[^\s<>\"']+", text)
        assert links
        # A renewal is confirmed on the provider's page, and the chat is the organisation's.
        others = ("https://invoice.stripe.com/", "https://chat.example")
        ours = [link for link in links if not link.startswith(others)]
        assert {link[: len(SITE)] for link in ours} == {SITE}
        assert (f"{SITE}/newsletter/unsubscribe?code=c" in text) is (KINDS[kind].is_optional)
    assert ("List-Unsubscribe" in message) is (KINDS[kind].is_optional)
    assert (message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click") is (
        KINDS[kind].is_optional
    )


def test_a_long_way_out_arrives_as_it_is(inbox: tuple[Inbox, str]) -> None:
    """A folded header would be encoded, and mail programs would not find the long link."""
    kept, url = inbox
    link = f"{SITE}/newsletter/unsubscribe?code={'c' * 200}"

    SmtpSender(url, IDENTITY).send(make_email("vote_opened", values={"unsubscribeUrl": link}))

    [message] = kept.messages
    assert dict(message.raw_items())["List-Unsubscribe"].strip() == f"<{link}>"


def test_an_email_without_a_postal_address_stays(inbox: tuple[Inbox, str]) -> None:
    """The law requires the address in each email; until it is set, emails stay in the outbox."""
    kept, url = inbox
    identity = SenderIdentity(sender=IDENTITY.sender, contact_email=IDENTITY.contact_email)

    with pytest.raises(Unavailable, match="No postal address is set"):
        SmtpSender(url, identity).send(make_email())
    assert kept.messages == []


def test_an_offered_email_does_not_arrive(inbox: tuple[Inbox, str]) -> None:
    """The server takes or refuses the recipient, in the same words as for an email it gets."""
    kept, url = inbox
    sender = SmtpSender(url, IDENTITY)

    sender.offer(make_email("vote_reminder"))
    with pytest.raises(Unavailable, match=r"refused the recipient \(550\)") as refused:
        sender.offer(make_email("vote_reminder", address="nobody@example.org"))
    assert "nobody@" not in refused.value.message
    assert kept.messages == []


class BusyAfterwards(Inbox):
    """Takes an email, and then answers QUIT with an error."""

    async def handle_QUIT(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Refuse to say goodbye."""
        return "421 Too many connections"


def test_an_accepted_email_is_sent_despite_a_later_error() -> None:
    """Otherwise it would be sent again."""
    kept = BusyAfterwards()
    with running(kept) as url:
        SmtpSender(url, IDENTITY).send(make_email("receipt"))

    assert len(kept.messages) == 1


def test_smtp_hands_the_email_over() -> None:
    """The server gets the message after a login with the address's credentials."""
    kept, seen = Inbox(), list[object]()

    def log_in(_server: Any, _session: Any, _envelope: Any, _way: str, data: object) -> AuthResult:
        seen.append(data)
        return AuthResult(success=True)

    with running(kept, authenticator=log_in, auth_require_tls=False) as url:
        sender = SmtpSender(url.replace("//", "//ama:p%40ss@"), IDENTITY)
        sender.send(make_email())

    assert [one["Subject"] for one in kept.messages] == ["Receipt for your payment of $10.00"]
    assert seen == [LoginPassword(b"ama", b"p@ss")]
    assert sender.keep_only(set) == 0


class Busy(Inbox):
    """Takes no email now."""

    async def handle_MAIL(self, *_: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Refuse the sender."""
        return "451 later"


@pytest.mark.parametrize("ask", [SmtpSender.send, SmtpSender.offer])
def test_a_refused_sender_is_reported_by_its_code(ask: Ask) -> None:
    """Any other refusal is reported with the server's code."""
    with running(Busy()) as url, pytest.raises(Unavailable, match=r"it answered 451"):
        ask(SmtpSender(url, IDENTITY), make_email())


def test_a_server_that_speaks_no_tls_is_left(
    inbox: tuple[Inbox, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No email is sent unencrypted to another machine."""
    kept, url = inbox
    monkeypatch.setattr("jara.mail.senders._THIS_MACHINE", frozenset())
    with pytest.raises(Unavailable, match="cannot be reached"):
        SmtpSender(url, IDENTITY).send(make_email())

    assert kept.messages == []


def test_smtps_never_falls_back_to_plain_text(inbox: tuple[Inbox, str]) -> None:
    """``smtps`` does not fall back to plain text."""
    kept, url = inbox
    sender = SmtpSender(url.replace("smtp:", "smtps:"), IDENTITY, timeout_seconds=2)
    with pytest.raises(Unavailable, match="cannot be reached"):
        sender.send(make_email())

    assert kept.messages == []
