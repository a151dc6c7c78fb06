"""Sessions: signing in and out, authentication by token, and the list of devices.

The database stores hashes of sessions and members, and only the day of use: no row may
reveal who used the website when, because members vote when they use it.
"""

import unicodedata
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import NamedTuple

from jara.domain.errors import NotFound, Refused, Unauthenticated
from jara.domain.giving.member import Member, email_key
from jara.records.access import SessionClaims, StoredSession
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.members import attempts
from jara.services.members.attempts import Place
from jara.services.notices.emails import queue_signed_out
from jara.services.rate_limits import Limits
from jara.store.unit_of_work import UnitOfWork

TOKEN_LIFE = timedelta(hours=12)
SESSION_LIFE = timedelta(days=30)
"""Counted from the sign-in, regardless of use; an unused session also ends within it."""
FRESH = timedelta(minutes=15)
"""Time after sign-in during which the password is not asked again."""


UNKNOWN_DEVICE = "Unknown device"
NAME_CHARS = 24
"""Enough of a session's name to distinguish a member's sessions."""
_MARK_CHARS = 24

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


class BadCredentials(Unauthenticated):
    """The email or the password is wrong; the message does not say which."""

    code = "bad_credentials"


class ReauthenticationRequired(Refused):
    """The session is too old for this action; the password is required again."""

    code = "reauth_required"


class Session(NamedTuple):
    """A signed-in member, and the claims of the token.

    With ``is_unpaid`` the first payment is not confirmed: the member can only pay or leave.
    """

    member: Member
    claims: SessionClaims
    is_unpaid: bool = False


class SignedIn(NamedTuple):
    """The token of a new session, and the device token for later sign-ins."""

    token: str
    device: str


def sign_in(
    context: Context,
    tokens: JwtIssuer,
    limits: Limits,
    *,
    email: str,
    password: str,
    address: str,
    device: str | None = None,
    label: str = UNKNOWN_DEVICE,
) -> SignedIn:
    """Check email and password, and start a session.

    An unknown email takes as long as a wrong password and gets the same error.

    Raises:
        BadCredentials: the email or the password is wrong.
        TooManyRequests: too many failures at this place; it says when to try again.
    """
    account = email_key(email)
    attempt = attempts.begin_attempt(context, limits, account=account, place=Place(address, device))
    with context.store.read() as work:
        member = work.members.by_email(account)
        password_hash = work.members.password_hash(member.id) if member is not None else None
    typed = unicodedata.normalize("NFC", password)
    matches = context.hasher.verify(password_hash or context.hasher.decoy, typed)
    if member is None or password_hash is None or not matches:
        raise BadCredentials("The email address or the password is wrong.")
    if context.hasher.needs_rehash(password_hash):
        _store_stronger_hash(context, member.id, password_hash, typed)
    claims = new_claims(context, member)

    def finish(work: UnitOfWork) -> str:
        attempts.end_delays(work, attempt)
        keep_session(context, work, claims, label)
        return attempts.remember_device(
            context, work, member_id=member.id, email=account, device=device
        )

    device_token = context.store.write_grouped(finish)
    return SignedIn(tokens.issue(claims), device_token)


def start_session(
    context: Context, tokens: JwtIssuer, member: Member, *, label: str = UNKNOWN_DEVICE
) -> str:
    """Return the token of a new session of an authenticated member."""
    claims = new_claims(context, member)
    context.store.write_grouped(lambda work: keep_session(context, work, claims, label))
    return tokens.issue(claims)


def new_claims(context: Context, member: Member) -> SessionClaims:
    """Return the claims of a new session."""
    now = context.now()
    return SessionClaims(
        member_id=member.id,
        session_id=context.entropy.token(16).hex(),  # random, without the time of the sign-in
        epoch=member.session_epoch,
        signed_in_at=now,
        issued_at=now,
        expires_at=now + TOKEN_LIFE,
    )


def keep_session(context: Context, work: UnitOfWork, claims: SessionClaims, label: str) -> None:
    """Store a session; its tokens are invalid without it.

    Raises:
        Unauthenticated: every session has ended since the claims were made.
    """
    member = work.members.get(claims.member_id)
    if member is None or member.session_epoch != claims.epoch:
        raise session_ended()
    work.sessions.add(
        StoredSession(
            name=session_name(claims.session_id),
            owner=session_owner(context, claims.member_id),
            device=label,
            used_on=context.today(),
        )
    )


def member_for_token(context: Context, tokens: JwtIssuer, token: str) -> Session:
    """Return the session of a token.

    Raises:
        Unauthenticated: the token is invalid, or its session has ended.
    """
    now, today = context.now(), context.today()
    claims = tokens.read(token, now=now)
    if claims is not None:
        name = session_name(claims.session_id)
        stored = context.store.read_once().members.of_session(claims.member_id, name)
        if stored is not None and stored.member.is_open and today - stored.used_on < SESSION_LIFE:
            if stored.used_on < today:
                note_use(context, name, now)
            return Session(stored.member, claims, stored.is_unpaid)
    raise session_ended()


def require_session(work: UnitOfWork, claims: SessionClaims) -> None:
    """Require that a session has not ended since its request was authenticated.

    Otherwise an attacker's request that is being carried out could overtake the owner's.

    Raises:
        Unauthenticated: it has ended, or the account is closed.
    """
    stored = work.members.of_session(claims.member_id, session_name(claims.session_id))
    if stored is None or not stored.member.is_open:
        raise session_ended()


def session_ended() -> Unauthenticated:
    """Return the error for a session that has ended."""
    return Unauthenticated("Your sign-in has ended; please sign in again.")


def renew_token(context: Context, tokens: JwtIssuer, claims: SessionClaims) -> str | None:
    """Return a new token if less than half of the old one's lifetime is left.

    None if more is left, or if the token already ends with the session after 30 days.
    """
    now = context.now()
    ends = min(now + TOKEN_LIFE, claims.signed_in_at + SESSION_LIFE)
    if claims.expires_at - now > TOKEN_LIFE / 2 or ends <= claims.expires_at:
        return None
    return tokens.issue(claims._replace(issued_at=now, expires_at=ends))


def sign_out(context: Context, claims: SessionClaims) -> None:
    """End one session and invalidate its tokens."""
    with context.store.write() as work:
        work.sessions.end(session_owner(context, claims.member_id), session_name(claims.session_id))


def sign_out_everywhere(context: Context, member_id: str) -> None:
    """End every session of a member at once and remove the passkeys; an email names them."""
    with context.store.write() as work:
        member = work.members.get(member_id)
        if member is not None:
            queue_signed_out(context, work, member, passkeys=work.passkeys.of_member(member_id))
            end_all_access(context, work, member)


def require_fresh_sign_in(
    context: Context,
    limits: Limits,
    session: Session,
    *,
    current_password: str | None,
    address: str,
) -> None:
    """Require a sign-in within the last 15 minutes, or the current password.

    Raises:
        ReauthenticationRequired: the password is missing or wrong.
        TooManyRequests: too many wrong passwords.
    """
    if current_password is None:
        if context.now() - session.claims.signed_in_at <= FRESH:
            return
        raise ReauthenticationRequired(
            "Please enter your current password to continue.",
            fields={"currentPassword": "Please enter your current password."},
        )
    account = email_key(session.member.email)
    place = Place(address, session=session_name(session.claims.session_id))
    attempt = attempts.begin_attempt(context, limits, account=account, place=place)
    with context.store.read() as work:
        password_hash = work.members.password_hash(session.member.id)
    typed = unicodedata.normalize("NFC", current_password)
    if not context.hasher.verify(password_hash or context.hasher.decoy, typed):
        raise ReauthenticationRequired(
            "The current password is wrong.",
            fields={"currentPassword": "This is not your current password."},
        )
    attempts.withdraw_attempt(context, attempt)


def _store_stronger_hash(context: Context, member_id: str, weaker: str, typed: str) -> None:
    stronger = context.hasher.hash(typed)
    with context.store.write() as work:
        if work.members.password_hash(member_id) == weaker:
            work.members.set_password_hash(member_id, stronger)


class DeviceLine(NamedTuple):
    """A device on which the member is signed in.

    ``id`` is used to end its session.
    """

    id: str
    device: str
    last_used_on: date
    current: bool


def list_devices(context: Context, claims: SessionClaims) -> list[DeviceLine]:
    """Return where a member is signed in: this session first, then the most recently used."""
    here = session_name(claims.session_id)
    with context.store.read() as work:
        stored = work.sessions.of_owner(session_owner(context, claims.member_id))
    devices = [
        DeviceLine(
            each.name[:NAME_CHARS],
            each.device,
            context.today() if each.name == here else each.used_on,
            current=each.name == here,
        )
        for each in stored
    ]
    return sorted(devices, key=lambda device: not device.current)


def end_device(context: Context, member_id: str, device_id: str) -> None:
    """End one session of a member.

    Raises:
        NotFound: the member has no such session.
    """
    ended = 0
    if len(device_id) == NAME_CHARS:
        with context.store.write() as work:
            ended = work.sessions.end(session_owner(context, member_id), device_id)
    if not ended:
        raise NotFound("This device is signed out already.")


def is_this_device(claims: SessionClaims, device_id: str) -> bool:
    """Return whether an id of the list is the current session."""
    return session_name(claims.session_id).startswith(device_id)


def describe_device(user_agent: str) -> str:
    """Return browser and system, such as ``Firefox on Windows``; nothing more is stored."""
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), None)
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), None)
    names = [name for name in (browser, system) if name is not None]
    return " on ".join(names) or UNKNOWN_DEVICE


def session_name(session_id: str) -> str:
    """Return the name under which a session is stored: a hash of its random id.

    Even with the database and the signing key, no token can be made from it.
    """
    return sha256(session_id.encode("utf-8", "surrogatepass")).hexdigest()


def asked_by(context: Context, name: str) -> str:
    """Return the ending of a mailed code that a session asked for; it reveals no session."""
    return "." + context.vault.keyed_hash("asked by session", name)[:_MARK_CHARS]


def has_asker(code: str) -> bool:
    """Return whether a session asked for a mailed code; it may have ended."""
    return "." in code


def session_that_asked(context: Context, work: UnitOfWork, member_id: str, code: str) -> str | None:
    """Return the name of the session that asked for a mailed code, if it has not ended."""
    stored = work.sessions.of_owner(session_owner(context, member_id))
    return next((one.name for one in stored if code.endswith(asked_by(context, one.name))), None)


def session_owner(context: Context, member_id: str) -> str:
    """Return the name under which a member's sessions are stored."""
    return context.vault.keyed_hash("session owner", member_id)


def note_use(context: Context, name: str, now: datetime) -> None:
    """Record a session's first use of the day; it is stored with others within the hour.

    If each were stored separately, the order of the writes would reveal the order of the visits.
    """
    due, today = context.used_sessions.note(name, now), context.zone.day_of(now)
    if due:
        context.store.write_grouped(lambda work: work.sessions.use(sorted(due), today))


def end_all_access(
    context: Context, work: UnitOfWork, member: Member, *, but: str | None = None
) -> Member:
    """End a member's sessions and codes, and remove every passkey; return the updated member.

    Changes of address, password or sessions call this: nothing issued earlier works afterwards,
    because any of it may be an attacker's. Undo links stay valid, because they protect against an
    attacker who made the change. `but` is the name of the session that made the change, which
    continues.
    """
    work.passkeys.remove_all(member.id)
    return end_sessions(context, work, member, but=but)


def end_sessions(
    context: Context, work: UnitOfWork, member: Member, *, but: str | None = None
) -> Member:
    """End a member's sessions, mailed codes and known devices; return the updated member.

    The session named ``but`` continues with the tokens that it has.
    """
    later = member._replace(session_epoch=member.session_epoch + 1)
    work.members.update(later)
    work.access.remove_all_codes(member.id)
    work.access.remove_pending_address(member.id)
    forget_devices(context, work, member.id, but=but)
    return later


def forget_devices(
    context: Context, work: UnitOfWork, member_id: str, *, but: str | None = None
) -> None:
    """End a member's sessions except the one named ``but``, and forget the known devices."""
    work.sessions.end_owner(session_owner(context, member_id), but=but)
    work.access.remove_devices(attempts.device_owner(context, member_id))
