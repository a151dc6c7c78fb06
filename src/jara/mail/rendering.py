"""Turns an email of the outbox into a message with a plain text and an HTML body.

Both come from one template: a text file with the subject in its first line, then
paragraphs. ``_frame.html`` escapes the filled text, so no value can add markup.
For ``jara mail preview`` there is a file with sample values beside each template.
"""

import json
from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from importlib.resources import files
from typing import NamedTuple

from jinja2 import UndefinedError
from markupsafe import Markup

from jara.domain.currency import written_for
from jara.domain.email_kinds import Recipient, kind_of
from jara.domain.errors import Unavailable
from jara.domain.giving.member import with_ascii_domain
from jara.domain.language import ENGLISH, Language
from jara.domain.markdown import markdown_html, markdown_text
from jara.languages import about, available
from jara.mail.templating import HEADING, MARKDOWN, MARKS, PICTURE, complete_values, templates_of
from jara.records.operations import Email
from jara.services.ports.outside import FINAL_REPLY, EmailRefused

_LINE_MAX = 998
_POLICY = SMTP.clone(max_line_length=_LINE_MAX)
"""Headers are not folded (RFC 5322 §2.1.1 allows this length): folding encodes a link, and mail
programs do not find it."""
_TEMPLATES = files("jara.mail") / "templates"


class SenderIdentity(NamedTuple):
    """What every email says about its sender."""

    sender: str  # the From line, ``Name <address>`` or an address
    postal_address: str = ""  # of the organisation; anti-spam laws require it in each message
    contact_email: str = ""  # for questions; empty when not set
    organisation: str = ""  # the name; empty for the one that was stored with the email
    legal_name: str = ""  # the legal name, if it differs
    colour: str = ""  # of the line above the text, as ``#rrggbb``; empty for none
    logo: str = ""  # the absolute URL of the logo, if mail programs can show it; empty for none
    return_path: str = ""
    """The address for delivery reports, with ``{id}`` for the email's mark; empty for the sender's
    address."""


class RenderedEmail(NamedTuple):
    """An email's subject and its two bodies."""

    subject: str
    text: str
    html: str


def render(kind: str, values: Mapping[str, object], identity: SenderIdentity) -> RenderedEmail:
    """Fill a template, in the language and with the sign of the country that the values name.

    Raises:
        NotFound: there is no such kind.
        Unavailable: a value is missing.
    """
    with written_for(str(values.get("country", ""))):
        return _filled(kind, values, identity)


def _filled(kind: str, values: Mapping[str, object], identity: SenderIdentity) -> RenderedEmail:
    declared = kind_of(kind)
    plain = complete_values(values)
    if identity.organisation:
        plain["organisation"] = identity.organisation
    language = language_of(values)
    templates = templates_of(language)
    if "firstname" in plain:
        plain["greeting"] = templates.get_template("_greeting.txt").render(plain)
    try:
        filled = templates.get_template(f"{kind}.txt").render(plain)
        footer = templates.get_template("_footer.txt").render(
            plain, identity=identity, about=about(declared, language), consent=declared.consent
        )
    except UndefinedError as error:
        raise Unavailable(f"The email '{kind}' lacks a value: {error}.") from error
    subject, _, body = filled.partition("\n")
    paragraphs = [
        _markdown(values) if part.strip() == MARKDOWN else _read_paragraph(part.strip())
        for part in body.split("\n\n")
        if part.strip()
    ]
    return RenderedEmail(
        subject=subject,
        text="\n\n".join([*(paragraph.text for paragraph in paragraphs), f"-- \n{footer}"]),
        html=templates.get_template("_frame.html").render(
            subject=subject, paragraphs=paragraphs, footer=footer.splitlines(), identity=identity
        ),
    )


class _Paragraph(NamedTuple):
    """A paragraph of an email."""

    mark: str  # one of `MARKS`; empty for plain text
    lines: list[str]  # its lines; those of a picture are its address and its description
    html: Markup = Markup()  # of a Markdown text

    @property
    def text(self) -> str:
        """The paragraph as plain text."""
        if self.mark == HEADING:
            return f"{self.lines[0]}\n{'-' * len(self.lines[0])}"
        if self.mark == PICTURE:
            return ": ".join(reversed(self.lines))
        return "\n".join(self.lines)


def _markdown(values: Mapping[str, object]) -> _Paragraph:
    text, site_url = str(values["markdown"]), str(values["siteUrl"])
    html = Markup(markdown_html(text, site_url=site_url))  # noqa: S704 - HTML in it is escaped
    return _Paragraph(MARKDOWN, markdown_text(text, site_url=site_url).splitlines(), html)


def _read_paragraph(text: str) -> _Paragraph:
    mark = text[0] if text[0] in MARKS else ""
    return _Paragraph(mark, text.removeprefix(mark).splitlines())


def language_of(values: Mapping[str, object]) -> Language:
    """Return the language in an email's values, or English if that has no texts."""
    return available(str(values.get("language", ENGLISH)))


def build_message(email: Email, identity: SenderIdentity) -> EmailMessage:
    """Build the message of an email, with its headers."""
    rendered = render(email.kind, email.doc, identity)
    message = EmailMessage(policy=SMTP)
    message["From"] = identity.sender
    address = with_ascii_domain(email.address)
    try:
        message["To"] = Address(addr_spec=address)
        address.encode("ascii")
    except (ValueError, IndexError) as error:  # the latter for an address without a domain
        sentence = f"The email {email.id} has no usable address."
        raise EmailRefused(sentence, reply=FINAL_REPLY) from error
    # `EmailMessage` decodes encoded words (RFC 2047) in a header, line breaks in them too.
    message["Subject"] = rendered.subject.replace("=?", "=\u200b?")
    message["Date"] = format_datetime(email.created_at)
    message["Message-ID"] = f"<{_mark_of(email)}@{_domain(identity.sender)}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no out-of-office answers
    if kind_of(email.kind).is_optional:
        _add_unsubscribe(message, email, identity)
    message.set_content(rendered.text, cte=_encoding_of(rendered.text))
    message.add_alternative(rendered.html, subtype="html", cte=_encoding_of(rendered.html))
    calendar = email.doc.get("calendar")
    if calendar:
        text = str(calendar)
        message.add_attachment(
            text, subtype="calendar", filename="event.ics", cte=_encoding_of(text)
        )
    message["Content-Language"] = language_of(email.doc)  # set_content removes such headers
    message.policy = _POLICY
    return message


def return_path_of(email: Email, identity: SenderIdentity) -> str:
    """Return the address to which mail servers report that an email did not arrive."""
    if identity.return_path:
        return identity.return_path.replace("{id}", _mark_of(email, "returnMark"))
    return parseaddr(identity.sender)[1]


def _mark_of(email: Email, part: str = "mark") -> str:
    """Return what names an email in reports; one that is not sent by the outbox has its id."""
    return str(email.doc.get(part, email.id))


def _encoding_of(text: str) -> str:
    """Return an encoding that no server changes on the way, which would break a DKIM signature."""
    is_plain = text.isascii() and max(map(len, text.splitlines()), default=0) <= _LINE_MAX
    return "7bit" if is_plain else "quoted-printable"


def _add_unsubscribe(message: EmailMessage, email: Email, identity: SenderIdentity) -> None:
    """Add the unsubscribe headers: one-click (RFC 8058) if the email has a link, else by mail."""
    address = email.doc.get("unsubscribeUrl")
    if address:
        message["List-Unsubscribe"] = f"<{address}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    elif identity.contact_email:
        message["List-Unsubscribe"] = f"<mailto:{identity.contact_email}?subject=unsubscribe>"


def _domain(sender: str) -> str:
    return sender.rstrip(">").rpartition("@")[2] or "localhost"


def sample_values(kind: str, *, organisation: str, site_url: str) -> dict[str, object]:
    """Return values for an email of a kind.

    Raises:
        NotFound: there is no such kind.
    """
    common = {"organisation": organisation, "siteUrl": site_url, "firstname": "Ama"}
    own = _TEMPLATES / f"{kind_of(kind).name}.json"
    return {**common, **json.loads(own.read_text("utf-8"))}


def preview(
    kind: str,
    identity: SenderIdentity,
    organisation: str,
    site_url: str,
    language: Language = ENGLISH,
) -> RenderedEmail:
    """Return an email with sample values.

    Raises:
        NotFound: there is no such kind.
    """
    values = sample_values(kind, organisation=organisation, site_url=site_url)
    if {Recipient.MEMBERS, Recipient.READERS} & {*kind_of(kind).to}:
        values["choiceUrl"] = f"{site_url}/emails?code=sample"
    return render(kind, {**values, "language": language}, identity)
