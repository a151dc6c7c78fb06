"""Announcements as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


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
