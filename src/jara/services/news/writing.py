"""Writing the email of an item of news when it is sent.

A corrected update is sent as it is now, and a withdrawn one is not sent. The same holds for a
member who left, or whose address, choice or language changed since the email was queued.
"""

from __future__ import annotations

from jara.domain.email_kinds import KINDS
from jara.records.operations import Email
from jara.services.news.handlers import HANDLERS, goes_out
from jara.services.news.month import TOLD
from jara.services.news.recipients import may_be_told, recipient_of
from jara.services.news.stories import StoryCache
from jara.services.ports.outside import NotSent
from jara.store.unit_of_work import UnitOfWork

ITEM = "news"
"""The key of an item's id in the values of its emails."""


def complete_news(cache: StoryCache, email: Email) -> Email:
    """Return an email with its text; emails about anything else stay as they are.

    Raises:
        NotSent: it must not go out any more.
    """
    if ITEM not in email.doc:
        return email
    with cache.context.store.read() as work:
        completed = _complete(cache, work, email)
    if completed is None:
        raise NotSent
    if TOLD in completed.doc:
        with cache.context.store.write() as work:
            told = {**email.doc, TOLD: completed.doc[TOLD]}
            work.outbox.rewrite(email._replace(doc=told))
    return completed


def _complete(cache: StoryCache, work: UnitOfWork, email: Email) -> Email | None:
    item, recipient = work.news.get(str(email.doc[ITEM])), recipient_of(work, email)
    if item is None or recipient is None:
        return None
    if not may_be_told(work, recipient, KINDS[item.kind]):
        return None
    if not goes_out(cache.context, item, recipient):
        return None
    handler = HANDLERS[item.kind]
    story = cache.story(work, item, recipient.language, handler.tell)
    if story is None:
        return None
    values = handler.personal(cache, work, item, story, recipient)
    if values is None:
        return None
    name = "" if recipient.member is None else recipient.member.greeting_name
    common = {"firstname": name, "language": recipient.language}
    return email._replace(address=recipient.address, doc={**email.doc, **common, **values})
