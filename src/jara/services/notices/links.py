"""The links in emails that work without signing in and never expire: unsubscribing, stopping.

A code contains an address or a member's id and a keyed hash of it, so nothing is stored for it.
It can unsubscribe the address, or stop the pledge, and nothing else. Unsubscribe links of earlier
versions carry a signature of the log key instead, and still work; the log key signs nothing but
checkpoints now.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from jara.records.people import NOTIFICATIONS, Consent
from jara.services.context import Context
from jara.services.log_keys import key_chain
from jara.services.mailed_codes import UnusableCode

SOURCE = "link in an email"
"""The source recorded with a withdrawn consent."""

_UNSUBSCRIBE = "unsubscribe"
_PREFIX = b"jara/v1/unsubscribe\0"  # of the signatures in links of earlier versions
_SIGNATURE_BYTES = 64

_STOP = "stop pledge"


def unsubscribe_url(context: Context, address: str) -> str:
    """Return the link that unsubscribes an address from all news."""
    body = address.encode("utf-8")
    proof = _proof_of(context, body)
    code = ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in (body, proof))
    return f"{context.rules.site_url}/newsletter/unsubscribe?code={code}"


def unsubscribe(context: Context, code: str) -> None:
    """Unsubscribe an address from the newsletter and from news of votes.

    Raises:
        UnusableCode: the code is not valid.
    """
    address = _address_in(context, code)
    with context.store.write() as work:
        work.access.remove_reader(address)
        member = work.members.by_email(address)
        if member is not None and member.notifications:
            work.members.update(member._replace(notifications=False))
            at = context.now()
            work.members.add_consent(
                Consent.of(member.id, NOTIFICATIONS, given=False, source=SOURCE, at=at)
            )


def _address_in(context: Context, code: str) -> str:
    parts = code.partition(".")[::2]
    try:
        address, proof = (urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in parts)
        if _proves(context, proof, address):
            return address.decode("utf-8")
    except ValueError:
        pass
    sentence = "This link is incomplete; please use the link in the newest email."
    raise UnusableCode(sentence, fields={"code": sentence})


def _proves(context: Context, proof: bytes, address: bytes) -> bool:
    if len(proof) == _SIGNATURE_BYTES:
        with context.store.read() as work:
            keys = key_chain(context, work).keys()
        message = _PREFIX + address
        return any(context.vault.verifies(key.public_key, message, proof) for key in keys)
    return hmac.compare_digest(proof, _proof_of(context, address))


def _proof_of(context: Context, address: bytes) -> bytes:
    return bytes.fromhex(context.vault.keyed_hash(_UNSUBSCRIBE, address.hex()))


def stop_url(context: Context, member_id: str) -> str:
    """Return the link that stops a member's pledge."""
    code = f"{member_id}.{context.vault.keyed_hash(_STOP, member_id)}"
    return f"{context.rules.site_url}/stop-pledge?code={code}"


def member_in(context: Context, code: str) -> str:
    """Return the id of the link's member.

    Raises:
        UnusableCode: the code is not valid.
    """
    member_id, _, proof = code.partition(".")
    expected = context.vault.keyed_hash(_STOP, member_id)
    if not hmac.compare_digest(proof.encode(), expected.encode()):
        sentence = "This link is incomplete; please use the link in the newest email."
        raise UnusableCode(sentence, fields={"code": sentence})
    return member_id
