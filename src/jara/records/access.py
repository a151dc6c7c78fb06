"""Access: sessions, passkeys, mailed codes, newsletter subscribers, repeated requests."""

from collections.abc import Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from jara.domain.language import ENGLISH, Language


class SessionClaims(NamedTuple):
    """The verified claims of a token."""

    member_id: str  # who signed in
    session_id: str  # the session's id; renewed tokens keep it
    epoch: int  # the member's session epoch at sign-in; a sign-in that it overtook is refused
    signed_in_at: datetime  # the time of the sign-in
    issued_at: datetime  # when this token was issued
    expires_at: datetime  # when this token expires


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


class Agreement(StrEnum):
    """Who agreed to an address that an operator changed."""

    WAITING = "waiting"
    OWNER = "owner"
    """The old address, by an emailed link; or the change is undone."""
    OPERATORS = "operators"


class AddressChange(NamedTuple):
    """A member's address that an operator changed."""

    code_hash: str  # of the code with which the old address agrees
    member_id: str  # whose address
    email: str  # the old address; empty once the member has left
    changed_at: datetime  # when the new address took its place
    undo_hash: str = ""  # of the code that undoes the change; empty if there is none
    state: Agreement = Agreement.WAITING  # who agreed to it


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
    """A newsletter subscription; nothing is sent until the address is confirmed.

    ``language`` is that of the page on which it was asked for.
    """

    email: str
    wording: str
    source: str
    asked_at: datetime
    confirmed_at: datetime | None = None
    language: Language = ENGLISH


class Remembered(NamedTuple):
    """A request with an idempotency key, and its answer.

    ``body_mark`` identifies the body without revealing it; ``answer`` is None while
    ``attempt`` is in progress.
    """

    key: str
    body_mark: str
    attempt: str
    begun_at: datetime
    until: datetime
    answer: Mapping[str, Any] | None = None


class EndedRequest(NamedTuple):
    """How an attempt at a request ended: its answer, or None for a refusal."""

    key: str
    answer: Mapping[str, Any] | None = None


class Passkey(NamedTuple):
    """A passkey of a member.

    It has no signature counter and no time of last use: either would reveal when a member used
    the website, and members vote when they use it.
    """

    id: str
    member_id: str
    name: str
    public_key: bytes
    added_on: date


class PasskeyAnswer(NamedTuple):
    """A browser's answer to a challenge: untrusted base64url texts."""

    id: str
    client_data: str
    attestation: str = ""
    authenticator_data: str = ""
    signature: str = ""


class StoredSession(NamedTuple):
    """A session as stored in the database."""

    name: str  # a hash of the session's id; no token can be made from it
    owner: str  # a keyed hash of the member's id
    device: str  # browser and system, such as ``Firefox on Windows``
    used_on: date  # the last day of use; only the day, so that no row reveals the time
