"""Ports of access: sessions, rate limits, mailed codes, newsletter subscribers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class SessionClaims(NamedTuple):
    """The verified claims of a token.

    Args:
        member_id: who signed in.
        session_id: the session's id; renewed tokens keep it.
        epoch: the member's session epoch at sign-in; raising it invalidates this token.
        signed_in_at: the time of the sign-in.
        issued_at: when this token was issued.
        expires_at: when this token expires.
    """

    member_id: str
    session_id: str
    epoch: int
    signed_in_at: datetime
    issued_at: datetime
    expires_at: datetime


class TokenIssuer(Protocol):
    """Issues and reads session tokens."""

    def issue(self, claims: SessionClaims) -> str:
        """Return a signed token."""
        ...

    def read(self, token: str, *, now: datetime) -> SessionClaims | None:
        """Return the claims of a token; None if it is forged, malformed or not valid now."""
        ...


class MailedCode(NamedTuple):
    """A single-use code that was emailed; the database stores only its hash.

    ``subject`` is the recipient: a member's id, or an address.
    """

    code_hash: str
    purpose: str
    subject: str
    expires_at: datetime


class PendingAddress(NamedTuple):
    """An address that waits for confirmation by a code; only the code's hash is stored."""

    member_id: str
    email: str
    code_hash: str
    expires_at: datetime


class UndoCode(NamedTuple):
    """The state of an account before a change, for the link that undoes it.

    ``seq`` numbers a member's changes; undoing one invalidates the links of later ones.
    """

    code_hash: str
    member_id: str
    seq: int
    email: str
    email_confirmed: bool
    password_hash: str
    expires_at: datetime


class Reader(NamedTuple):
    """A newsletter subscription; nothing is sent until the address is confirmed."""

    email: str
    wording: str
    source: str
    asked_at: datetime
    confirmed_at: datetime | None = None


class Remembered(NamedTuple):
    """A request with an idempotency key, and its answer.

    ``body_mark`` identifies the body without revealing it; ``answer`` is None while the
    first request is in progress.
    """

    key: str
    body_mark: str
    begun_at: datetime
    until: datetime
    answer: Mapping[str, Any] | None = None


class AccessRepository(Protocol):
    """Idempotency keys, rate limits, known devices, mailed codes and subscribers."""

    def remembered(self, key: str, *, now: datetime) -> Remembered | None:
        """Return the stored request with a key."""
        ...

    def remember(self, request: Remembered) -> None:
        """Store a request."""
        ...

    def forget(self, key: str) -> None:
        """Delete a request, so that it can be tried again."""
        ...

    def uses(self, bucket: str, *, now: datetime) -> list[datetime]:
        """Return when each use that still counts expires, soonest first."""
        ...

    def add_use(self, use_id: str, bucket: str, *, at: datetime, until: datetime) -> None:
        """Count one use of a limit."""
        ...

    def remove_use(self, use_id: str) -> None:
        """Remove one use."""
        ...

    def remove_uses(self, bucket: str) -> None:
        """Remove every use in a bucket."""
        ...

    def knows_device(self, device_hash: str, *, now: datetime) -> bool:
        """Return whether a device is known from an earlier sign-in."""
        ...

    def put_device(self, device_hash: str, *, owner: str, until: datetime) -> None:
        """Remember a device until an instant."""
        ...

    def remove_devices(self, owner: str) -> None:
        """Forget the devices of an owner."""
        ...

    def put_code(self, code: MailedCode) -> None:
        """Store a code; it replaces others with its purpose and subject."""
        ...

    def code(self, code_hash: str, purpose: str, *, now: datetime) -> MailedCode | None:
        """Return a code that has not expired."""
        ...

    def remove_codes(self, purpose: str, subject: str) -> None:
        """Remove the codes with a purpose and subject."""
        ...

    def remove_all_codes(self, subject: str) -> None:
        """Remove all codes of a subject."""
        ...

    def put_pending_address(self, pending: PendingAddress) -> None:
        """Store an unconfirmed address; it replaces the member's earlier one."""
        ...

    def pending_address(self, member_id: str, *, now: datetime) -> PendingAddress | None:
        """Return a member's unconfirmed address."""
        ...

    def pending_by_code(self, code_hash: str, *, now: datetime) -> PendingAddress | None:
        """Return the unconfirmed address that a code belongs to."""
        ...

    def remove_pending_address(self, member_id: str) -> None:
        """Forget a member's unconfirmed address."""
        ...

    def next_undo(self, member_id: str) -> int:
        """Return the number of a member's next change."""
        ...

    def put_undo(self, undo: UndoCode) -> None:
        """Store the state of an account before a change."""
        ...

    def undo(self, code_hash: str, *, now: datetime) -> UndoCode | None:
        """Return the state of the account before the change that a code undoes."""
        ...

    def remove_undos(self, member_id: str, *, since: int) -> None:
        """Remove a member's undo codes from change number ``since`` on."""
        ...

    def reader(self, email: str) -> Reader | None:
        """Return the newsletter subscription of an address."""
        ...

    def put_reader(self, reader: Reader) -> None:
        """Add or update a newsletter subscription."""
        ...

    def remove_reader(self, email: str) -> None:
        """Delete a newsletter subscription."""
        ...

    def forget_unconfirmed(self, before: datetime) -> int:
        """Delete unconfirmed newsletter subscriptions from before a time; return how many."""
        ...

    def forget_person(self, member_id: str, email: str) -> None:
        """Delete all codes, addresses, subscriptions and emails of a member or address."""
        ...

    def forget_expired(self, now: datetime) -> int:
        """Delete expired rows; return how many."""
        ...
