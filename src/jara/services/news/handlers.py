"""How each kind of news reaches people: whom it concerns, and what its email says."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from jara.domain.email_kinds import Delivery, kind_of
from jara.domain.language import ENGLISH, Language
from jara.domain.time_zone import UTC_ZONE
from jara.records.operations import NewsItem
from jara.services.context import Context
from jara.services.news import announcement_news, month
from jara.services.news.event_news import REMINDER, concerned_by_event, tell_event, tell_event_soon
from jara.services.news.project_news import tell_milestone, tell_payout, tell_update
from jara.services.news.stories import Recipient, Story, StoryCache, TellStory
from jara.services.notices.coming_changes import COMING_CHANGE
from jara.services.proposals.vote_emails import OPENED, RESULT, public_kind, vote_values
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


Concerns = Callable[[Recipient], bool]


def _everybody(_context: Context, _work: UnitOfWork, _item: NewsItem) -> Concerns:
    return lambda _recipient: True


def _news_key(item: NewsItem, recipient: Recipient) -> str:
    return f"news:{item.id}:{recipient.name}"


def _shared_values(
    cache: StoryCache, work: UnitOfWork, _item: NewsItem, story: Story, recipient: Recipient
) -> Mapping[str, Any] | None:
    """Return the values of a story, and the member's share of its payouts if there is one."""
    if recipient.member is None:
        return story.values
    share = cache.share(work, story, recipient.member.key)
    if share.own_cents <= 0:
        return story.values
    return {**story.values, "shareCents": share.own_cents, "paidCents": share.paid_cents}


class Handler(NamedTuple):
    """A kind of news."""

    tell: TellStory  # returns what an item says to everybody; None while it must not be told
    concerns: Callable[[Context, UnitOfWork, NewsItem], Concerns] = _everybody
    """Returns who of those that may get the kind is told an item."""
    personal: Callable[
        [StoryCache, UnitOfWork, NewsItem, Story, Recipient], Mapping[str, Any] | None
    ] = _shared_values
    """Returns what an item says to one recipient; None if nothing."""
    once_key: Callable[[NewsItem, Recipient], str] = _news_key
    """Returns the once-key of a recipient's email."""

    def holds(self, context: Context, work: UnitOfWork, item: NewsItem) -> bool:
        """Return whether an item can be told now."""
        return self.tell(context, work, item, ENGLISH) is not None


_BUNDLED: Mapping[str, Handler] = {
    "update": Handler(tell_update),
    "milestone": Handler(tell_milestone),
    "payout": Handler(tell_payout),
    "event": Handler(tell_event, concerned_by_event),
}

HANDLERS: Mapping[str, Handler] = {
    **_BUNDLED,
    REMINDER: Handler(tell_event_soon),
    announcement_news.ANNOUNCEMENT: Handler(
        announcement_news.tell_announcement, concerns=announcement_news.concerned_by_announcement
    ),
    COMING_CHANGE: Handler(
        announcement_news.tell_coming_change, concerns=announcement_news.concerned_by_change
    ),
    announcement_news.CHAT_OPENED: Handler(announcement_news.tell_chat),
    OPENED: Handler(tell_vote, concerned_readers),
    RESULT: Handler(tell_vote, concerned_readers),
    month.MONTH: Handler(
        month.tell_month,
        personal=partial(
            month.month_of, {name: handler.tell for name, handler in _BUNDLED.items()}
        ),
    ),
    month.STATEMENT: Handler(
        month.tell_statement,
        month.concerned_by_statement,
        month.statement_values,
        month.key_of_statement,
    ),
}
"""The kinds of news; each is declared in `jara.domain.email_kinds` too."""


def goes_out(context: Context, item: NewsItem, recipient: Recipient) -> bool:
    """Return whether a queued email still goes out to a recipient as they are now.

    One who changed to the monthly email gets the news there, unless that month is over.
    """
    delivery = recipient.delivery(kind_of(item.kind))
    if delivery is Delivery.BUNDLED:
        zone = context.zone
        return zone.day_of(item.at).replace(day=1) != context.today().replace(day=1)
    return delivery is Delivery.NOW
