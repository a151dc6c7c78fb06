"""News as an Atom feed (RFC 4287), and the ends of the votes as a calendar (RFC 5545)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from jara.domain.language import Language
from jara.domain.voting.proposal import LISTED, format_instant, parse_end
from jara.services.context import Context
from jara.services.organisation import identity_of
from jara.services.projects.catalogue import latest_updates
from jara.services.proposals.views import list_proposals
from jara_webapi.calls.languages import say
from jara_webapi.calls.operations import Call, Reply, get

ENTRIES_MAX = 50
_LINE_BYTES = 73
_TAG = re.compile(r"<[^>]*>")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@get(media_type="application/atom+xml", cached=True, in_languages=True)
def feed(context: Context, call: Call) -> Reply:
    """Return proposals and project updates as an Atom feed."""
    language, site = call.language, context.rules.site_url
    entries = [_proposal_entry(site, one, language) for one in list_proposals(context, *LISTED)]
    entries += [_update_entry(site, one) for one in latest_updates(context)]
    entries.sort(reverse=True)
    newest = entries[0][0] if entries else "1970-01-01T00:00:00Z"
    name = escape(identity_of(context).name)
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">\n'
        f"<id>{escape(site)}/api/feed.xml</id>\n<title>{name}</title>\n"
        f"<updated>{newest}</updated>\n<author><name>{name}</name></author>\n"
        f'<link rel="self" href={quoteattr(site + "/api/feed.xml")}/>\n'
        f"<link href={quoteattr(site)}/>\n"
    )
    body = "".join(text for _, text in entries[:ENTRIES_MAX])
    return Reply(f"{head}{body}</feed>\n".encode())


@get(media_type="text/calendar", cached=True, in_languages=True)
def vote_calendar(context: Context, call: Call) -> Reply:
    """Return the closing dates of the votes as a calendar."""
    language, name = call.language, identity_of(context).name
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//{_ics(name)}//votes//{language.upper()}",
        f"NAME:{_ics(say(language, f'{name} votes'))}",
    ]
    for proposal in list_proposals(context, *LISTED):
        lines += _event(context.rules.site_url, proposal, language)
    lines.append("END:VCALENDAR")
    text = "".join(_folded(line) for line in lines)
    return Reply(text.encode(), headers={"Content-Type": "text/calendar; charset=utf-8"})


def _proposal_entry(site: str, proposal: dict[str, Any], language: Language) -> tuple[str, str]:
    at = proposal.get("decidedAt") or proposal.get("openedAt") or "1970-01-01T00:00:00Z"
    words = {"open": "Vote open", "rejected": "Not passed"}.get(proposal["status"], "Passed")
    return at, _entry(
        link=f"{site}/proposals/{proposal['slug']}",
        title=say(language, f"{words}: {proposal['title']}"),
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


def _entry(*, link: str, title: str, at: str, summary: str) -> str:
    return (
        f"<entry><id>{_xml(link)}</id><title>{_xml(title)}</title>"
        f"<link href={quoteattr(link)}/><updated>{at}</updated>"
        f"<summary>{_xml(' '.join(summary.split()))}</summary></entry>\n"
    )


def _event(site: str, proposal: dict[str, Any], language: Language) -> list[str]:
    ends = parse_end(proposal["endDate"])
    ends_text = say(language, f"Vote ends: {proposal['title']}")
    opened = proposal.get("openedAt") or format_instant(ends)
    return [
        "BEGIN:VEVENT",
        f"UID:{_ics(proposal['id'])}@{_ics(site.partition('://')[2])}",
        f"DTSTAMP:{_stamp(datetime.fromisoformat(opened))}",
        f"DTSTART:{_stamp(ends - timedelta(minutes=15))}",
        f"DTEND:{_stamp(ends)}",
        f"SUMMARY:{_ics(ends_text)}",
        f"URL:{site}/proposals/{proposal['slug']}",
        "END:VEVENT",
    ]


def _stamp(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%SZ")


def _xml(text: str) -> str:
    return escape(_NOT_XML.sub("", text))


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
