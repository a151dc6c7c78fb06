"""Feed and calendar, read by the parsers that feed readers and calendar programs use."""

from datetime import date
from typing import Any

import pytest

from jara.domain.content.kinds import EVENTS
from jara.services import content
from jara.services.proposals.lifecycle import draft_proposal, withdraw_proposal
from tests.services.ballots.voting_world import PROPOSAL
from tests.webapi.desk import Desk

feedparser = pytest.importorskip("feedparser")
icalendar = pytest.importorskip("icalendar")

CALL = {
    "id": "call",
    "title": "Community call; all welcome",
    "date": "2026-12-05",
    "endDate": "2026-12-06",
    "place": "Online, by video",
    "description": "What was built.\nWhat comes next.",
}


def publish(desk: Desk, **changes: Any) -> None:
    """Add or edit the event, and publish it."""
    context = desk.application.context
    content.import_items(context, EVENTS, [{**CALL, **changes}])
    content.publish_item(context, EVENTS, "call", published=True)


def calendar(desk: Desk, **query: str) -> dict[str, Any]:
    """Return the calendar's entries by the first part of their UID."""
    text = desk.get("/votes.ics", params=query).text
    events = icalendar.Calendar.from_ical(text).walk("VEVENT")
    return {str(event["UID"]).partition("@")[0]: event for event in events}


def test_a_calendar_program_reads_votes_and_events(own: Desk) -> None:
    """Whole days end before the next one; instants are in UTC; texts are as they were written."""
    vote = own.open_vote(slug="wells", title="Wells, pumps", endDate="2026-11-30")
    publish(own)
    entries = calendar(own)
    event, end = entries["event-call"], entries[vote]

    assert set(entries) == {vote, "event-call"}
    assert (event.decoded("DTSTART"), event.decoded("DTEND")) == (
        date(2026, 12, 5),
        date(2026, 12, 7),
    )
    assert [str(event[key]) for key in ("SUMMARY", "LOCATION", "DESCRIPTION", "STATUS")] == [
        *(CALL[key] for key in ("title", "place", "description")),
        "CONFIRMED",
    ]
    assert str(end.decoded("DTEND").utcoffset()) == "0:00:00"
    assert (end["SEQUENCE"], event["SEQUENCE"]) == (0, 0)
    publish(own, place="The hall\x0bX-PAY:\u2028here\x85")
    assert calendar(own)["event-call"]["LOCATION"] == "The hallX-PAY:here"
    assert all(one.decoded("DTSTAMP") for one in entries.values())


def test_an_event_of_several_days_without_its_last_hour_fills_its_days(own: Desk) -> None:
    """With only its beginning, a calendar would show none of the days after the first."""
    publish(own, time="18:30")
    event = calendar(own)["event-call"]

    assert (event.decoded("DTSTART"), event.decoded("DTEND")) == (
        date(2026, 12, 5),
        date(2026, 12, 7),
    )


def test_a_changed_event_has_a_higher_sequence(own: Desk) -> None:
    """Saving it again without a change, or editing it while it is hidden, is none."""
    publish(own)
    own.clock.advance(hours=1)
    publish(own)
    assert calendar(own)["event-call"]["SEQUENCE"] == 0
    own.clock.advance(hours=1)
    publish(own, date="2026-12-06")
    event = calendar(own)["event-call"]

    assert (event["SEQUENCE"], event.decoded("DTSTART")) == (1, date(2026, 12, 6))
    assert event.decoded("DTSTAMP") == own.application.context.now().replace(microsecond=0)


def test_a_withdrawn_event_is_cancelled_in_the_calendar(own: Desk) -> None:
    """A hidden or removed event and a withdrawn vote; drafts were never in the calendar."""
    context = own.application.context
    vote = own.open_vote(slug="wells")
    content.import_items(context, EVENTS, [{**CALL, "id": "draft", "published": False}])
    publish(own)
    content.publish_item(context, EVENTS, "call", published=False)
    hidden = calendar(own)["event-call"]
    content.import_items(context, EVENTS, [{**CALL, "title": "Secret plans"}])
    still = calendar(own)["event-call"]
    content.remove_item(context, EVENTS, "call")
    draft = draft_proposal(context, {**PROPOSAL, "id": "draft"}).proposal.id
    for proposal in (vote, draft):
        withdraw_proposal(context, proposal, reason="The partner left.")
    entries = calendar(own)

    assert set(entries) == {vote, "event-call"}
    assert [(one["STATUS"], one["SEQUENCE"]) for one in (hidden, still, *entries.values())] == [
        ("CANCELLED", 1)
    ] * 4
    assert still["SUMMARY"] == CALL["title"]


@pytest.mark.parametrize(("query", "language"), [({}, "en"), ({"lang": "fr"}, "fr")])
def test_a_feed_reader_reads_the_feed(own: Desk, query: dict[str, str], language: str) -> None:
    """The feed is well formed, in its language, names itself, and has the events."""
    own.open_vote(slug="wells", title="Wells & pumps")
    publish(own)
    read = feedparser.parse(own.get("/feed.xml", params=query).text)
    (own_address,) = (link["href"] for link in read.feed.links if link["rel"] == "self")

    assert not read.bozo
    assert read.feed.language == language
    assert own_address.endswith("/api/feed.xml?lang=fr" if query else "/api/feed.xml")
    titles = {
        "en": {"Event: Community call; all welcome", "Vote open: Wells & pumps"},
        "fr": {"Événement\u202f: Community call; all welcome", "Vote ouvert\u202f: Wells & pumps"},
    }
    assert {entry.title for entry in read.entries} == titles[language]
    assert all(entry.updated_parsed and entry.link and entry.id for entry in read.entries)
    content.publish_item(own.application.context, EVENTS, "call", published=False)
    assert len(feedparser.parse(own.get("/feed.xml").text).entries) == 1
