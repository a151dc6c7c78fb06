"""The way out of all news: a signed code in every email, good for ever and signed out.

The code holds the address and the log key's signature over it, so that nothing has to be
stored for it and an email of years ago still works.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace

from jara.services.context import Context
from jara.services.mailed_codes import UnusableCode
from jara.services.ports.people import NOTIFICATIONS, Consent

SOURCE = "link in an email"
"""Where a consent was taken back."""

_PREFIX = b"jara/v1/unsubscribe\0"  # no checkpoint begins so: the signature is good for this alone


def unsubscribe_url(context: Context, address: str) -> str:
    """Return the link that ends all news to an address."""
    body = address.encode("utf-8")
    signature = context.vault.sign(_PREFIX + body)
    code = ".".join(urlsafe_b64encode(part).decode().rstrip("=") for part in (body, signature))
    return f"{context.rules.site_url}/newsletter/unsubscribe?code={code}"


def unsubscribe(context: Context, code: str) -> None:
    """End all news to an address: the newsletter, and a member's notices of votes.

    Raises:
        UnusableCode: the code was not made here.
    """
    address = _address_in(context, code)
    with context.store.write() as work:
        work.access.remove_reader(address)
        member = work.members.by_email(address)
        if member is not None and member.notifications:
            work.members.update(replace(member, notifications=False))
            at = context.now()
            work.members.add_consent(
                Consent.of(member.id, NOTIFICATIONS, given=False, source=SOURCE, at=at)
            )


def _address_in(context: Context, code: str) -> str:
    body, _, signature = code.partition(".")
    try:
        address, proof = (
            urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in (body, signature)
        )
        if context.vault.verify(_PREFIX + address, proof):
            return address.decode("utf-8")
    except ValueError:
        pass
    sentence = "This link is incomplete; please use the link in the newest email."
    raise UnusableCode(sentence, fields={"code": sentence})
