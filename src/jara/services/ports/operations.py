"""Ports of operations: facts, operators, audit log, approvals, emails."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class MetaRepository(Protocol):
    """Small facts about the organisation itself."""

    def get(self, key: str) -> str | None:
        """Return a fact, or None."""
        ...

    def put(self, key: str, value: str) -> None:
        """Store a fact."""
        ...

    def count_up(self, key: str) -> None:
        """Increment a numeric fact; a missing one becomes 1."""
        ...


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


class Operator(NamedTuple):
    """A person who may run commands; removed ones stay in the list."""

    name: str
    added_at: datetime
    removed_at: datetime | None = None


class SignedAct(NamedTuple):
    """An act that an operator signed; each nonce is valid once.

    Args:
        nonce: the nonce in the statement.
        at: when it was accepted.
        operator: the owner of the key.
        key: the fingerprint of the key.
        statement: the exact bytes that were signed, as text.
        signature: the SSH signature in base64.
        approval: the approval it belongs to, if any.
    """

    nonce: str
    at: datetime
    operator: str
    key: str
    statement: str
    signature: str
    approval: str | None = None


class OperationsRepository(Protocol):
    """Operators, the audit log, and approvals."""

    def key_names(self) -> dict[str, str]:
        """Return the operator's name for each key, by fingerprint."""
        ...

    def name_key(self, fingerprint: str, operator: str) -> None:
        """Store the owner of a key; the log contains no names."""
        ...

    def add_signed(self, act: SignedAct) -> bool:
        """Store a signed act; return False if its nonce was used before."""
        ...

    def signed_for(self, approval: str) -> list[SignedAct]:
        """Return the signed acts for an approval, oldest first."""
        ...

    def operators(self) -> list[Operator]:
        """Return every operator ever added, by name."""
        ...

    def put_operator(self, operator: Operator) -> None:
        """Add or change an operator."""
        ...

    def record(self, row: AuditRow) -> None:
        """Append an act to the audit log."""
        ...

    def audit(self, *, subject: str | None = None, action: str | None = None) -> list[AuditRow]:
        """Return the acts, optionally of one subject or one kind, oldest first."""
        ...

    def approvals(self, *, waiting_only: bool) -> list[Approval]:
        """Return the waiting approvals, or all, oldest first."""
        ...

    def put_approval(self, approval: Approval) -> None:
        """Store an approval."""
        ...


class Email(NamedTuple):
    """A queued or sent email.

    ``kind`` names the template, ``doc`` has its values; ``once_key`` prevents queueing a
    notice twice.
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


class OutboxRepository(Protocol):
    """The email queue; emails are added in the transaction that causes them."""

    def add(self, email: Email) -> bool:
        """Store an email; return False if its once-key was used before."""
        ...

    def add_new(self, emails: Iterable[Email]) -> int:
        """Store the emails with unused once-keys; return how many."""
        ...

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[Email]:
        """Lease due emails, so that no other process sends them."""
        ...

    def sent(self, email_id: str, *, at: datetime) -> None:
        """Mark an email as sent."""
        ...

    def failed(self, email_id: str, *, reason: str, due_at: datetime) -> None:
        """Record why sending an email failed, and when to retry."""
        ...

    def all(self, *, waiting_only: bool = False) -> list[Email]:
        """Return the emails, newest first."""
        ...

    def count_waiting(self) -> int:
        """Return how many emails wait to be sent."""
        ...

    def of_member(self, member_id: str) -> list[Email]:
        """Return the emails to a member, newest first."""
        ...

    def erase_member(self, member_id: str) -> None:
        """Remove every email to a member."""
        ...

    def remove(self, email_id: str) -> None:
        """Remove an email, with its address."""
        ...

    def withdraw(self, once_key: str, *, now: datetime) -> bool:
        """Remove an email unless it is sent or being sent; return whether one was removed."""
        ...

    def count(self, once_keys: Iterable[str]) -> int:
        """Return the number of emails with these once-keys, sent or not."""
        ...

    def erase_before(self, at: datetime) -> int:
        """Remove the emails created before an instant, sent or not; return how many."""
        ...


class MailSender(Protocol):
    """Sends emails."""

    def send(self, email: Email) -> None:
        """Send one email.

        Raises:
            Unavailable: it could not be sent; a retry may succeed.
        """
        ...

    def keep_only(self, email_ids: Container[str]) -> int:
        """Remove stored copies of all other emails; return how many."""
        ...
