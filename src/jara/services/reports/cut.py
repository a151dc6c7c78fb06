"""The cut of a report: its period, the state of the books, and the time up to which facts count.

The clock only decides whether the period is over. The same books always give the same report: one
of a period that is not over ends with the newest fact.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.domain.reports.parts import BooksMark, ReportPeriod
from jara.domain.time_zone import TimeZone
from jara.records.content import ContentItem
from jara.records.journal import Cut
from jara.services.books.tracing import At, log_size_at
from jara.store.unit_of_work import UnitOfWork

_SECOND = timedelta(seconds=1)


class ReportCut(NamedTuple):
    """What a report includes.

    Args:
        books: the log head that it states.
        size: only entries below this log index; None for the whole log.
        instant: only facts up to this time.
        language: the language of its reader, for the titles in it.
    """

    period: ReportPeriod
    books: BooksMark
    size: int | None
    instant: datetime
    language: Language = ENGLISH

    @property
    def to_date(self) -> Cut:
        """Everything up to the period's end."""
        return Cut(last=self.period.end, size=self.size)

    @property
    def within(self) -> Cut:
        """The period alone."""
        return Cut(last=self.period.end, size=self.size, first=self.period.first)


def make_cut(
    work: UnitOfWork,
    period: ReportPeriod,
    at: At = None,
    *,
    today: date,
    language: Language = ENGLISH,
) -> ReportCut:
    """Return what a report of a period includes.

    Facts outside the log, such as the state of a pledge, count up to the end of the period. For
    an earlier state of the books they count up to the time of its next entry. A current period
    ends with the newest fact of that state, or at the given time.

    Raises:
        InvalidInput: the log was never of that size, the time is in the future, or the period has
            not begun.
    """
    zone, size = work.zone, log_size_at(work, at)
    newest = work.journal.newest(size)
    head = work.log.size() if size is None else size
    books = BooksMark(head, work.log.root(head).hex(), None if newest is None else newest.booked_at)
    until = at if isinstance(at, datetime) else work.reporting.booked_next(head)
    # At midnight the new day has no entries yet.
    known = today if until is None else zone.day_of(until - _SECOND)
    if known > today:
        raise InvalidInput(f"{known} is in the future; the books of that day are not written yet.")
    period = _clamp(work, period)
    if not isinstance(at, datetime) and period.first <= known <= period.last:
        until = _newest_fact(work, head, books.at, before=until)
        known = period.first if until is None else max(period.first, zone.day_of(until))
    period = period.known_on(known)
    end = last_second(zone, period.end)
    return ReportCut(period, books, size, end if until is None else min(end, until), language)


def _newest_fact(
    work: UnitOfWork, size: int, booked_at: datetime | None, *, before: datetime | None
) -> datetime | None:
    """Return the time of the newest fact of a state: of its log, a pledge or published content."""
    outside = work.reporting.newest_outside(before)
    times = [at for at in (booked_at, outside) if at is not None]
    for record in work.proposals.all():
        for index, at in (
            (record.opened_index, record.opened_at),
            (record.closed_index, record.decided_at),
        ):
            if index is not None and at is not None and index < size:
                times.append(at)
    return max(times, default=None)


def last_second(zone: TimeZone, day: date) -> datetime:
    """Return the last second of a day."""
    return zone.end_of(day) - _SECOND


def items_at(
    work: UnitOfWork, kind: str, instant: datetime, *, is_public: bool = True
) -> list[ContentItem]:
    """Return the public items of a kind as they were at a time, or all, oldest first."""
    known: dict[str, ContentItem] = {}
    for change in work.content.history(kind):
        if change.at <= instant:
            known[change.item.id] = change.item
    return [item for item in known.values() if item.published or not is_public]


def _clamp(work: UnitOfWork, period: ReportPeriod) -> ReportPeriod:
    """Start a period without a start at the first entry."""
    if period.first > date.min:
        return period
    first = work.reporting.first_day() or period.last
    return ReportPeriod(min(first, period.last), period.last)
