"""A clock that changes only when a test sets it."""

from datetime import UTC, datetime, timedelta


class FakeClock:
    """Replaces the system's clock."""

    def __init__(self, at: datetime = datetime(2026, 11, 20, 12, tzinfo=UTC)) -> None:
        """Start at an instant."""
        self.at = at

    def now(self) -> datetime:
        """Return the current time of the clock."""
        return self.at

    def advance(self, **parts: float) -> None:
        """Advance by days, hours, minutes or seconds."""
        self.at += timedelta(**parts)

    def set(self, at: datetime) -> None:
        """Set the time."""
        self.at = at
