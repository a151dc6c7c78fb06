"""Changes that members hear of before they hold: split, vote rule, terms, privacy text."""

from datetime import date, timedelta
from enum import StrEnum


class Topic(StrEnum):
    """What changes."""

    SPLIT = "split"
    VOTE_RULE = "vote-rule"
    TERMS = "terms"
    PRIVACY = "privacy"


TERMS_NOTICE = timedelta(days=30)
"""The terms promise that so many days lie between the email and the change."""

_NOTICE = {
    Topic.SPLIT: timedelta(),
    Topic.VOTE_RULE: timedelta(),
    Topic.TERMS: TERMS_NOTICE,
    Topic.PRIVACY: timedelta(),
}
_HOURS_A_DAY = 24


def earliest_start(
    topic: Topic, today: date, *, recipients: int, per_hour: int | None = None
) -> date:
    """Return the first day on which a change may hold that is announced today.

    It leaves a day for sending the emails, or more if only so many may leave in an hour. Where
    nobody is to be told, it may hold today.
    """
    if recipients == 0:
        return today
    days = 1 if per_hour is None else -(-recipients // (per_hour * _HOURS_A_DAY))
    return today + _NOTICE[topic] + timedelta(days=days)
