"""Announcing a change to all members before it holds, in the transaction of the change."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from jara.domain.coming_change import Topic, earliest_start
from jara.domain.errors import InvalidInput
from jara.records.operations import Announcement
from jara.services.context import Context
from jara.services.news_items import cause_news
from jara.store.unit_of_work import UnitOfWork

COMING_CHANGE = "coming_change"
"""The kind of the emails; no member can turn it off."""


def earliest_change(context: Context, work: UnitOfWork, topic: Topic) -> date:
    """Return the first day on which a change may hold if it is announced now."""
    return earliest_start(
        topic,
        context.today(),
        recipients=work.members.count_confirmed(),
        per_hour=context.rules.mail_per_hour,
    )


def require_notice(context: Context, work: UnitOfWork, topic: Topic, starts_on: date) -> int:
    """Check that all members can know of a change before it holds; return how many they are.

    Raises:
        InvalidInput: it would hold before.
    """
    recipients = work.members.count_confirmed()
    earliest = earliest_change(context, work, topic)
    if recipients and starts_on < earliest:
        raise InvalidInput(
            f"Members hear of a change before it holds: it can hold from {earliest} on, not from "
            f"{starts_on}."
        )
    return recipients


def announce_change(
    context: Context, work: UnitOfWork, topic: Topic, *, starts_on: date, about: Mapping[str, Any]
) -> Announcement | None:
    """Announce a change to all members, whatever emails they chose; None if there are none.

    Args:
        starts_on: the first day on which it holds.
        about: of the split, ``before`` and ``after`` with the weight of each fund; of the vote
            rule, ``before`` and ``after`` with its document; of a text,
            ``summary`` with a sentence by language, and ``path`` of the page with the new text.

    Raises:
        InvalidInput: it would hold before all members can know.
    """
    recipients = require_notice(context, work, topic, starts_on)
    if recipients == 0:
        return None
    announcement = Announcement(
        id=context.new_key("ann_"),
        kind=COMING_CHANGE,
        about={"topic": topic.value, "day": starts_on.isoformat(), **about},
        digest="",
        recipients=recipients,
        operator=context.operator,
        at=context.now(),
    )
    work.announcements.put(announcement)
    cause_news(context, work, COMING_CHANGE, announcement.id)
    return announcement


def withdraw_change(context: Context, work: UnitOfWork, *, path: str) -> None:
    """Tell nobody else of the change of a text that was withdrawn; ``path`` is of its page."""
    for announcement in work.announcements.all():
        if announcement.about.get("path") == path:
            work.announcements.put(announcement._replace(withdrawn_at=context.now()))
