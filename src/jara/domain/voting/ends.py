"""Parsing and formatting the end of a vote."""

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
    """Parse the end of a vote: the first UTC instant at which no ballot is accepted.

    A date means the end of that day in UTC; an instant has a time zone.

    Raises:
        InvalidInput: it is not like ``2026-11-30`` or ``2026-11-30T18:00:00Z``.
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
        f"'{text[:40]}' is not an end of a vote; write a day like 2026-11-30, "
        "or an instant like 2026-11-30T18:00:00Z."
    )


def format_instant(at: datetime) -> str:
    """Format an instant in ISO 8601, UTC, without a zero fraction of a second."""
    return at.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"
