"""Fanning news out: one row of the outbox for each recipient, in batches; and writing its email.

A batch writes its rows and the place that it reached in one transaction, so that a killed or a
second run goes on where the last batch ended: nobody is left out, and nobody gets two rows. A row
refers to the item; when it is sent, `complete_news` decides whether it still goes out, to which
address, and what it says. So a corrected update is sent as it is now, and a withdrawn one is not
sent; the same holds for a member who left, or whose address, choice or language changed.
"""

from collections import Counter

from jara.domain.email_kinds import KINDS, Delivery
from jara.records.operations import Email, NewsItem
from jara.services.context import Context
from jara.services.news import stories
from jara.services.news.handlers import HANDLERS, goes_out
from jara.services.news.month import TOLD
from jara.services.news.stories import Recipient, StoryCache
from jara.services.news_items import TOLD_WITHIN
from jara.services.notices.emails import make_email, reader_values
from jara.services.ports.outside import NotSent
from jara.store.unit_of_work import UnitOfWork

BATCH = 500
"""Recipients in one transaction, which keeps other writers waiting."""


def fan_out_news(context: Context) -> Counter[str]:
    """Queue the emails of all news that can be told now; count them by kind.

    News of something that is not public stays and is told when it becomes public.
    """
    with context.store.read() as work:
        since = context.now() - TOLD_WITHIN
        ready = [
            item.id
            for item in work.news.waiting(since=since)
            if HANDLERS[item.kind].holds(context, work, item)
        ]
    queued: Counter[str] = Counter()
    for item_id in ready:
        while _queue_batch(context, item_id, queued):
            pass
    return queued


def _queue_batch(context: Context, item_id: str, queued: Counter[str]) -> bool:
    """Queue the next emails of an item; return whether recipients are left."""
    with context.store.write() as work:
        item = work.news.get(item_id)
        if item is None or item.done_at is not None:
            return False
        recipients = stories.recipients_after(work, item.reached, limit=BATCH)
        is_concerned = HANDLERS[item.kind].concerns(context, work, item)
        emails = [
            _row(context, item, recipient)
            for recipient in recipients
            if recipient.delivery(KINDS[item.kind]) is Delivery.NOW
            and is_concerned(recipient)
            and stories.may_be_told(work, recipient, KINDS[item.kind])
        ]
        queued[item.kind] += work.outbox.add_new(emails)
        is_left = len(recipients) == BATCH
        work.news.put(
            item._replace(
                reached=recipients[-1].place if is_left else "",  # erased members leave no id
                done_at=None if is_left else context.now(),
            )
        )
    return is_left


def _row(context: Context, item: NewsItem, recipient: Recipient) -> Email:
    return make_email(
        context,
        item.kind,
        address=recipient.address,
        values={"news": item.id},
        member_id=None if recipient.member is None else recipient.member.id,
        once_key=HANDLERS[item.kind].once_key(item, recipient),
    )


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
    item, recipient = work.news.get(str(email.doc[ITEM])), stories.recipient_of(work, email)
    if item is None or recipient is None:
        return None
    if not stories.may_be_told(work, recipient, KINDS[item.kind]):
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
    member = recipient.member
    common = {"firstname": ""} if member is None else reader_values(cache.context, member)
    common |= {"language": recipient.language}
    return email._replace(address=recipient.address, doc={**email.doc, **common, **values})
