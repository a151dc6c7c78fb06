"""Emails over real SMTP to an independent server (aiosmtpd)."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from jara.domain.email_kinds import KINDS
from jara.domain.errors import Unavailable
from jara.mail.rendering import SenderIdentity
from jara.mail.senders import SmtpSender
from tests.mail.emails_for_tests import IDENTITY, SITE, make_email


class Inbox:
    """Stores emails and refuses one address."""

    def __init__(self) -> None:
        """Start empty."""
        self.messages: list[EmailMessage] = []

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Refuse one mailbox, as a server does for an unknown one."""
        if address.startswith("nobody@"):
            return "550 No such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Store a message."""
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    """A running mail server and its address."""
    kept = Inbox()
    with running(kept) as url:
        yield kept, url


@contextmanager
def running(inbox: Inbox) -> Iterator[str]:
    """Run a mail server; give its address."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield f"smtp://127.0.0.1:{port}"
    finally:
        controller.stop()


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
    with pytest.raises(Unavailable, match=r"refused the recipient \(550\)"):
        sender.offer(make_email("vote_reminder", address="nobody@example.org"))
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
