"""News: what happened that people asked to hear of."""

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
        reached: up to which recipient emails are queued; empty before the first.
        done_at: when they were queued for everybody; None while some wait.
    """

    id: str
    kind: str
    about: Mapping[str, Any]
    at: datetime
    reached: str = ""
    done_at: datetime | None = None
