"""Operators, their signed acts, the audit log, approvals, news, queued emails, and the database."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


class AuditRow(NamedTuple):
    """An operator's act: who, when, what, why, and the values before and after.

    For personal data it has only the names of the changed fields.
    """

    at: datetime
    operator: str
    action: str
    subject: str
    why: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]


class Approval(NamedTuple):
    """An action over the limit that waits for a second operator's approval."""

    id: str
    action: str
    payload: Mapping[str, Any]
    why: str
    state: str
    prepared_by: str
    prepared_at: datetime
    decided_by: str | None = None
    decided_at: datetime | None = None

    @property
    def cents(self) -> int:
        """What it takes out; 0 for most acts."""
        return int(self.payload.get("cents", 0))


class Operator(NamedTuple):
    """A person who may run commands; removed ones stay in the list.

    ``email`` gets notice of changed ways to pay; it may be empty.
    """

    name: str
    added_at: datetime
    removed_at: datetime | None = None
    email: str = ""


class SignedAct(NamedTuple):
    """An act that an operator signed; each nonce is valid once."""

    nonce: str  # the nonce in the statement
    at: datetime  # when it was accepted
    operator: str  # the owner of the key
    key: str  # the fingerprint of the key
    statement: str  # the exact bytes that were signed, as text
    signature: str  # the SSH signature in base64
    approval: str | None = None  # the approval it belongs to, if any


class Email(NamedTuple):
    """A queued or sent email.

    ``kind`` names the template, ``doc`` has its values; ``once_key`` prevents queueing a
    notice twice. ``sealed`` is the link with a code, encrypted; a sent email has none.
    ``refused_at`` is when it was given up: the mail server never takes it.
    """

    id: str
    kind: str
    address: str
    doc: Mapping[str, Any]
    created_at: datetime
    due_at: datetime
    member_id: str | None = None
    once_key: str | None = None
    attempts: int = 0
    sent_at: datetime | None = None
    failure: str | None = None
    sealed: str | None = None
    refused_at: datetime | None = None


class Command(NamedTuple):
    """The operator's command: its words, and its values by name."""

    verb: str
    arguments: Mapping[str, Any]


NEW_ORGANISATION = "`jara init` creates one."
"""What to do where no organisation is, unless its keys are there."""

OLDEST_SQLITE = (3, 51, 3)
"""The oldest supported SQLite; older versions may lose data."""


class DatabaseFacts(NamedTuple):
    """Facts about the database itself."""

    engine: str
    engine_version: str
    location: str
    schema_version: int
    journal_mode: str
    size_bytes: int
    readable_by_others: bool


class NewsItem(NamedTuple):
    """Something that happened, to be told once to everyone it concerns."""

    id: str  # its once-key, such as ``update:second-tank``
    kind: str  # the kind of email that tells it
    about: Mapping[str, Any]  # what happened, by reference: emails are written when they are sent
    at: datetime  # when it happened, or was published again
    reached: str = ""
    """Up to which recipient emails are queued; empty before the first and after the last."""
    done_at: datetime | None = None  # when they were queued for everybody; None while some wait


class Announcement(NamedTuple):
    """What was written to many at once."""

    id: str  # such as ``ann_4f7k2m9q``
    kind: str  # the kind of its emails
    about: Mapping[str, Any]  # its texts and audience, or what changes and when
    digest: str  # equal for the same texts
    recipients: int  # how many it was for when it was announced
    operator: str  # who announced it
    at: datetime
    withdrawn_at: datetime | None = None  # since when no email of it goes out any more
