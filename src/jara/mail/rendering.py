"""From an email in the outbox to a message: one text, sent as plain text and as HTML.

A template is a text file: the subject in its first line, then paragraphs. Values are
put in before anything is escaped, so that none of them can bring markup along.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from importlib.resources import files
from string import Template

from jara.domain.errors import NotFound, Unavailable
from jara.services.notices.emails import NEWS
from jara.services.ports.operations import Email

_LINK = re.compile(r"https?://[^\s<>\"']+")


@dataclass(frozen=True, slots=True)
class SenderIdentity:
    """Who writes: what stands in every email beside its own words.

    Args:
        sender: the From line, ``Name <address>`` or an address.
        postal_address: where the organisation is; anti-spam laws want it in each message.
        contact_email: whom to write to; empty when nobody is named.
    """

    sender: str
    postal_address: str = ""
    contact_email: str = ""


@dataclass(frozen=True, slots=True)
class RenderedEmail:
    """An email's subject and its two bodies."""

    subject: str
    text: str
    html: str


def template_names() -> list[str]:
    """Return the kinds of emails there are."""
    folder = files("jara.mail") / "templates"
    return sorted(entry.name[:-4] for entry in folder.iterdir() if entry.name.endswith(".txt"))


def render(kind: str, values: Mapping[str, object], identity: SenderIdentity) -> RenderedEmail:
    """Fill a template.

    Raises:
        NotFound: there is no such kind.
        Unavailable: a value is missing.
    """
    source = files("jara.mail") / "templates" / f"{kind}.txt"
    if kind not in template_names():
        raise NotFound(f"There is no email '{kind}'; there are {', '.join(template_names())}.")
    plain = {name: _one_line(str(value)) for name, value in values.items()}
    try:
        filled = Template(source.read_text("utf-8")).substitute(plain)
    except KeyError as error:
        raise Unavailable(f"The email '{kind}' lacks the value {error}.") from error
    subject, _, body = filled.partition("\n")
    paragraphs = [part.strip() for part in body.split("\n\n") if part.strip()]
    footer = _footer(kind, values, identity)
    return RenderedEmail(
        subject=subject,
        text="\n\n".join([*paragraphs, "-- \n" + "\n".join(footer)]) + "\n",
        html=_to_html(subject, paragraphs, footer),
    )


_POLICY = SMTP.clone(max_line_length=998)
"""Headers are not folded (RFC 5322 §2.1.1 allows this length): a link that is folded is
encoded, and mail programs do not find it."""


def build_message(email: Email, identity: SenderIdentity) -> EmailMessage:
    """Make the message of an email, with the headers that mail programs look for."""
    rendered = render(email.kind, email.doc, identity)
    message = EmailMessage(policy=_POLICY)
    message["From"] = identity.sender
    try:
        message["To"] = Address(addr_spec=email.address)
    except ValueError as error:
        raise Unavailable(f"The email {email.id} has no usable address.") from error
    message["Subject"] = rendered.subject
    message["Date"] = format_datetime(email.created_at)
    message["Message-ID"] = f"<{email.id}@{_domain(identity.sender)}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office answers
    if email.kind in NEWS:
        _add_unsubscribe(message, email, identity)
    message.set_content(rendered.text)
    message.add_alternative(rendered.html, subtype="html")
    return message


def _add_unsubscribe(message: EmailMessage, email: Email, identity: SenderIdentity) -> None:
    """Name the way out: one click (RFC 8058) where the email brings it, else by mail."""
    address = email.doc.get("unsubscribeUrl")
    if address:
        message["List-Unsubscribe"] = f"<{address}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    elif identity.contact_email:
        message["List-Unsubscribe"] = f"<mailto:{identity.contact_email}?subject=unsubscribe>"


def _footer(kind: str, values: Mapping[str, object], identity: SenderIdentity) -> list[str]:
    site = values.get("siteUrl", "")
    lines = [_one_line(str(values.get("organisation", ""))), str(site)]
    if identity.postal_address:
        lines.append(_one_line(identity.postal_address))
    if identity.contact_email:
        lines.append(f"Questions: {identity.contact_email}")
    if values.get("sandbox"):
        lines.append("These are sandbox payments with test cards: no real money moves.")
    if kind in NEWS:
        way_out = values.get("unsubscribeUrl") or f"{site}/dashboard"
        lines.append(f"You asked for news of votes and projects. To end them: {way_out}")
    return [line for line in lines if line]


def _to_html(subject: str, paragraphs: list[str], footer: list[str]) -> str:
    frame = (files("jara.mail") / "templates" / "frame.html").read_text("utf-8")
    body = "\n".join(f"<p>{_linked(part)}</p>" for part in paragraphs)
    end = "<br>\n".join(_linked(line) for line in footer)
    return Template(frame).substitute(subject=html.escape(subject), body=body, footer=end)


def _linked(text: str) -> str:
    """Escape a text, turn its addresses into links, and keep its line breaks."""
    pieces: list[str] = []
    place = 0
    for match in _LINK.finditer(text):
        address = html.escape(match[0].rstrip(".,;:!?)"))
        start = match.start()
        pieces += [html.escape(text[place:start]), f'<a href="{address}">{address}</a>']
        place = start + len(match[0].rstrip(".,;:!?)"))
    return "".join([*pieces, html.escape(text[place:])]).replace("\n", "<br>\n")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _domain(sender: str) -> str:
    return sender.rstrip(">").rpartition("@")[2] or "localhost"
