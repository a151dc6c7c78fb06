"""Fanning news out: one row of the outbox for each recipient, in batches.

A batch writes its rows and the place that it reached in one transaction, so that a killed or a
second run goes on where the last batch ended: nobody is left out, and nobody gets two rows. A row
refers to the item; `jara.services.news.writing` decides when it is sent whether it still goes
out, to which address, and what it says.
"""

from __future__ import annotations

from collections import Counter

from jara.domain.email_kinds import KINDS, Delivery
from jara.records.news import NewsItem
from jara.records.operations import Email
from jara.services.context import Context
from jara.services.news.handlers import HANDLERS
from jara.services.news.recipients import Recipient, may_be_told, recipients_after
from jara.services.news_items import TOLD_WITHIN
from jara.services.notices.emails import make_email

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
        recipients = recipients_after(work, item.reached, limit=BATCH)
        is_concerned = HANDLERS[item.kind].concerns(context, work, item)
        emails = [
            _row(context, item, recipient)
            for recipient in recipients
            if recipient.delivery(KINDS[item.kind]) is Delivery.NOW
            and is_concerned(recipient)
            and may_be_told(work, recipient, KINDS[item.kind])
        ]
        queued[item.kind] += work.outbox.add_new(emails)
        is_left = len(recipients) == BATCH
        work.news.put(
            item._replace(
                reached=recipients[-1].place if recipients else item.reached,
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
