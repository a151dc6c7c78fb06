"""Passkeys: optional, added under Account, and enough to sign in with one tap.

A challenge contains random bytes, its expiry and a keyed hash of both, so it is not stored until
it is used; a used challenge is stored until it expires, and refused if it is used again.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.giving.member import Member, parse_name
from jara.records.access import MailedCode, Passkey, PasskeyAnswer
from jara.security.passkeys import WebAuthnVerifier
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.mailed_codes import hash_of
from jara.services.members.attempts import remember_device
from jara.services.members.profiles import offer_undo, require_member
from jara.services.members.sessions import BadCredentials, SignedIn, keep_session, new_claims
from jara.services.rate_limits import Limit, Limits, acquire, release_within
from jara.store.unit_of_work import UnitOfWork

CHALLENGE_LIFE = timedelta(minutes=5)
PASSKEYS_MAX = 10
_RANDOM, _EXPIRY, _MARK = 16, 8, 32
_USED = "passkey_used"
_SIGN_IN = "sign in"
_UNKNOWN = "This passkey is not known here; sign in with your password."


def begin_adding(context: Context, verifier: WebAuthnVerifier, member: Member) -> Mapping[str, Any]:
    """Return the options for creating a passkey in the member's browser."""
    ids = [passkey.id for passkey in list_passkeys(context, member.id)]
    challenge = _make_challenge(context, member.id)
    user = bytes.fromhex(context.vault.keyed_hash("passkey user", member.id))
    return verifier.creation_options(challenge, user=user, name=member.email, known=ids)


def add_passkey(
    context: Context, verifier: WebAuthnVerifier, member: Member, name: str, answer: PasskeyAnswer
) -> Passkey:
    """Store a new passkey, and report it by email with a link that undoes it.

    Raises:
        InvalidInput: the name or the answer is invalid.
        Conflict: it is stored already, or the member has ten.
    """
    called = parse_name(name)
    challenge = verifier.challenge_of(answer)
    _require_own(context, challenge, member.id)
    public_key = verifier.check_creation(answer, challenge)
    passkey = Passkey(answer.id, member.id, called, public_key, context.today())
    with context.store.write() as work:
        current = require_member(work, member.id)
        _use_up(context, work, challenge)
        if len(work.passkeys.of_member(member.id)) >= PASSKEYS_MAX:
            raise Conflict("There are {count} passkeys; remove one first.", count=PASSKEYS_MAX)
        work.passkeys.add(passkey)
        offer_undo(context, work, current, kind="passkey_added", added=passkey)
    return passkey


def list_passkeys(context: Context, member_id: str) -> list[Passkey]:
    """Return a member's passkeys, by name."""
    with context.store.read() as work:
        return work.passkeys.of_member(member_id)


def remove_passkey(context: Context, member_id: str, passkey_id: str) -> None:
    """Remove a passkey of a member.

    Raises:
        NotFound: the member has no such passkey.
    """
    with context.store.write() as work:
        if not work.passkeys.remove(member_id, passkey_id):
            raise NotFound("This passkey is removed already.")


def begin_sign_in(context: Context, verifier: WebAuthnVerifier) -> Mapping[str, Any]:
    """Return the options for signing in with a browser; nothing is stored."""
    return verifier.request_options(_make_challenge(context, _SIGN_IN))


def sign_in_with_passkey(
    context: Context,
    tokens: JwtIssuer,
    limits: Limits,
    verifier: WebAuthnVerifier,
    answer: PasskeyAnswer,
    *,
    address: str,
    label: str,
) -> SignedIn:
    """Check the answer of a passkey, and start a session.

    Raises:
        BadCredentials: no member has this passkey.
        InvalidInput: the answer is invalid.
        TooManyRequests: too many failures in this network.
    """
    acquired = acquire(context, limits, (Limit.SIGN_IN_ADDRESS, address))
    challenge = verifier.challenge_of(answer)
    _require_own(context, challenge, _SIGN_IN)
    with context.store.read() as work:
        passkey = work.passkeys.get(answer.id)
        member = None if passkey is None else work.members.get(passkey.member_id)
    if passkey is None or member is None:
        raise BadCredentials(_UNKNOWN)
    verifier.check_request(answer, challenge, passkey.public_key)
    claims = new_claims(context, member)

    def finish(work: UnitOfWork) -> str:
        _use_up(context, work, challenge)
        release_within(work, acquired)
        keep_session(context, work, claims, label)
        return remember_device(context, work, member_id=member.id, email=member.email, device=None)

    device = context.store.write_grouped(finish)
    return SignedIn(tokens.issue(claims), device)


def _make_challenge(context: Context, subject: str) -> bytes:
    expiry = int((context.now() + CHALLENGE_LIFE).timestamp())
    body = context.entropy.token(_RANDOM) + expiry.to_bytes(_EXPIRY, "big")
    return body + _mark(context, subject, body)


def _require_own(context: Context, challenge: bytes, subject: str) -> None:
    """Check that a challenge was made here, for this subject, within five minutes."""
    body, mark = challenge[: _RANDOM + _EXPIRY], challenge[_RANDOM + _EXPIRY :]
    expiry = int.from_bytes(body[_RANDOM:], "big")
    if mark != _mark(context, subject, body) or expiry <= context.now().timestamp():
        raise InvalidInput("This took too long; please try again.")


def _mark(context: Context, subject: str, body: bytes) -> bytes:
    return bytes.fromhex(context.vault.keyed_hash("passkey challenge", f"{subject}\0{body.hex()}"))


def _use_up(context: Context, work: UnitOfWork, challenge: bytes) -> None:
    """Refuse a challenge that was used before."""
    code = hash_of(urlsafe_b64encode(challenge).decode("ascii"))
    if work.access.code(code, now=context.now()) is not None:
        raise InvalidInput("This was used already; please try again.")
    # The subject is the hash itself, and a rounded expiry hides the time of the sign-in.
    until = datetime.fromtimestamp((int(context.now().timestamp()) // 3600 + 2) * 3600, UTC)
    work.access.put_code(MailedCode(code, _USED, code, expires_at=until))
