"""Delivery reports as mail servers write them, about an email with a mark."""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

MARK = "0" * 31 + "1" + "abcdef0123456789"
RECIPIENT = "ama@example.org"

_RETURNED = """Return-Path: <bounces+{mark}@jara.example>
From: Jara <mail@jara.example>
To: {to}
Subject: Receipt for your payment of $10.00
Message-ID: <{mark}@jara.example>
"""


def _multipart(
    head: str, words: str, status: str, *, mark: str, to: str, returned: str = "text/rfc822-headers"
) -> str:
    return f"""{head}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b1"

--b1
Content-Type: text/plain; charset=us-ascii

{words}

--b1
Content-Type: message/delivery-status

{status}

--b1
Content-Type: {returned}

{_RETURNED.format(mark=mark, to=to)}
--b1--
"""


def postfix(mark: str = MARK, to: str = RECIPIENT, **said: str) -> str:
    """Return a report of Postfix."""
    return _multipart(
        "Return-Path: <>\nFrom: MAILER-DAEMON@mx.jara.example (Mail Delivery System)\n"
        f"Subject: {said.get('subject', 'Undelivered Mail Returned to Sender')}\n"
        f"To: bounces+{mark}@jara.example\nAuto-Submitted: auto-replied\n",
        "This is the mail system at host mx.jara.example.",
        "Reporting-MTA: dns; mx.jara.example\nX-Postfix-Queue-ID: 4F00A1\n"
        "Arrival-Date: Fri, 20 Nov 2026 12:00:00 +0000 (UTC)\n\n"
        f"Final-Recipient: rfc822; {to}\nOriginal-Recipient: rfc822;{to}\n"
        f"Action: {said.get('action', 'failed')}\nStatus: {said.get('status', '5.1.1')}\n"
        "Remote-MTA: dns; mx.example.org\n"
        f"Diagnostic-Code: smtp; {said.get('answer', '550 5.1.1 User unknown')}",
        mark=mark,
        to=to,
    )


def exim(mark: str = MARK, to: str = RECIPIENT, answer: str = "550 No such user here") -> str:
    """Return a report of Exim, whose status says nothing specific."""
    return _multipart(
        f"X-Failed-Recipients: {to}\nAuto-Submitted: auto-replied\n"
        "From: Mail Delivery System <Mailer-Daemon@jara.example>\n"
        "Subject: Mail delivery failed: returning message to sender\n",
        f"This message was created automatically.\n\n  {to}\n    {answer}",
        f"Reporting-MTA: dns; jara.example\n\nAction: failed\nFinal-Recipient: rfc822;{to}\n"
        f"Status: 5.0.0\nRemote-MTA: dns; mx.example.org\nDiagnostic-Code: smtp; {answer}",
        mark=mark,
        to=to,
        returned="message/rfc822",
    )


def old_exim(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return a report of an old Exim, in words alone."""
    return (
        f"X-Failed-Recipients: {to}\nFrom: Mail Delivery System <Mailer-Daemon@jara.example>\n"
        "Subject: Mail delivery failed: returning message to sender\n\n"
        "A message that you sent could not be delivered to one or more of its recipients.\n"
        f"This is a permanent error. The following address(es) failed:\n\n  {to}\n"
        "    Unrouteable address\n\n"
        "------ This is a copy of the message, including all the headers. ------\n\n"
        f"{_RETURNED.format(mark=mark, to=to)}"
    )


def qmail(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return a report of qmail."""
    return (
        "Return-Path: <>\nFrom: MAILER-DAEMON@example.org\nSubject: failure notice\n\n"
        "Hi. This is the qmail-send program at example.org.\n\n"
        f"<{to}>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n"
        "--- Below this line is a copy of the message.\n\n"
        f"{_RETURNED.format(mark=mark, to=to)}"
    )


def exchange(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return a report of Exchange, with the returned email in it as a part."""
    return _multipart(
        "From: Microsoft Outlook <postmaster@example.org>\n"
        "Subject: Undeliverable: Receipt for your payment of $10.00\n",
        "Your message couldn't be delivered.",
        "Reporting-MTA: dns;mx.example.org\nReceived-From-MTA: dns;mx.jara.example\n\n"
        f"Final-Recipient: rfc822;{to}\nAction: failed\nStatus: 5.1.10\n"
        "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by lookup",
        mark=mark,
        to=to,
        returned="message/rfc822",
    )


def gmail(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return a report of Gmail, whose diagnostic goes over several lines."""
    return _multipart(
        f"X-Failed-Recipients: {to}\nAuto-Submitted: auto-replied\n"
        "From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\n"
        "Subject: Delivery Status Notification (Failure)\n",
        f"** Address not found **\n\nYour message wasn't delivered to {to}.",
        f"Reporting-MTA: dns; googlemail.com\n\nFinal-Recipient: rfc822; {to}\nAction: failed\n"
        "Status: 5.1.1\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to\n"
        " reach does not exist. Please try\n 550 5.1.1 double-checking it.",
        mark=mark,
        to=to,
    )


def ses(mark: str = MARK, to: str = RECIPIENT, **bounce: object) -> str:
    """Return a notification of Amazon SES."""
    recipient = {
        "emailAddress": to,
        "action": "failed",
        "status": "5.1.1",
        "diagnosticCode": "smtp; 550 5.1.1 user unknown",
    }
    document: Mapping[str, object] = {
        "notificationType": "Bounce",
        "bounce": {
            "bounceType": "Permanent",
            "bounceSubType": "General",
            "bouncedRecipients": [recipient],
            **bounce,
        },
        "mail": {"source": f"bounces+{mark}@jara.example", "destination": [to]},
    }
    return json.dumps(document)


def sns(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return the notification of Amazon SES inside one of Amazon SNS."""
    return json.dumps({"Type": "Notification", "MessageId": "1", "Message": ses(mark, to)})


def sns_by_email(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return the notification of Amazon SES as Amazon SNS sends it by email."""
    return (
        "From: AWS Notifications <no-reply@sns.example.com>\nSubject: AWS Notification Message\n"
        f"Content-Type: text/plain; charset=utf-8\n\n{ses(mark, to)}\n\n--\nTo stop, visit ...\n"
    )


def base64_part(mark: str = MARK, to: str = RECIPIENT) -> str:
    """Return a report whose returned email is encoded."""
    from base64 import encodebytes  # noqa: PLC0415 - used by this one alone

    whole = postfix("x", to)
    returned = _RETURNED.format(mark="x", to=to)
    encoded = encodebytes(_RETURNED.format(mark=mark, to=to).encode()).decode()
    return whole.replace(
        "text/rfc822-headers\n", "text/plain\nContent-Transfer-Encoding: base64\n"
    ).replace(returned, encoded)


class Sample(NamedTuple):
    """A way to report that an address does not exist."""

    name: str
    write: Callable[[str, str], str]


HARD = (
    *(Sample("Postfix", postfix), Sample("Exim", exim), Sample("old Exim", old_exim)),
    *(Sample("qmail", qmail), Sample("Exchange", exchange), Sample("Gmail", gmail)),
    *(Sample("SES", ses), Sample("SNS", sns), Sample("SNS by email", sns_by_email)),
    Sample("encoded", base64_part),
)

VACATION = (
    "From: Ama <ama@example.org>\nTo: mail@jara.example\nSubject: Out of office\n"
    "Auto-Submitted: auto-replied\n\nI am away. Error 550 5.1.1 is my favourite.\n"
    f"> Message-ID: <{MARK}@jara.example>\n"
)
SPAM = "From: win@spam.example\nSubject: You won\nTo: bounces@jara.example\n\nClick 550 5.1.1\n"
COMPLAINT = (
    "From: complaints@example.org\nMIME-Version: 1.0\n"
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n'
    "--b\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\nVersion: 1\n\n--b--\n"
)
