"""Opens the link of a partner, by the code that its phone sends with each request."""

from __future__ import annotations

from typing import NamedTuple

from jara.domain.content.kinds import PROJECTS
from jara.domain.errors import NotFound, Refused
from jara.records.content import ContentItem
from jara.records.field import FieldLink, Partner
from jara.services.context import Context
from jara.services.mailed_codes import hash_of
from jara.services.rate_limits import Limit, Limits, acquire, acquire_in_memory
from jara.store.unit_of_work import UnitOfWork


class LinkUnknown(NotFound):
    """No partner has this link."""

    code = "link_unknown"


class LinkExpired(Refused):
    """The last day of the link is over."""

    code = "link_expired"


class LinkRevoked(Refused):
    """An operator ended the link."""

    code = "link_revoked"


class Caller(NamedTuple):
    """Who sends: the code of the link, and the network that it comes from."""

    code: str
    network: str


def admit(context: Context, limits: Limits, caller: Caller) -> None:
    """Count a request of a link; one with an unknown link counts for its network.

    Raises:
        LinkUnknown: there is no such link.
        TooManyRequests: the link, or its network with unknown links, is used too often.
    """
    proof = hash_of(caller.code)
    with context.store.read() as work:
        is_known = work.field.link_proven(proof) is not None
    if not is_known:
        acquire(context, limits, (Limit.FIELD_NETWORK, caller.network))
        raise LinkUnknown(
            "This link is not known. Please ask the organisation for a new one; "
            "what you wrote stays on this phone."
        )
    acquire_in_memory(context, limits, Limit.FIELD_LINK, proof)


def open_link(
    context: Context, work: UnitOfWork, caller: Caller
) -> tuple[FieldLink, Partner, ContentItem]:
    """Return a link with its partner and its project.

    Raises:
        LinkExpired: its last day is over.
        LinkRevoked: it was revoked.
    """
    link = work.field.link_proven(hash_of(caller.code))
    if link is None or link.revoked_at is not None:
        raise LinkRevoked(
            "This link was ended by the organisation. Please ask for a new one; "
            "what you wrote stays on this phone."
        )
    if context.today() > link.last_day:
        raise LinkExpired(
            "This link ended on {day}. Please ask for a new one; what you wrote stays on this "
            "phone.",
            day=str(link.last_day),
        )
    return link, work.field.partner(link.partner), work.content.find(PROJECTS, link.project)
