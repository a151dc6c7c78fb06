"""Refused emails, over real SMTP: what a refusal stops, and what it does not."""

from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from jara.bootstrap.emails import mail_sender
from jara.config.loading import load_settings
from jara.domain.email_kinds import KINDS
from jara.domain.organisation import IdentityPart
from jara.languages import known_languages
from jara.mail.rendering import render, sample_values
from jara.mail.senders import SmtpSender
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.legal.changing import change_values
from jara.services.notices.emails import queue_email, queue_member_email
from jara.services.notices.outbox import MailRun, list_outbox, send_due
from jara.services.operations.start_page import read_start_page
from jara.services.operations.upkeep import send_now
from jara.services.ports.outside import MailSender
from tests.harness import clock_of, make_organisation
from tests.mail.emails_for_tests import IDENTITY, make_email, running
from tests.services.notices.noticed_members import add_member

SAFE = {"7bit", "quoted-printable"}
"""Encodings that no server changes on the way."""


class Server:
    """Answers by the name of the recipient: ``550-ama@...`` or ``data-554-ama@...``."""

    def __init__(self) -> None:
        """Start empty."""
        self.asked: list[str] = []
        self.received: list[bytes] = []
        self.corrected = False

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        """Take the recipient, or answer with the code in its name."""
        self.asked.append(address)
        code = address.partition("-")[0]
        if code.isdecimal() and not self.corrected:
            status = {"421": "4.3.2", "452": "4.3.1"}.get(code, f"{code[0]}.1.1")
            return f"{code} {status} <{address}> is not taken here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Take the email, or answer with the code in the recipient's name."""
        if envelope.rcpt_tos[0].startswith("data-"):
            return f"{envelope.rcpt_tos[0][5:8]} not taken"
        self.received.append(envelope.content)
        return "250 OK"


class Plain(SMTP):
    """A server that does not offer 8BITMIME."""

    async def ehlo_hook(self, responses: list[str]) -> list[str]:
        """Leave the word out of the answer."""
        return [line for line in responses if "8BITMIME" not in line]


class PlainController(Controller):
    """Runs `Plain`."""

    def factory(self) -> SMTP:
        """Return the server of one connection."""
        return Plain(self.handler, **self.SMTP_kwargs)


@pytest.fixture
def mail(place: Path) -> Iterator[tuple[Context, MailSender, Server]]:
    """An organisation that sends through a mail server."""
    server = Server()
    context = make_organisation(place)
    change_values(context, {IdentityPart.ADDRESS: "1 Main Street, Toronto"})
    with running(server, PlainController) as url:
        yield context, mail_sender(context, load_settings({"JARA_SMTP_URL": url})), server


def write_to(context: Context, *names: str, language: str = "en") -> None:
    """Queue a receipt to each name at example.org, in this order."""
    for name in names:
        clock_of(context).advance(seconds=1)
        values = {"firstname": "Ama", "language": language}
        with context.store.write() as work:
            queue_email(
                context,
                work,
                "account_closed",
                address=f"{name}@example.org",
                values=values,
                member_id=name,
            )


@pytest.mark.parametrize("code", ["550", "552", "553", "450", "451"])
def test_refused_recipients_stop_nobody_else(
    mail: tuple[Context, MailSender, Server], code: str
) -> None:
    """Five refused recipients in a row say nothing about the server; the sixth gets its email."""
    context, sender, server = mail
    write_to(context, *(f"{code}-{n}" for n in range(5)), "ama")

    run = send_due(context, sender)

    assert (run.sent, run.failed) == (1, 5)
    assert len(server.received) == 1


@pytest.mark.parametrize("code", ["421", "452"])
def test_a_server_that_cannot_work_is_left_alone(
    mail: tuple[Context, MailSender, Server], code: str
) -> None:
    """After three answers that are about the server itself, the sweep ends."""
    context, sender, server = mail
    write_to(context, *(f"{code}-{n}" for n in range(5)), "ama")

    assert send_due(context, sender).failed == 3
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("550-ama", "it refused the recipient (550 5.1.1)."),
        ("data-554-ama", "it refused the email (554)."),
    ],
)
def test_a_final_answer_is_final(
    mail: tuple[Context, MailSender, Server], name: str, reason: str
) -> None:
    """In 60 days the email is tried once; the operator sees why (RFC 5321 §4.2.1)."""
    context, sender, server = mail
    write_to(context, name)

    for _ in range(60):
        send_due(context, sender)
        clock_of(context).advance(days=1)

    assert len(server.asked) == 1
    (email,) = list_outbox(context)
    assert (email.attempts, email.failure) == (1, f"The mail server 127.0.0.1: {reason}")
    waiting = {one.what: one.command for one in read_start_page(context).waiting}
    assert waiting["1 email refused"] == "jara mail outbox"
    assert not any("to be sent" in what for what in waiting)


@pytest.mark.parametrize("name", ["451-ama", "data-451-ama"])
def test_a_passing_answer_is_tried_again(
    mail: tuple[Context, MailSender, Server], name: str
) -> None:
    """An answer from 400 on may change."""
    context, sender, server = mail
    write_to(context, name)

    assert send_due(context, sender).failed == 1
    clock_of(context).advance(minutes=5)
    assert send_due(context, sender).failed == 1
    assert len(server.asked) == 2


def test_refused_emails_are_sent_after_a_correction(
    mail: tuple[Context, MailSender, Server],
) -> None:
    """A relay that was set up wrongly refuses everybody; the operator sends these once more."""
    context, sender, server = mail
    write_to(context, *(f"550-{n}" for n in range(5)))
    assert send_due(context, sender).failed == 5

    server.corrected = True
    assert send_now(context, sender).sent == 0
    assert send_now(context, sender, and_refused=True) == MailRun(sent=5)
    assert list_outbox(context) == []


def test_an_email_survives_a_relay_of_seven_bits(mail: tuple[Context, MailSender, Server]) -> None:
    """No byte has its eighth bit set, so no relay must change a signed email (RFC 6376 §5.3)."""
    context, sender, server = mail
    write_to(context, "ama", language="fr")

    assert send_due(context, sender).sent == 1

    (raw,) = server.received
    assert raw.isascii()
    assert max(map(len, raw.splitlines())) <= 998
    text, _html = message_from_bytes(raw, policy=default).iter_parts()
    assert "é" in text.get_content()


def test_addresses_of_a_payment_provider_stop_no_others(
    mail: tuple[Context, MailSender, Server],
) -> None:
    """Givers without an account typed them there: in any script, or no addresses at all."""
    context, sender, server = mail
    values = sample_values("gift_receipt", organisation="Jara", site_url="https://jara.example")
    unusable = ("ama@", "ama", "josé@example.org", "ama@exa\u202emple.org", "a\n@example.org")
    with context.store.write() as work:
        for address in (*unusable, "kofi@bücher.example", "esi@example.org"):
            queue_email(context, work, "gift_receipt", address=address, values=values)

    run = send_due(context, sender)

    assert (run.sent, run.failed) == (2, len(unusable))
    assert server.asked == ["kofi@xn--bcher-kva.example", "esi@example.org"]
    assert sorted(one.address for one in list_outbox(context)) == sorted(unusable)
    assert send_due(context, sender) == MailRun()


def test_a_refused_reminder_content_leaves_no_trace(
    mail: tuple[Context, MailSender, Server],
) -> None:
    """Voters' reminders are only offered, so a refused content must not tell who had not voted."""
    context, sender, _server = mail
    values = sample_values("vote_reminder", organisation="Jara", site_url="https://jara.example")
    members = [add_member(context, name) for name in ("data-554-ama", "550-esi")]
    with context.store.write() as work:
        for member in members:
            queue_member_email(
                context, work, "vote_reminder", member, values={**values, "proposal": "p-1"}
            )

    assert send_due(context, sender).failed == 1

    (refused,) = list_outbox(context)
    assert refused.address == "550-esi@example.org"


def test_a_defect_at_sending_leaves_no_trace_for_a_reminder(
    mail: tuple[Context, MailSender, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only an email that is sent, and not offered, meets it."""

    def fail(_sender: SmtpSender, _email: Email) -> None:
        raise ValueError("a defect")

    context, sender, _server = mail
    monkeypatch.setattr(SmtpSender, "send", fail)
    values = sample_values("vote_reminder", organisation="Jara", site_url="https://jara.example")
    member = add_member(context, "ama")
    with context.store.write() as work:
        values |= {"proposal": "p-1"}
        queue_member_email(context, work, "vote_reminder", member, values=values)

    assert send_due(context, sender) == MailRun(sent=1)
    assert list_outbox(context) == []


def test_no_kind_of_email_needs_a_server_that_takes_8_bits(
    mail: tuple[Context, MailSender, Server],
) -> None:
    """Each kind arrives as it was written, in ASCII and short lines: a signature stays valid."""
    _, sender, server = mail
    calendar = f"BEGIN:VCALENDAR\nSUMMARY:Fête d’été, {'é' * 40}\nEND:VCALENDAR\n"
    for kind in KINDS:
        for language in known_languages():
            values = {"language": language, "firstname": "Zoë", "calendar": calendar}
            email = make_email(kind, values=values)
            sender.send(email)

            data = server.received.pop()
            message = message_from_bytes(data, policy=default)
            parts = [part for part in message.walk() if not part.is_multipart()]
            assert data.isascii(), kind
            assert max(map(len, data.splitlines())) <= 998, kind
            assert {part["Content-Transfer-Encoding"] for part in parts} <= SAFE, kind
            text, _, attached = (part.get_content().replace("\r\n", "\n") for part in parts)
            written = render(kind, email.doc, IDENTITY).text
            assert text.partition("-- \n")[0] == written.partition("-- \n")[0], kind
            assert attached == calendar, kind
