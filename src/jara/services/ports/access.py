"""Ports of access: sessions, rate limits, mailed codes, newsletter subscribers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class SessionClaims(NamedTuple):
    """The verified claims of a token.

    Args:
        member_id: who signed in.
        session_id: names the session; the same in every renewal of its token.
        epoch: the member's session epoch at that time; a higher one ends this token.
        signed_in_at: when the password was given.
        issued_at: when this token was made.
        expires_at: when it ends.
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
        """Return the claims of a token; None when it is forged, malformed or not valid now."""
        ...


class MailedCode(NamedTuple):
    """A single-use code that was emailed; the database stores only its hash.

    ``subject`` is whom it is for: a member's id, or an address.
    """

    code_hash: str
    purpose: str
    subject: str
    expires_at: datetime


class PendingAddress(NamedTuple):
    """An address that counts once its owner sends back the code; only its hash is stored."""

    member_id: str
    email: str
    code_hash: str
    expires_at: datetime


class UndoCode(NamedTuple):
    """What an account was before a change, for the link that undoes it.

    ``seq`` counts a member's changes: undoing one also ends the links of the later ones.
    """

    code_hash: str
    member_id: str
    seq: int
    email: str
    email_confirmed: bool
    password_hash: str
    expires_at: datetime


class Reader(NamedTuple):
    """An address that asked for the newsletter; nothing is sent before it is confirmed."""

    email: str
    wording: str
    source: str
    asked_at: datetime
    confirmed_at: datetime | None = None


class Remembered(NamedTuple):
    """A request with an idempotency key, and its answer.

    ``body_mark`` tells whether it is the same request, and nothing about it; ``answer``
    is None while the first is under way.
    """

    key: str
    body_mark: str
    begun_at: datetime
    until: datetime
    answer: Mapping[str, Any] | None = None


class AccessRepository(Protocol):
    """Used-up limits, codes and readers."""

    def remembered(self, key: str, *, now: datetime) -> Remembered | None:
        """Return what is known of a request by its key."""
        ...

    def remember(self, request: Remembered) -> None:
        """Store a request."""
        ...

    def forget(self, key: str) -> None:
        """Delete a request, so that it can be tried again."""
        ...

    def uses(self, bucket: str, *, now: datetime) -> list[datetime]:
        """Return when each use that still counts will be forgotten, the soonest first."""
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
        """Return whether somebody signed in on a device before."""
        ...

    def put_device(self, device_hash: str, *, owner: str, until: datetime) -> None:
        """Remember a device until an instant."""
        ...

    def remove_devices(self, owner: str) -> None:
        """Forget the devices of an owner."""
        ...

    def put_code(self, code: MailedCode) -> None:
        """Store a code, in place of every other of its purpose and subject."""
        ...

    def code(self, code_hash: str, purpose: str, *, now: datetime) -> MailedCode | None:
        """Return a code that has not expired."""
        ...

    def remove_codes(self, purpose: str, subject: str) -> None:
        """Remove the codes of a purpose and subject; each is used once."""
        ...

    def remove_all_codes(self, subject: str) -> None:
        """Remove the codes of a subject, whatever they are for."""
        ...

    def put_pending_address(self, pending: PendingAddress) -> None:
        """Store an unconfirmed address, in place of the member's earlier one."""
        ...

    def pending_address(self, member_id: str, *, now: datetime) -> PendingAddress | None:
        """Return the address that a member has not confirmed yet."""
        ...

    def pending_by_code(self, code_hash: str, *, now: datetime) -> PendingAddress | None:
        """Return the unconfirmed address of a code."""
        ...

    def remove_pending_address(self, member_id: str) -> None:
        """Forget a member's unconfirmed address."""
        ...

    def next_undo(self, member_id: str) -> int:
        """Return the number of a member's next change."""
        ...

    def put_undo(self, undo: UndoCode) -> None:
        """Store what an account was before a change."""
        ...

    def undo(self, code_hash: str, *, now: datetime) -> UndoCode | None:
        """Return what an account was before the change that a code undoes."""
        ...

    def remove_undos(self, member_id: str, *, since: int) -> None:
        """Remove the undo codes of a member's changes from a number on."""
        ...

    def reader(self, email: str) -> Reader | None:
        """Return what is known of an address that asked for the newsletter."""
        ...

    def put_reader(self, reader: Reader) -> None:
        """Store an address as it is now."""
        ...

    def remove_reader(self, email: str) -> None:
        """Delete an address."""
        ...

    def forget_unconfirmed(self, before: datetime) -> int:
        """Forget addresses that asked for the newsletter earlier and never confirmed it."""
        ...

    def forget_person(self, member_id: str, email: str) -> None:
        """Remove what is kept here of a member or of an address."""
        ...

    def forget_expired(self, now: datetime) -> int:
        """Delete expired rows; return how many."""
        ...
