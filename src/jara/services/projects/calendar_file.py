"""Ends of votes and events as a calendar file (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from jara.services.projects.calendar import CalendarState, Event, VoteEnd

EVENTS_PAGE = "/dashboard?tab=events"
_LINE_BYTES = 73


def write_calendar(entries: Iterable[list[str]], *, program: str, title: str = "") -> str:
    """Return a calendar of some entries.

    Args:
        entries: the lines of each.
        program: what made it, such as ``-//Jara//votes//EN``.
        title: its name; empty for entries that are added to the reader's own calendar.
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
    """Return an event of whole days; the day after the last ends it (RFC 5545 §3.6.1)."""
    further = (("LOCATION", event.place), ("DESCRIPTION", event.description))
    return [
        *_begun(site, f"event-{event.id}", event.state),
        f"DTSTART;VALUE=DATE:{event.first_day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{event.last_day + timedelta(days=1):%Y%m%d}",
        f"SUMMARY:{_ics(event.title)}",
        *(f"{name}:{_ics(text)}" for name, text in further if text),
        f"URL:{event.link or site + EVENTS_PAGE}",
        "END:VEVENT",
    ]


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
    return text.replace("\r", "")


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
