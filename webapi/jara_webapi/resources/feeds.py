"""News as an Atom feed (RFC 4287); ends of votes and events as a calendar (RFC 5545)."""

import re
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from jara.domain.language import Language
from jara.domain.texts import tr
from jara.domain.voting.proposal import format_instant
from jara.services.context import Context
from jara.services.organisation import identity_of
from jara.services.projects.calendar import (
    EVENTS_PAGE,
    Event,
    event_lines,
    show_calendar,
    vote_lines,
    write_calendar,
)
from jara.services.projects.catalogue import latest_updates
from jara.services.proposals.views import list_public
from jara_webapi.calls.languages import choice_in, say
from jara_webapi.calls.operations import Call, Reply, get

ENTRIES_MAX = 50
_STATES = {"open": "Vote open", "rejected": "Not passed", "withdrawn": "Vote withdrawn"}
_TAG = re.compile(r"<[^>]*>")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@get(media_type="application/atom+xml", cached=True, in_languages=True)
def feed(context: Context, call: Call) -> Reply:
    """Return proposals, project updates and events as an Atom feed."""
    language, site = call.language, context.rules.site_url
    entries = [_proposal_entry(site, one, language) for one in list_public(context)]
    entries += [_update_entry(site, one) for one in latest_updates(context)]
    events = show_calendar(context).events
    entries += [_event_entry(site, one, language) for one in events if not one.state.is_off]
    entries.sort(reverse=True)
    newest = entries[0][0] if entries else "1970-01-01T00:00:00Z"
    name = escape(identity_of(context).name)
    own = f"{site}/api/feed.xml{choice_in(language, context.rules.language)}"
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">\n'
        f"<id>{escape(own)}</id>\n<title>{name}</title>\n"
        f"<updated>{newest}</updated>\n<author><name>{name}</name></author>\n"
        f'<link rel="self" type="application/atom+xml" href={quoteattr(own)}/>\n'
        f"<link href={quoteattr(site)}/>\n"
    )
    body = "".join(text for _, text in entries[:ENTRIES_MAX])
    return Reply(f"{head}{body}</feed>\n".encode())


@get(media_type="text/calendar", cached=True, in_languages=True)
def vote_calendar(context: Context, call: Call) -> Reply:
    """Return the closing dates of the votes and the community's events as a calendar."""
    language, name = call.language, identity_of(context).name
    site, calendar = context.rules.site_url, show_calendar(context)
    votes = (
        vote_lines(site, vote, say(language, tr("Vote ends: {title}", title=vote.title)))
        for vote in calendar.votes
    )
    events = (event_lines(site, event) for event in calendar.events)
    text = write_calendar(
        [*votes, *events],
        program=f"-//{name}//votes//{language.upper()}",
        title=say(language, tr("{name} votes and events", name=name)),
    )
    return Reply(text.encode(), headers={"Content-Type": "text/calendar; charset=utf-8"})


def _proposal_entry(site: str, proposal: dict[str, Any], language: Language) -> tuple[str, str]:
    at = proposal.get("decidedAt") or proposal.get("openedAt") or "1970-01-01T00:00:00Z"
    words = _STATES.get(proposal["status"], "Passed")
    return at, _entry(
        link=f"{site}/proposals/{proposal['slug']}",
        title=say(language, tr(f"{words}: {{title}}", title=proposal["title"])),
        at=at,
        summary=proposal["summary"],
    )


def _update_entry(site: str, update: dict[str, Any]) -> tuple[str, str]:
    at = f"{update['date']}T00:00:00Z"
    return at, _entry(
        link=f"{site}/projects/{update['project']}#{update['id']}",
        title=str(update["title"]),
        at=at,
        summary=_TAG.sub(" ", str(update["content"])),
    )


def _event_entry(site: str, event: Event, language: Language) -> tuple[str, str]:
    at = format_instant(event.state.changed_at)
    when = " – ".join(dict.fromkeys(str(day) for day in (event.first_day, event.last_day)))
    when = f"{when} {event.time}".strip()
    return at, _entry(
        name=f"{site}/api/events#{event.id}",
        link=event.link or site + EVENTS_PAGE,
        title=say(language, tr("Event: {title}", title=event.title)),
        at=at,
        summary=". ".join(text for text in (when, event.place, event.description) if text),
    )


def _entry(*, link: str, title: str, at: str, summary: str, name: str = "") -> str:
    return (
        f"<entry><id>{_xml(name or link)}</id><title>{_xml(title)}</title>"
        f"<link href={quoteattr(link)}/><updated>{at}</updated>"
        f"<summary>{_xml(' '.join(summary.split()))}</summary></entry>\n"
    )


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("", text))
