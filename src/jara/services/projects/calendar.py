"""The calendar: ends of votes, and events of the community, with what was called off."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import groupby
from typing import NamedTuple

from jara.domain.content.kinds import EVENTS
from jara.domain.language import Language
from jara.domain.voting.proposal import LISTED, ProposalStatus
from jara.records.content import ContentChange, ContentItem
from jara.records.voting import ProposalRecord
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


class CalendarState(NamedTuple):
    """What calendars are told of an entry's changes.

    Args:
        changed_at: when it was published, changed or called off.
        revision: the number of its changes since it was published.
        is_off: whether it was called off.
    """

    changed_at: datetime
    revision: int = 0
    is_off: bool = False


class VoteEnd(NamedTuple):
    """The end of a vote."""

    id: str
    slug: str
    title: str
    ends_at: datetime
    state: CalendarState


class Event(NamedTuple):
    """An event of the community; both days belong to it."""

    id: str
    title: str
    first_day: date
    last_day: date
    place: str
    link: str
    description: str
    state: CalendarState


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
    votes = work.proposals.all(*LISTED, ProposalStatus.WITHDRAWN)
    changes = work.content.history(EVENTS)
    changes.sort(key=lambda change: change.item.id)  # stable: the states of one are in order
    by_id = groupby(changes, key=lambda change: change.item.id)
    return Calendar(
        tuple(end for record in votes for end in _vote_end(record, language)),
        tuple(event for _, states in by_id for event in _event(states, language)),
    )


def _vote_end(record: ProposalRecord, language: Language) -> Iterator[VoteEnd]:
    proposal, is_off = record.proposal, record.proposal.status is ProposalStatus.WITHDRAWN
    if record.opened_at is None or record.is_removed_sample:
        return
    state = (
        CalendarState(record.decided_at or record.opened_at, revision=1, is_off=True)
        if is_off
        else CalendarState(record.opened_at)
    )
    title = record.title_in(language)
    yield VoteEnd(proposal.id, proposal.slug, title, proposal.ends_at, state)


def _event(changes: Iterator[ContentChange], language: Language) -> Iterator[Event]:
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
    yield Event(
        id=document["id"],
        title=document["title"],
        first_day=first,
        last_day=date.fromisoformat(document.get("endDate") or document["date"]),
        place=document.get("place") or "",
        link=document.get("link") or "",
        description=document.get("description") or "",
        state=state,
    )
