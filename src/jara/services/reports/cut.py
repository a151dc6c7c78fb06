"""The cut of a report: its period, the state of the books, and the time up to which facts count.

The clock only decides whether the period is over. For a past period, the same books always give
the same report.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from jara.domain.reports.parts import BooksMark, ReportPeriod
from jara.records.content import ContentItem
from jara.records.journal import Cut
from jara.services.books.tracing import At, log_size_at
from jara.store.unit_of_work import UnitOfWork


class ReportCut(NamedTuple):
    """What a report includes.

    Args:
        period: its days.
        books: the log head that it states.
        size: only entries below this log index; None for the whole log.
        instant: only facts up to this time.
    """

    period: ReportPeriod
    books: BooksMark
    size: int | None
    instant: datetime

    @property
    def to_date(self) -> Cut:
        """Everything up to the period's end."""
        return Cut(last=self.period.end, size=self.size)

    @property
    def within(self) -> Cut:
        """The period alone."""
        return Cut(last=self.period.end, size=self.size, first=self.period.first)


def make_cut(work: UnitOfWork, period: ReportPeriod, at: At = None, *, today: date) -> ReportCut:
    """Return what a report of a period includes.

    Facts outside the log, such as the state of a pledge, count up to the end of the period. For
    an earlier state of the books they count up to the time of its next entry. For a
    current period, the figures are those of today, or of the time of the books.

    Raises:
        InvalidInput: the log was never of that size, or the period has not begun.
    """
    # At midnight the new day has no entries yet.
    known = min(today, (at - timedelta(seconds=1)).date()) if isinstance(at, datetime) else today
    period = _clamp(work, period).known_on(known)
    size = log_size_at(work, at)
    newest = work.journal.newest(size)
    head = work.log.size() if size is None else size
    books = BooksMark(head, work.log.root(head).hex(), None if newest is None else newest.booked_at)
    limits = [end_of_day(period.end)]
    if isinstance(at, datetime):
        limits.append(at)
    elif size is not None and (went_on := work.reporting.booked_next(size)) is not None:
        limits.append(went_on)
    return ReportCut(period, books, size, min(limits))


def end_of_day(day: date) -> datetime:
    """Return the last second of a day, UTC."""
    return datetime.combine(day, time(23, 59, 59), tzinfo=UTC)


def items_at(work: UnitOfWork, kind: str, instant: datetime) -> list[ContentItem]:
    """Return the public items of a kind as they were at a time, oldest first."""
    known: dict[str, ContentItem] = {}
    for change in work.content.history(kind):
        if change.at <= instant:
            known[change.item.id] = change.item
    return [item for item in known.values() if item.published]


def _clamp(work: UnitOfWork, period: ReportPeriod) -> ReportPeriod:
    """Start a period without a start at the first entry."""
    if period.first > date.min:
        return period
    first = work.reporting.first_day() or period.last
    return ReportPeriod(min(first, period.last), period.last)
