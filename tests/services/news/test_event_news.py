"""Events are told when they are published, and a week before, with a file for calendars."""

from datetime import timedelta
from pathlib import Path

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH
from jara.mail.rendering import build_message
from jara.services.content import edit_item
from jara.services.context import Context
from jara.services.organisation import set_time_zone
from jara.services.projects.calendar import event_lines, read_calendar
from tests.harness import clock_of, make_organisation
from tests.services.news.news_world import IDENTITY, Mailbox, add_event, hide, join, run_day, tell


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with a member of each choice."""
    context = make_organisation(place)
    for name, choice in (("ama", "at-once"), ("kofi", "monthly"), ("esi", "votes")):
        join(context, name, choice=choice)
    return context


def test_an_event_is_told_at_once_and_a_week_before(context: Context, mailbox: Mailbox) -> None:
    """The reminder also comes to those who read the rest in the monthly email."""
    add_event(context, context.today() + timedelta(days=20))
    run_day(context, mailbox)
    assert mailbox.told == [("ama", "event")]

    for _ in range(25):
        clock_of(context).advance(days=1)
        run_day(context, mailbox)

    soon = [("ama", "event_soon"), ("kofi", "event_soon")]
    assert [told for told in mailbox.told if told[1] != "month"] == [("ama", "event"), *soon]
    (reminder, _) = (
        build_message(email, IDENTITY) for email in mailbox.emails if email.kind == "event_soon"
    )
    (file,) = reminder.iter_attachments()
    assert file.get_content_type() == "text/calendar"
    assert "DTSTART;VALUE=DATE:20261210" in file.get_content()


def test_an_event_within_a_week_is_told_once(context: Context, mailbox: Mailbox) -> None:
    """Its reminder is enough."""
    add_event(context, context.today() + timedelta(days=3))
    run_day(context, mailbox)
    run_day(context, mailbox)

    assert mailbox.told == [("ama", "event_soon"), ("kofi", "event_soon")]


def test_a_moved_event_reminds_of_its_new_day(context: Context, mailbox: Mailbox) -> None:
    """One that was called off reminds nobody."""
    add_event(context, context.today() + timedelta(days=3))
    run_day(context, mailbox)
    new_day = context.today() + timedelta(days=30)
    edit_item(context, "events", "meeting", {"date": new_day.isoformat()})
    clock_of(context).advance(days=25)
    run_day(context, mailbox)
    assert mailbox.told.count(("kofi", "event_soon")) == 2

    edit_item(context, "events", "meeting", {"date": (new_day + timedelta(days=1)).isoformat()})
    hide(context, "events", "meeting")
    run_day(context, mailbox)
    assert mailbox.told.count(("kofi", "event_soon")) == 2


def test_an_event_that_is_over_is_told_to_nobody(context: Context) -> None:
    """The mail server was away for too long; on the last day of a longer one it is still told."""
    mailbox = Mailbox(is_away=True)
    first = context.today() + timedelta(days=8)
    add_event(context, first)
    add_event(context, first, id="camp", endDate=(first + timedelta(days=2)).isoformat())
    tell(context, mailbox)
    clock_of(context).advance(days=10)
    mailbox.is_away = False
    tell(context, mailbox)

    assert mailbox.told == [("ama", "event")]
    (email,) = mailbox.to("ama")
    assert "30 November 2026" in email.text


def test_an_event_has_an_hour(context: Context, mailbox: Mailbox) -> None:
    """In the email, and in the file for calendars as an instant; without an end it has none."""
    set_time_zone(context, "America/Toronto")
    add_event(context, context.today() + timedelta(days=3))
    edit_item(context, "events", "meeting", {"time": "18:30", "endTime": "20:00"})
    (event,) = read_calendar(context.store.read_once(), ENGLISH).events
    run_day(context, mailbox)

    message = build_message(mailbox.emails[0], IDENTITY)
    lines = event_lines("https://jara.example", event)
    assert {"DTSTART:20261123T233000Z", "DTEND:20261124T010000Z"} <= {*lines}
    assert "2026, 18:30" in str(message.get_body(("plain",)))
    open_end = event_lines("https://jara.example", event._replace(ends_at=None))
    assert not [line for line in open_end if line.startswith("DTEND")]


@pytest.mark.parametrize(
    "changes", [{"time": "6pm"}, {"time": "25:00"}, {"time": "19:00", "endTime": "18:00"}]
)
def test_a_wrong_hour_is_refused(context: Context, changes: dict[str, str]) -> None:
    """Such as an end before the beginning."""
    add_event(context, context.today() + timedelta(days=3))

    with pytest.raises(InvalidInput, match=r"write a time like 18:30|before it starts at 19:00"):
        edit_item(context, "events", "meeting", changes)
