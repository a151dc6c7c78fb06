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
        """Add one to a fact that is a number; without it, it begins with one."""
        ...


class AuditRow(NamedTuple):
    """What an operator did: who, when, what, why, and the values before and after.

    Of a person's data only the names of changed fields appear.
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
    """A person who may run commands; removed ones are kept."""

    name: str
    added_at: datetime
    removed_at: datetime | None = None


class SignedAct(NamedTuple):
    """An act that an operator signed; the nonce is used once.

    Args:
        nonce: from the statement.
        at: when it was accepted.
        operator: whose key it was.
        key: the fingerprint of the key.
        statement: the exact bytes that are signed, as text.
        signature: the SSH signature in base64.
        approval: the approval that it is for, if any.
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
        """Return the name of the operator of each key, by fingerprint."""
        ...

    def name_key(self, fingerprint: str, operator: str) -> None:
        """Store whose key it is; the log holds no names."""
        ...

    def add_signed(self, act: SignedAct) -> bool:
        """Store a signed act; False when its nonce was used before."""
        ...

    def signed_for(self, approval: str) -> list[SignedAct]:
        """Return what was signed for an approval, oldest first."""
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
        """Return the acts, of one subject or of one kind when asked, oldest first."""
        ...

    def approvals(self, *, waiting_only: bool) -> list[Approval]:
        """Return the waiting approvals, or all, oldest first."""
        ...

    def put_approval(self, approval: Approval) -> None:
        """Store an approval."""
        ...


class Email(NamedTuple):
    """A queued or sent email.

    ``kind`` names the template, ``doc`` holds its values; ``once_key`` keeps a notice
    from being written twice.
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
    """The email queue, written in the transaction of the cause."""

    def add(self, email: Email) -> bool:
        """Store an email; False when its once-key was used before."""
        ...

    def add_new(self, emails: Iterable[Email]) -> int:
        """Store those of many emails whose once-keys were not used before; return how many."""
        ...

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[Email]:
        """Lease due emails, so that no other process sends them meanwhile."""
        ...

    def sent(self, email_id: str, *, at: datetime) -> None:
        """Mark an email as sent."""
        ...

    def failed(self, email_id: str, *, reason: str, due_at: datetime) -> None:
        """Record why sending an email failed, and when to try again."""
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
        """Remove an email that is neither sent nor being sent; return whether there was one."""
        ...

    def count(self, once_keys: Iterable[str]) -> int:
        """Return how many emails with these once-keys there are, sent or not."""
        ...

    def erase_before(self, at: datetime) -> int:
        """Remove the emails written before an instant, sent or not; return how many."""
        ...


class MailSender(Protocol):
    """Sends emails."""

    def send(self, email: Email) -> None:
        """Send one email.

        Raises:
            Unavailable: it could not be handed over; trying again may help.
        """
        ...

    def keep_only(self, email_ids: Container[str]) -> int:
        """Remove copies of all other emails, where copies are kept; return how many."""
        ...
