"""News of the community's events: one is published, one is a week away."""

from collections.abc import Callable
from datetime import date, timedelta

from jara.domain.content.kinds import EVENTS
from jara.domain.language import Language
from jara.records.operations import NewsItem
from jara.services.context import Context
from jara.services.news.stories import Recipient, Story
from jara.services.news_items import cause_news
from jara.services.organisation import read_identity
from jara.services.projects.calendar import EVENTS_PAGE, event_lines, read_calendar, write_calendar
from jara.store.unit_of_work import UnitOfWork

CALENDAR = "calendar"
"""The value of an email that is attached to it as a calendar file."""
REMINDER = "event_soon"
BEFORE_EVENT = timedelta(days=7)
"""So long before an event its reminder is due."""


def tell_event(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the story of an event that is not over."""
    event = work.content.get(EVENTS, str(item.about["event"]))
    if event is None or not event.published:
        return None
    event = event.for_reader(language)
    first, last = event.doc["date"], event.doc.get("endDate") or event.doc["date"]
    if date.fromisoformat(last) < context.today():
        return None
    known = (one for one in read_calendar(work, language).events if one.id == event.id)
    entries = [event_lines(context.rules.site_url, one) for one in known]
    name = read_identity(context, work).name
    return Story(
        {
            "title": event.doc["title"],
            "first": first,
            "last": last,
            "time": event.doc.get("time") or "",
            "place": event.doc.get("place") or "",
            "description": event.doc.get("description") or "",
            "link": event.doc.get("link") or context.rules.site_url + EVENTS_PAGE,
            "event": event.id,
            CALENDAR: write_calendar(entries, program=f"-//{name}//events//EN"),
        }
    )


def tell_event_soon(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the story of an event that has not begun, on the day of which the item reminds."""
    story = tell_event(context, work, item, language)
    is_same_day = story is not None and story.values["first"] == item.about["first"]
    return story if is_same_day and str(item.about["first"]) >= f"{context.today()}" else None


def concerned_by_event(
    context: Context, work: UnitOfWork, item: NewsItem
) -> Callable[[Recipient], bool]:
    """Return that it concerns everybody, or nobody: near its day the reminder tells it."""
    event = work.content.get(EVENTS, str(item.about["event"]))
    is_near = event is not None and _is_near(context, date.fromisoformat(event.doc["date"]))
    return lambda _recipient: not is_near


def remind_of_events(context: Context, work: UnitOfWork) -> None:
    """Note the events that begin within a week; one that moved is noted again."""
    for event in work.content.all(EVENTS, published_only=True):
        day = str(event.doc["date"])
        if _is_near(context, date.fromisoformat(day)) and not event.doc.get("sample"):
            item_id = f"{event.id}:{day}"
            if work.news.get(f"{REMINDER}:{item_id}") is None:
                cause_news(context, work, REMINDER, item_id, event=event.id, first=day)


def _is_near(context: Context, day: date) -> bool:
    return timedelta() <= day - context.today() <= BEFORE_EVENT
