"""Reads delivery reports: RFC 3464, what mail servers wrote before it, and Amazon SES as JSON.

A report is found by the mark of our email, wherever it is: in the return path, the Message-ID or
the returned text. So nothing depends on where a mail server writes it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parseaddr
from pathlib import Path
from typing import Any, BinaryIO

from jara.domain.errors import InvalidInput, NotFound
from jara.domain.giving.member import email_key
from jara.domain.returned_email import MARK_DIGITS, DeliveryReport, Failure, Ignored

MESSAGE_BYTES_MAX = 2_000_000
"""What is read of a message; the rest of a longer one is skipped."""
_LINE_BYTES = 65_536
_ENVELOPE = b"From "
_MAILDIR = ("new", "cur")

_MARK = re.compile(rf"(?<![0-9a-f])[0-9a-f]{{{MARK_DIGITS}}}(?![0-9a-f])", re.IGNORECASE)
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"'=]{1,64}@[^\s<>()\[\]:;,\"'=]{1,255}")
_MARKS_MAX, _ADDRESSES_MAX = 20, 50
_STATUS = re.compile(r"(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])")
_REPLY = re.compile(r"(?<![\d.])[45]\d\d(?=[ -])")
_UNKNOWN = re.compile(
    r"(unknown|no such|invalid|unrouteable|does(?: not|n't) exist|not found|no mailbox)",
    re.IGNORECASE,
)
_ROBOTS = frozenset({"mailer-daemon", "postmaster", "mail-daemon", "mdaemon"})
_ARRIVED = frozenset({"delivered", "relayed", "expanded"})


def read_messages(source: Path | BinaryIO) -> Iterator[bytes]:
    """Return the messages of a mailbox (mbox or Maildir), of one message, or of JSON documents.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is a folder, but no Maildir.
    """
    if isinstance(source, Path):
        if not source.exists():
            raise NotFound(f"There is no file '{source}'.")
        if source.is_dir():
            yield from _read_maildir(source)
            return
        with source.open("rb") as stream:
            yield from _read_stream(stream)
    else:
        yield from _read_stream(source)


def _read_maildir(folder: Path) -> Iterator[bytes]:
    parts = [folder / name for name in _MAILDIR if (folder / name).is_dir()]
    if not parts:
        raise InvalidInput(f"'{folder}' is a folder without '{_MAILDIR[0]}' and '{_MAILDIR[1]}'.")
    for path in sorted(path for part in parts for path in part.iterdir() if path.is_file()):
        with path.open("rb") as stream:
            yield stream.read(MESSAGE_BYTES_MAX)


def _read_stream(stream: BinaryIO) -> Iterator[bytes]:
    first = stream.readline(_LINE_BYTES)
    if first.lstrip()[:1] == b"{":
        yield from _read_documents(first + stream.read(MESSAGE_BYTES_MAX))
        return
    is_mailbox = first.startswith(_ENVELOPE)
    message, after_blank = bytearray(b"" if is_mailbox else first), False
    has_any = bool(first)
    while line := stream.readline(_LINE_BYTES):
        if is_mailbox and after_blank and line.startswith(_ENVELOPE):
            yield bytes(message)
            message.clear()
        elif len(message) < MESSAGE_BYTES_MAX:
            message += line
        after_blank = line in {b"\n", b"\r\n"}
    if has_any:
        yield bytes(message)


def _read_documents(data: bytes) -> Iterator[bytes]:
    """Return the JSON documents that follow one another; the rest as one if it is broken."""
    text, decoder, place = data.decode("utf-8", "replace").strip(), json.JSONDecoder(), 0
    while place < len(text):
        try:
            _, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = len(text)
        yield text[place:end].encode()
        place = end + len(text[end:]) - len(text[end:].lstrip())


def read_report(data: bytes) -> DeliveryReport | Ignored:
    """Return what a message reports, or why it is no report."""
    try:
        if data.lstrip()[:1] == b"{":
            return _read_notification(data.decode("utf-8", "replace"))
        message = BytesParser(policy=compat32).parsebytes(data[:MESSAGE_BYTES_MAX])
        texts = [data.decode("latin-1"), *_decoded_texts(message)]
        return _read_message(message, texts)
    except Exception:  # noqa: BLE001 - a mailbox may hold anything; nothing in it ends the run
        return Ignored.UNREADABLE


def _decoded_texts(message: Message) -> Iterator[str]:
    """Return the bodies of the parts; those that no encoding hides are in the data as well."""
    for part in message.walk():
        if not part.is_multipart():
            payload = part.get_payload(decode=True)
            yield payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _read_message(message: Message, texts: list[str]) -> DeliveryReport | Ignored:
    blocks = list(_status_blocks(message))
    if blocks:
        outcome = _read_blocks(blocks)
    elif any(part.get_content_type() == "message/feedback-report" for part in message.walk()):
        outcome = Ignored.COMPLAINT
    elif notification := next((text for text in texts if _is_notification(text)), None):
        return _read_notification(notification)
    elif "X-Failed-Recipients" in message or _is_of_robot(message):
        outcome = _read_words(message, texts)
    elif not message.keys():
        outcome = Ignored.UNREADABLE
    else:
        outcome = Ignored.AUTOMATIC if _is_automatic(message) else Ignored.OTHER
    return outcome if isinstance(outcome, Ignored) else _report(texts, outcome)


def _report(texts: Iterable[str], failure: Failure) -> DeliveryReport:
    whole = "\n".join(texts)
    marks = dict.fromkeys(mark.lower() for mark in _MARK.findall(whole))
    addresses = dict.fromkeys(map(email_key, _ADDRESS.findall(whole)))
    return DeliveryReport(tuple(marks)[:_MARKS_MAX], tuple(addresses)[:_ADDRESSES_MAX], failure)


def _status_blocks(message: Message) -> Iterator[Message]:
    """Return the groups of fields in a delivery status that name an action or a status."""
    for part in message.walk():
        if part.get_content_type() != "message/delivery-status":
            continue
        groups = part.get_payload()
        for group in groups if isinstance(groups, list) else []:
            if isinstance(group, Message) and ("Action" in group or "Status" in group):
                yield group


def _read_blocks(blocks: Iterable[Message]) -> Failure | Ignored:
    outcome: Failure | Ignored = Ignored.OTHER
    for block in blocks:
        action = str(block.get("Action", "failed")).strip().lower()
        if action == "failed":
            answer = str(block.get("Diagnostic-Code", ""))
            return _failure(str(block.get("Status", "")), answer)
        outcome = Ignored.DELIVERED if action in _ARRIVED else Ignored.DELAYED
    return outcome


def _failure(status: str, answer: str) -> Failure:
    """Return what a server said; its own code replaces one that says nothing specific."""
    codes = [*_STATUS.findall(status), *_STATUS.findall(answer)]
    specific = [code for code in codes if not code.endswith(".0.0")]
    reply = _REPLY.search(answer)
    return Failure(next(iter(specific or codes), ""), int(reply[0]) if reply else 0, answer)


def _read_words(message: Message, texts: Iterable[str]) -> Failure | Ignored:
    """Read a report in words, as Exim and qmail write it."""
    words = "\n".join(_own_words(message)) or "\n".join(texts)
    subject = str(message.get("Subject", "")).lower()
    if "delayed" in subject or "warning" in subject:
        return Ignored.DELAYED
    failure = _failure("", words)
    if not failure.status and not failure.reply:
        if _UNKNOWN.search(words):
            return failure._replace(status="5.1.1")
        return failure if "X-Failed-Recipients" in message else Ignored.OTHER
    return failure


def _own_words(message: Message) -> Iterator[str]:
    """Return what the mail server wrote, without the returned email."""
    for text in _decoded_texts(message):
        yield re.split(r"^-{3,}.*(?:copy|original|below).*$", text, flags=re.MULTILINE)[0]
        return


def _is_of_robot(message: Message) -> bool:
    local, _, _ = parseaddr(str(message.get("From", "")))[1].lower().partition("@")
    return local in _ROBOTS


def _is_automatic(message: Message) -> bool:
    """Return whether a program answered (RFC 3834), or a vacation note in its older forms."""
    said = str(message.get("Auto-Submitted", "no")).strip().lower()
    older = ("X-Autoreply", "X-Autorespond", "X-Auto-Response-Suppress")
    precedence = str(message.get("Precedence", "")).lower()
    return said != "no" or any(name in message for name in older) or "auto" in precedence


def _is_notification(text: str) -> bool:
    return text.lstrip().startswith("{") and ("notificationType" in text or "eventType" in text)


def _read_notification(text: str) -> DeliveryReport | Ignored:
    """Read a notification of Amazon SES, also inside one of Amazon SNS."""
    document, _ = json.JSONDecoder().raw_decode(text.lstrip())
    if isinstance(document.get("Message"), str):
        document = json.loads(document["Message"])
    kind = str(document.get("notificationType") or document.get("eventType") or "")
    bounce = document.get("bounce")
    if kind != "Bounce" or not isinstance(bounce, dict):
        known = {"Complaint": Ignored.COMPLAINT, "Delivery": Ignored.DELIVERED}
        return known.get(kind, Ignored.DELAYED if kind == "DeliveryDelay" else Ignored.OTHER)
    return _report([json.dumps(document, ensure_ascii=False)], _failure_in(bounce))


def _failure_in(bounce: Mapping[str, Any]) -> Failure:
    recipient = next(iter(bounce.get("bouncedRecipients") or [{}]))
    usual = "5.1.1" if bounce.get("bounceType") == "Permanent" else "4.0.0"
    status = str(recipient.get("status") or usual)
    return _failure(status, str(recipient.get("diagnosticCode", "")))
