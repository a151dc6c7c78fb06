"""An identity and an email that tests send, and a mail server that takes it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller

from jara.mail.rendering import SenderIdentity, sample_values
from jara.records.operations import Email
from tests.journeys.live_server import free_port

IDENTITY = SenderIdentity(
    sender="Jara <mail@jara.example>",
    postal_address="1 Main Street, Toronto",
    contact_email="help@jara.example",
)
SITE = "https://jara.example"


def make_email(
    kind: str = "receipt",
    *,
    address: str = "ama@example.org",
    values: Mapping[str, str] | None = None,
) -> Email:
    """Return an email with sample values."""
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    doc = {**sample_values(kind, organisation="Jara", site_url=SITE), **(values or {})}
    return Email(id=f"email-{kind}", kind=kind, address=address, doc=doc, created_at=at, due_at=at)


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
            return f"550 No such mailbox: {address}"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Store a message."""
        message = message_from_bytes(envelope.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        return "250 OK"


@contextmanager
def running(
    handler: object, controller: type[Controller] = Controller, **options: Any
) -> Iterator[str]:
    """Run a mail server with a handler of aiosmtpd; return its address."""
    server = controller(handler, hostname="127.0.0.1", port=free_port(), **options)
    server.start()
    try:
        yield f"smtp://127.0.0.1:{server.port}"
    finally:
        server.stop()
