"""News and announcements."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


class NewsItem(NamedTuple):
    """Something that happened, to be told once to everyone it concerns.

    Args:
        id: its once-key, such as ``update:second-tank``.
        kind: the kind of email that tells it.
        about: what happened, by reference: emails are written when they are sent.
        at: when it happened, or was published again.
        reached: up to which recipient emails are queued; empty before the first and after the last.
        done_at: when they were queued for everybody; None while some wait.
    """

    id: str
    kind: str
    about: Mapping[str, Any]
    at: datetime
    reached: str = ""
    done_at: datetime | None = None


class Announcement(NamedTuple):
    """What was written to many at once.

    Args:
        id: such as ``ann_4f7k2m9q``.
        kind: the kind of its emails.
        about: its texts and audience, or what changes and when.
        digest: equal for the same texts.
        recipients: how many it was for when it was announced.
        operator: who announced it.
        at: when.
        withdrawn_at: since when no email of it goes out any more.
    """

    id: str
    kind: str
    about: Mapping[str, Any]
    digest: str
    recipients: int
    operator: str
    at: datetime
    withdrawn_at: datetime | None = None
