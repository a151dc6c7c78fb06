"""News items: caused in the transaction of what they tell, fanned out by `jara.services.news`."""

from datetime import datetime, timedelta

from jara.records.operations import NewsItem
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

TOLD_WITHIN = timedelta(days=30)
"""For so long after it was first noted, an item that was withdrawn may be told again.

Shorter than `EMAILS_KEPT`, so that the outbox knows who was told before."""

_SINCE = "since"
"""The key of the first time in an item that was noted again."""


def cause_news(context: Context, work: UnitOfWork, kind: str, name: str, **about: str) -> None:
    """Note something to be told; what is noted again is told to those who were not told yet.

    `name` distinguishes it within its kind, and is with it the once-key. The email will be written
    from `about`.
    """
    item = NewsItem(f"{kind}:{name}", kind, about, context.now())
    known = work.news.get(item.id)
    if known is None:
        work.news.add(item)
        return
    since = str(known.about.get(_SINCE, known.at.isoformat()))
    if item.at - datetime.fromisoformat(since) <= TOLD_WITHIN:
        work.news.put(item._replace(about={**about, _SINCE: since}))


def tell_again(context: Context, work: UnitOfWork, key: str, value: str) -> None:
    """Tell the newest items about something to those who were not told yet."""
    now = context.now()
    for item in work.news.between(now - TOLD_WITHIN, now):
        if item.about.get(key) == value:
            cause_news(context, work, item.kind, item.id.partition(":")[2], **item.about)
