"""A clock that stands still until it is told to move."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Stands in for the system's clock."""

    def __init__(self, at: datetime = datetime(2026, 11, 20, 12, tzinfo=UTC)) -> None:
        """Start at an instant."""
        self.at = at

    def now(self) -> datetime:
        """Return the instant it stands at."""
        return self.at

    def advance(self, **parts: float) -> None:
        """Move on by days, hours, minutes or seconds."""
        self.at += timedelta(**parts)

    def set(self, at: datetime) -> None:
        """Move to an instant."""
        self.at = at
