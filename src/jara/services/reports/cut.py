"""From what a report is made: a period, the books of a log head, facts up to an instant.

Nothing here asks the clock, so that the same books give the same report (design,
'Reports').
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from jara.domain.reports.parts import BooksMark, ReportPeriod
from jara.services.books.tracing import At, log_size_at
from jara.services.ports.content import ContentItem
from jara.services.ports.database import UnitOfWork
from jara.services.ports.reporting import Cut


@dataclass(frozen=True, slots=True)
class ReportCut:
    """What a report may know.

    Args:
        period: its days.
        books: the head of the log that it names.
        size: entries from this log index on are unknown; None for the whole log.
        instant: what happened after it is unknown.
    """

    period: ReportPeriod
    books: BooksMark
    size: int | None
    instant: datetime

    @property
    def to_date(self) -> Cut:
        """Everything up to the period's end."""
        return Cut(last=self.period.last, size=self.size)

    @property
    def within(self) -> Cut:
        """The period alone."""
        return Cut(last=self.period.last, size=self.size, first=self.period.first)


def make_cut(work: UnitOfWork, period: ReportPeriod, at: At = None) -> ReportCut:
    """Decide what a report of a period knows.

    Facts that are not in the log, such as the state of a pledge, count up to the
    period's end; from earlier books those up to the moment when the books went on.

    Raises:
        InvalidInput: the log was never of that size.
    """
    size = log_size_at(work, at)
    newest = work.journal.newest(size)
    head = work.log.size() if size is None else size
    books = BooksMark(head, work.log.root(head).hex(), None if newest is None else newest.booked_at)
    limits = [end_of_day(period.last)]
    if isinstance(at, datetime):
        limits.append(at)
    elif size is not None and (went_on := work.reporting.booked_next(size)) is not None:
        limits.append(went_on)
    return ReportCut(_clamp(work, period), books, size, min(limits))


def end_of_day(day: date) -> datetime:
    """Return the last second of a day, UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


def items_at(work: UnitOfWork, kind: str, instant: datetime) -> list[ContentItem]:
    """Return the public items of a kind as they were at an instant, the oldest first."""
    known: dict[str, ContentItem] = {}
    for change in work.content.history(kind):
        if change.at <= instant:
            known[change.item.id] = change.item
    return [item for item in known.values() if item.published]


def _clamp(work: UnitOfWork, period: ReportPeriod) -> ReportPeriod:
    """Let a period without a beginning begin with the books."""
    if period.first > date.min:
        return period
    first = work.reporting.first_day() or period.last
    return ReportPeriod(min(first, period.last), period.last)
