"""Votes as news, for readers of the newsletter: members get the emails of `vote_emails`."""

from __future__ import annotations

from collections.abc import Callable

from jara.domain.language import Language
from jara.domain.time_zone import UTC_ZONE
from jara.records.news import NewsItem
from jara.services.context import Context
from jara.services.news.recipients import Recipient
from jara.services.news.stories import Story
from jara.services.proposals.vote_emails import public_kind, vote_values
from jara.store.unit_of_work import UnitOfWork


def tell_vote(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return how a vote opened or ended; None if it was withdrawn, or is at another point."""
    record = work.proposals.get(item.id.partition(":")[2])
    if record is None or public_kind(record) != item.kind:
        return None
    zone = "" if context.zone == UTC_ZONE else context.zone.name
    return Story({**vote_values(context, work, record, language), "zone": zone, "forReader": True})


def concerned_readers(
    _context: Context, work: UnitOfWork, item: NewsItem
) -> Callable[[Recipient], bool]:
    """Return who hears of votes as news: readers whose address got no email of a member about it.

    Who was asked to vote gets the result whatever they chose, even at an unconfirmed address.
    """

    def is_concerned(recipient: Recipient) -> bool:
        if recipient.member is not None:
            return False
        member = work.members.by_email(recipient.address)
        return member is None or not work.outbox.count([f"{item.id}:{member.id}"])

    return is_concerned
