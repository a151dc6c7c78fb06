"""When a vote ends: reading and writing instants."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from jara.domain.errors import InvalidInput

_BARE_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)


def parse_end(text: str) -> datetime:
    """Read the end of a vote as the UTC instant at which no ballot is taken any more.

    A bare date means the end of that day in UTC, an instant says its zone
    (design, 'Proposals and voting').

    Raises:
        InvalidInput: it is neither ``2026-11-30`` nor like ``2026-11-30T18:00:00Z``.
    """
    try:
        if _BARE_DATE.fullmatch(text):
            following = date.fromisoformat(text) + timedelta(days=1)
            return datetime.combine(following, time(tzinfo=UTC))
        if _INSTANT.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise InvalidInput(
        f"'{text[:40]}' is no end of a vote; write a day like 2026-11-30, "
        "or an instant like 2026-11-30T18:00:00Z."
    )


def format_instant(at: datetime) -> str:
    """Write an instant in ISO 8601, UTC, to the second unless it has a finer part."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
