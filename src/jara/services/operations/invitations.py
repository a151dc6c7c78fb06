"""Invitations of operators who sign with a passkey, such as a phone's.

An invitation is an emailed code that works once, within 24 hours. The phone makes the passkey and
shows six words of it; an admin who hears them by telephone confirms them, and the key is enrolled
with the signatures that every new key needs. An invitation is stored as a mailed code.
"""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

from jara.domain.control.roles import Role, parse_roles, require_passkey_roles
from jara.domain.control.ssh import PASSKEY, PublicKey, is_origin_of, parse_public_key
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.giving.member import parse_email
from jara.records.access import MailedCode, PasskeyAnswer
from jara.records.operations import Approval, Operator
from jara.security.passkeys import InvalidPasskey, WebAuthnVerifier, point_of
from jara.security.six_words import are_words, words_of
from jara.services.audit import record_act, require_operator
from jara.services.authority import read_control
from jara.services.context import Context
from jara.services.mailed_codes import draw_code, hash_of, unusable
from jara.services.notices.emails import queue_email
from jara.services.operations.operators import INVITE_ACTION, add_operator, parse_operator_name
from jara.services.organisation import read_identity
from jara.services.rate_limits import Limit, Limits, acquire, release_within
from jara.store.unit_of_work import UnitOfWork

LIFE = timedelta(hours=24)
"""How long the link of an invitation works."""
CONFIRM_WITHIN = timedelta(days=7)
"""How long the words of a passkey may wait for an admin."""
REVOKE_ACTION = "operators.revoke"
_OPEN, _MADE = "operator_invitation", "operator_passkey"
"""Purposes of codes: before and after the phone made its passkey."""


class InvitationState(StrEnum):
    """What became of an invitation."""

    OPEN = "open"
    MADE = "made"
    """The phone made a passkey, whose words wait for an admin."""


class Invitation(NamedTuple):
    """An invitation that is not confirmed yet."""

    name: str
    role: Role
    email: str  # where the link went
    invited_by: str
    state: InvitationState  # whether the phone made its passkey
    expires_at: datetime  # until when the link works, or the words may be confirmed
    public_key: str = ""  # the passkey as an SSH key; empty before


class OpenInvitation(NamedTuple):
    """What the page of an invitation shows, and what the browser makes a passkey from."""

    name: str
    role: Role
    organisation: str
    invited_by: str
    challenge: str
    host: str
    user: str


class MadePasskey(NamedTuple):
    """A passkey that waits for an admin."""

    words: str
    fingerprint: str


def require_passkey_site(site_url: str) -> str:
    """Return the host of the site, at which passkeys are made.

    Raises:
        InvalidInput: a browser makes no passkeys there, or the log could not tell its origin.
    """
    host = _host_of(site_url)
    if not host:
        raise InvalidInput(
            f"Phones sign at a site with a name, over HTTPS, without a port; {site_url} is none "
            "(JARA_SITE_URL). On this machine, http://localhost:8000 works too."
        )
    return host


def passkey_host(context: Context) -> str:
    """Return the host of the site, for people at the desk.

    Raises:
        Conflict: passkeys are not made there.
    """
    host = _host_of(context.rules.site_url)
    if not host:
        raise Conflict("Phones cannot sign at the address of this site.")
    return host


def site_origin(context: Context) -> str:
    """Return the origin of the site, from which alone passkeys sign."""
    parts = urlsplit(context.rules.site_url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _host_of(site_url: str) -> str:
    """Return the host at which passkeys are made; empty if none are."""
    parts = urlsplit(site_url)
    host = parts.hostname or ""
    is_site = is_origin_of(host.encode(), f"{parts.scheme}://{parts.netloc.lower()}")
    return host if is_site else ""


def invite_phone(context: Context, name: str, *, role: str, email: str) -> Invitation:
    """Email a link with which a person's phone becomes an operator's key.

    An earlier invitation of the same name ends.

    Raises:
        InvalidInput: the name, address or role is not valid, or the site makes no passkeys.
        Conflict: operators have no keys yet.
        Refused: the acting operator may not.
    """
    invited, address = parse_operator_name(name), parse_email(email)
    require_passkey_site(context.rules.site_url)
    (parsed,) = parse_roles([role])
    require_passkey_roles([parsed])
    with context.store.write() as work:
        require_operator(context, work, INVITE_ACTION)
        if not read_control(context, work).needs_keys:
            raise Conflict(
                "Operators have no keys yet; begin with your own: "
                f"jara operators add {context.operator} --key FILE"
            )
        _end(context, work, invited)
        code, until = draw_code(context), context.now() + LIFE
        made = Invitation(invited, parsed, address, context.operator, InvitationState.OPEN, until)
        work.access.put_code(_row(hash_of(code), made))
        values = {
            "firstname": "",
            "name": invited,
            "inviter": context.operator,
            "link": "",
            "role": parsed.value,
        }
        link = f"{context.rules.site_url}/desk#invitation={code}"
        queue_email(context, work, "operator_phone", address=address, values=values, link=link)
        record_act(context, work, INVITE_ACTION, invited, facts={"role": parsed.value})
    return made


def list_invitations(context: Context) -> list[Invitation]:
    """Return the invitations that wait for a phone or for an admin, by name."""
    with context.store.read() as work:
        return sorted(one for _, one in _waiting(context, work))


def revoke_invitation(context: Context, name: str) -> Invitation:
    """End an invitation, or refuse the passkey that was made with it.

    Raises:
        NotFound: there is none of that name.
        Refused: the acting operator may not.
    """
    with context.store.write() as work:
        require_operator(context, work, REVOKE_ACTION)
        found = _end(context, work, name)
        if found is None:
            raise NotFound(f"There is no invitation of '{name}'; see: jara operators invitations")
        record_act(context, work, REVOKE_ACTION, name)
    return found


def read_invitation(context: Context, limits: Limits, code: str, *, address: str) -> OpenInvitation:
    """Return what the page of an invitation shows.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        TooManyRequests: too many wrong codes from this network.
    """
    acquired = acquire(context, limits, (Limit.SIGN_IN_ADDRESS, address))
    with context.store.write() as work:
        found = _of_code(context, work, code)
        release_within(work, acquired)
        organisation = read_identity(context, work).name
    return OpenInvitation(
        found.name,
        found.role,
        organisation,
        found.invited_by,
        challenge=_challenge(context, code).hex(),
        host=passkey_host(context),
        user=context.vault.keyed_hash("operator passkey", hash_of(code))[:32],
    )


def accept_invitation(
    context: Context,
    verifier: WebAuthnVerifier,
    limits: Limits,
    code: str,
    answer: PasskeyAnswer,
    *,
    address: str,
) -> MadePasskey:
    """Store the passkey that a phone made, until an admin confirms its words.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        InvalidPasskey: the answer is malformed, or made elsewhere.
        Conflict: the passkey is an operator's already.
        TooManyRequests: too many wrong codes from this network.
    """
    acquired = acquire(context, limits, (Limit.SIGN_IN_ADDRESS, address))
    with context.store.read() as work:
        found = _of_code(context, work, code)
    point = point_of(verifier.check_creation(answer, _challenge(context, code)))
    if point is None:
        raise InvalidPasskey("This device makes passkeys of a kind that cannot sign here.")
    key = PublicKey(PASSKEY, point, passkey_host(context).encode())
    with context.store.write() as work:
        found = _of_code(context, work, code)
        if key.fingerprint in read_control(context, work).persons:
            raise Conflict("This passkey is an operator's already.")
        _end(context, work, found.name)
        made = found._replace(
            state=InvitationState.MADE,
            expires_at=context.now() + CONFIRM_WITHIN,
            public_key=key.text(),
        )
        work.access.put_code(_row(hash_of(code), made))
        release_within(work, acquired)
    return MadePasskey(words_of_key(key), key.fingerprint)


def confirm_invitation(
    context: Context, name: str, *, words: str, why: str = ""
) -> Operator | Approval:
    """Enrol the passkey of an invitation whose six words the person read to an admin.

    Returns:
        The operator, or the approval that the key waits for.

    Raises:
        NotFound: no passkey of that name waits.
        InvalidInput: these are not its words.
        Refused: the acting operator may not.
    """
    with context.together() as joined:
        with joined.store.read() as work:
            made = [one for _, one in _waiting(joined, work) if one.public_key]
            found = next((one for one in made if one.name == name), None)
        if found is None:
            raise NotFound(f"No phone of '{name}' waits; see: jara operators invitations")
        key = parse_public_key(found.public_key)
        if not are_words(words, sha256(key.blob).digest()):
            raise InvalidInput(
                f"These are not the words of the phone that used the invitation of '{name}'. If "
                f"{name} reads them so, somebody else used the link: "
                f"jara operators revoke {name}"
            )
        done = add_operator(
            joined, name, key=found.public_key, roles=(found.role,), why=why, email=found.email
        )
        with joined.store.write() as work:
            _end(joined, work, name)
    return done


def words_of_key(key: PublicKey) -> str:
    """Return the six words of a key: of the digest in its fingerprint."""
    return words_of(sha256(key.blob).digest())


def _challenge(context: Context, code: str) -> bytes:
    return bytes.fromhex(context.vault.keyed_hash("operator invitation", hash_of(code)))


def _row(code_hash: str, invitation: Invitation) -> MailedCode:
    purpose = _MADE if invitation.public_key else _OPEN
    values = {name: one for name, one in invitation._asdict().items() if name != "expires_at"}
    subject = json.dumps(values, sort_keys=True)
    return MailedCode(code_hash, purpose, subject, invitation.expires_at)


def _read(row: MailedCode) -> Invitation:
    values = json.loads(row.subject)
    state, role = InvitationState(values.pop("state")), Role(values.pop("role"))
    return Invitation(**values, state=state, role=role, expires_at=row.expires_at)


def _waiting(context: Context, work: UnitOfWork) -> Iterator[tuple[MailedCode, Invitation]]:
    for row in work.access.codes_for(_OPEN, _MADE, now=context.now()):
        yield row, _read(row)


def _of_code(context: Context, work: UnitOfWork, code: str) -> Invitation:
    row = work.access.code(hash_of(code), now=context.now())
    if row is None or row.purpose != _OPEN:
        raise unusable()
    return _read(row)


def _end(context: Context, work: UnitOfWork, name: str) -> Invitation | None:
    """Delete the invitations of a name; return the last one."""
    found = None
    for row, one in _waiting(context, work):
        if one.name == name:
            work.access.remove_codes(row.purpose, row.subject)
            found = one
    return found
