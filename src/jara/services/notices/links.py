"""The links in emails that work without signing in: made when an email is sent, never before.

The database holds a link with a code only while its email waits, and encrypted: a copy of the
database opens nothing. Links that unsubscribe an address or stop a pledge are in no row at all.
Their codes contain whom they concern and a keyed hash of it; they can do this and nothing else.

An unsubscribe link never expires.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import date, timedelta

from jara.domain.email_kinds import kind_of
from jara.domain.errors import Unavailable
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge, PledgeState
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.store.unit_of_work import UnitOfWork

STOP_LINK_LIFE = timedelta(days=90)

_STOPPABLE = frozenset(PledgeState) - {PledgeState.CANCELED}

_UNSUBSCRIBE = "unsubscribe"
_STOP = "stop pledge"


def unsubscribe_url(context: Context, address: str) -> str:
    """Return the link that unsubscribes an address from all news with one click."""
    return f"{context.rules.site_url}/newsletter/unsubscribe?code={_code_of(context, address)}"


def choice_url(context: Context, address: str) -> str:
    """Return the page on which an address chooses what it gets, without signing in."""
    return f"{context.rules.site_url}/emails?code={_code_of(context, address)}"


def _code_of(context: Context, address: str) -> str:
    body = address.encode("utf-8")
    proof = _proof_of(context, body)
    return ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in (body, proof))


def address_in(context: Context, code: str) -> str:
    """Return the address in the code of a link that unsubscribes it or shows its choice.

    Raises:
        UnusableCode: the code is not valid.
    """
    parts = code.partition(".")[::2]
    try:
        address, proof = (urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts)
        if hmac.compare_digest(proof, _proof_of(context, address)):
            return address.decode("utf-8")
    except ValueError:
        pass
    sentence = "This link is incomplete; please use the link in the newest email."
    raise UnusableCode(sentence, fields={"code": sentence})


def _proof_of(context: Context, address: bytes) -> bytes:
    return bytes.fromhex(context.vault.keyed_hash(_UNSUBSCRIBE, address.hex()))


def stop_url(context: Context, member: Member, pledge: Pledge) -> str:
    """Return the link that stops a member's pledge within 90 days.

    It ends with the pledge, and when the member's address, password or sessions change.
    """
    until = context.today() + STOP_LINK_LIFE
    code = f"{member.id}.{until:%Y%m%d}.{_stop_proof(context, member, pledge, until)}"
    return f"{context.rules.site_url}/stop-pledge?code={code}"


def pledge_to_stop(context: Context, work: UnitOfWork, code: str) -> Pledge:
    """Return the pledge that a link stops.

    Raises:
        UnusableCode: the code is not valid, or not any more.
    """
    member_id, _, signed = code.partition(".")
    day, _, proof = signed.partition(".")
    member, pledge = work.members.get(member_id), work.pledges.get(member_id)
    if member is not None and pledge is not None and day.isascii() and day.isdecimal():
        try:
            until = date.fromisoformat(day)
        except ValueError:
            raise _too_old() from None
        expected = _stop_proof(context, member, pledge, until)
        if hmac.compare_digest(proof.encode(), expected.encode()) and context.today() <= until:
            return pledge
    raise _too_old()


def _stop_proof(context: Context, member: Member, pledge: Pledge, until: date) -> str:
    bound = (member.id, member.email, str(member.session_epoch), pledge.id, until.isoformat())
    return context.vault.keyed_hash(_STOP, "\0".join(bound))


def _too_old() -> UnusableCode:
    sentence = (
        "This link is incomplete or too old; please use the link in the newest email, or sign in."
    )
    return UnusableCode(sentence, fields={"code": sentence})


def seal_link(context: Context, email: Email, link: str) -> Email:
    """Return an email with a link that only the server can read, until it is sent."""
    return email._replace(sealed=context.vault.seal(link, about=_row_of(email)))


def complete_links(context: Context, email: Email) -> Email:
    """Return an email with its links, when it is sent.

    Raises:
        NotFound: there is no such kind of email.
        Unavailable: its link was encrypted with another key.
    """
    doc, kind = dict(email.doc), kind_of(email.kind)
    if email.sealed is not None:
        try:
            doc["link"] = context.vault.unseal(email.sealed, about=_row_of(email))
        except Unavailable as error:
            raise Unavailable(
                "The link in this email cannot be read. {reason} Or have a new link sent.",
                reason=error.message,
            ) from error
    with context.store.read() as work:
        member = work.members.by_email(email.address)
        pledge = None if member is None else work.pledges.get(member.id)
        reader = work.access.reader(email.address)
    is_theirs = member is not None and member.id == email.member_id
    is_reader = reader is not None and reader.confirmed_at is not None
    if member and pledge and is_theirs and kind.has_stop_link and pledge.state in _STOPPABLE:
        doc["stopUrl"] = stop_url(context, member, pledge)
    if is_theirs or is_reader:
        doc["choiceUrl"] = choice_url(context, email.address)
    if kind.is_optional:
        doc["unsubscribeUrl"] = unsubscribe_url(context, email.address)
    return email._replace(doc=doc)


def _row_of(email: Email) -> str:
    """Return what a sealed link belongs to, so that no row can take the link of another."""
    return f"email\0{email.id}\0{email.kind}\0{email.address}"
