"""What the reports share: period, state of the books, payouts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from jara.domain.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class ReportPeriod:
    """The days a report covers, both ends included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise InvalidInput(
                f"A period cannot end ({self.last}) before it begins ({self.first})."
            )

    @property
    def is_year(self) -> bool:
        """Whether it is one whole calendar year."""
        starts = (self.first.month, self.first.day) == (1, 1)
        ends = (self.last.month, self.last.day) == (12, 31)
        return starts and ends and self.first.year == self.last.year

    @property
    def is_month(self) -> bool:
        """Whether it is one whole calendar month."""
        same = (self.first.year, self.first.month) == (self.last.year, self.last.month)
        ends = (self.last + timedelta(days=1)).day == 1 if self.last < date.max else True
        return same and self.first.day == 1 and ends


@dataclass(frozen=True, slots=True)
class BooksMark:
    """The state of the books: the log's size and root, and its newest entry's time."""

    size: int
    root: str
    at: datetime | None
    """None while the books hold no entry."""

    def __post_init__(self) -> None:
        if self.at is not None and self.at.utcoffset() != timedelta(0):
            raise InvalidInput(f"The time of the books is in UTC, not '{self.at.isoformat()}'.")


@dataclass(frozen=True, slots=True)
class Payout:
    """Money that left for a project, a grant or a donation; negative when it came back."""

    day: date
    project: str
    """The slug, the last part of the account."""
    title: str
    account: str
    cents: int
    proposal: str | None = None
