"""The calendar and its file (RFC 5545): ends of votes, events, and what was called off."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import NamedTuple

from jara.domain.content.kinds import EVENTS
from jara.domain.language import Language
from jara.domain.time_zone import TimeZone
from jara.domain.voting.proposal import ProposalStatus
from jara.records.content import ContentChange, ContentItem
from jara.records.voting import ProposalRecord
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class CalendarState(NamedTuple):
    """What calendars are told of an entry's changes."""

    changed_at: datetime  # when it was published, changed or called off
    revision: int = 0  # the number of its changes since it was published
    is_off: bool = False  # whether it was called off


class VoteEnd(NamedTuple):
    """The end of a vote."""

    id: str
    slug: str
    title: str
    ends_at: datetime
    state: CalendarState


class Event(NamedTuple):
    """An event of the community; both days belong to it.

    ``starts_at`` and ``ends_at`` are None without an hour, and of several days without one at
    their end; ``time`` is the hour as clocks there show it, or empty.
    """

    id: str
    title: str
    first_day: date
    last_day: date
    place: str
    link: str
    description: str
    state: CalendarState
    time: str = ""
    starts_at: datetime | None = None
    ends_at: datetime | None = None


class Calendar(NamedTuple):
    """What the calendar has; samples that were removed are not in it."""

    votes: tuple[VoteEnd, ...]
    events: tuple[Event, ...]


def show_calendar(context: Context) -> Calendar:
    """Return the ends of the votes that were opened, and the events that were published."""
    with context.store.read() as work:
        return read_calendar(work, context.language)


def read_calendar(work: UnitOfWork, language: Language) -> Calendar:
    """Return the calendar within a transaction, for a reader of a language."""
    votes = work.proposals.listed()
    changes = work.content.history(EVENTS)
    changes.sort(key=lambda change: change.item.id)  # stable: the states of one are in order
    by_id = groupby(changes, key=lambda change: change.item.id)
    return Calendar(
        tuple(_vote_end(record, at, language) for record in votes if (at := record.opened_at)),
        tuple(event for _, states in by_id for event in _event(states, language, work.zone)),
    )


def _vote_end(record: ProposalRecord, opened_at: datetime, language: Language) -> VoteEnd:
    proposal, state = record.proposal, CalendarState(opened_at)
    if proposal.status is ProposalStatus.WITHDRAWN:
        state = CalendarState(record.decided_at or opened_at, revision=1, is_off=True)
    return VoteEnd(proposal.id, proposal.slug, record.title_in(language), proposal.ends_at, state)


def _event(changes: Iterator[ContentChange], language: Language, zone: TimeZone) -> Iterator[Event]:
    """Return an event as it was published last; changes while it was hidden do not show."""
    event: ContentItem | None = None
    state: CalendarState | None = None
    for item, at in changes:
        if state is None:
            if item.published:
                event, state = item, CalendarState(at)
        elif item.published is state.is_off or (item.published and item != event):
            event = item if item.published else event
            state = CalendarState(at, state.revision + 1, is_off=not item.published)
    if event is None or state is None or (state.is_off and event.doc.get("sample")):
        return
    document = event.read_in(language)
    first = date.fromisoformat(document["date"])
    last = date.fromisoformat(document.get("endDate") or document["date"])
    clock, end = document.get("time") or "", document.get("endTime")
    has_hours = clock and (end or first == last)
    yield Event(
        id=document["id"],
        title=document["title"],
        first_day=first,
        last_day=last,
        place=document.get("place") or "",
        link=document.get("link") or "",
        description=document.get("description") or "",
        state=state,
        time=clock,
        starts_at=zone.instant_of(first, clock) if has_hours else None,
        ends_at=zone.instant_of(last, end) if has_hours and end else None,
    )


EVENTS_PAGE = "/dashboard?tab=events"
_LINE_BYTES = 73
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029]")


def write_calendar(entries: Iterable[list[str]], *, program: str, title: str = "") -> str:
    """Return a calendar of some entries, each with its lines.

    `program` is what made it, such as ``-//Jara//votes//EN``; the title is empty for entries that
    are added to the reader's own calendar.
    """
    names = [f"{key}:{_ics(title)}" for key in ("NAME", "X-WR-CALNAME")] if title else []
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_ics(program)}", *names]
    for entry in entries:
        lines += entry
    return "".join(_folded(line) for line in [*lines, "END:VCALENDAR"])


def vote_lines(site: str, vote: VoteEnd, summary: str) -> list[str]:
    """Return the last quarter of an hour of a vote."""
    return [
        *_begun(site, vote.id, vote.state),
        f"DTSTART:{_stamp(vote.ends_at - timedelta(minutes=15))}",
        f"DTEND:{_stamp(vote.ends_at)}",
        f"SUMMARY:{_ics(summary)}",
        f"URL:{site}/proposals/{vote.slug}",
        "END:VEVENT",
    ]


def event_lines(site: str, event: Event) -> list[str]:
    """Return an event: at its time, or of whole days, which the day after the last one ends.

    RFC 5545 §3.6.1: one with a beginning and no end has no duration.
    """
    further = (("LOCATION", event.place), ("DESCRIPTION", event.description))
    return [
        *_begun(site, f"event-{event.id}", event.state),
        *_when(event),
        f"SUMMARY:{_ics(event.title)}",
        *(f"{name}:{_ics(text)}" for name, text in further if text),
        f"URL:{event.link or site + EVENTS_PAGE}",
        "END:VEVENT",
    ]


def _when(event: Event) -> list[str]:
    if event.starts_at is None:
        return [
            f"DTSTART;VALUE=DATE:{event.first_day:%Y%m%d}",
            f"DTEND;VALUE=DATE:{event.last_day + timedelta(days=1):%Y%m%d}",
        ]
    end = [] if event.ends_at is None else [f"DTEND:{_stamp(event.ends_at)}"]
    return [f"DTSTART:{_stamp(event.starts_at)}", *end]


def _begun(site: str, name: str, state: CalendarState) -> list[str]:
    """Begin an entry; a calendar replaces what it has of this UID by a higher SEQUENCE."""
    return [
        "BEGIN:VEVENT",
        f"UID:{_ics(name)}@{_ics(site.partition('://')[2])}",
        f"DTSTAMP:{_stamp(state.changed_at)}",
        f"SEQUENCE:{state.revision}",
        f"STATUS:{'CANCELLED' if state.is_off else 'CONFIRMED'}",
    ]


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _ics(text: str) -> str:
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(plain, escaped)
    return _CONTROL.sub("", text)


def _folded(line: str) -> str:
    """Break a line after 73 bytes at most, never inside a character (RFC 5545 §3.1)."""
    pieces, current, size = [], "", 0
    for character in line:
        width = len(character.encode())
        if size + width > _LINE_BYTES:
            pieces.append(current)
            current, size = " ", 1
        current += character
        size += width
    return "\r\n".join([*pieces, current]) + "\r\n"
