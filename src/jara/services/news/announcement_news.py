"""Announcements and the chat's opening as news: what they say, and whom they concern."""

from collections.abc import Callable, Mapping
from typing import Any

from jara.domain.announcement import AnnouncementText, Audience, Group, Texts, text_for
from jara.domain.language import ENGLISH, Language
from jara.domain.organisation import IdentityPart
from jara.records.operations import Announcement, NewsItem
from jara.services.context import Context
from jara.services.news.stories import Recipient, Story
from jara.services.news_items import cause_news
from jara.services.organisation import own_values
from jara.store.unit_of_work import UnitOfWork

Concerns = Callable[[Recipient], bool]

ANNOUNCEMENT = "announcement"
CHAT_OPENED = "chat_opened"


def tell_announcement(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return the text for readers of a language; None if it was withdrawn."""
    announcement = _announcement_of(work, item)
    if announcement is None:
        return None
    return Story(announcement_values(context, texts_of(announcement), language))


def announcement_values(context: Context, texts: Texts, language: Language) -> dict[str, Any]:
    """Return the values of an announcement's email to a reader of a language."""
    written_in, text = text_for(texts, language)
    return {
        "language": written_in,
        "subject": text.subject,
        "markdown": text.body,
        "siteUrl": context.rules.site_url,
    }


def concerned_by_announcement(context: Context, work: UnitOfWork, item: NewsItem) -> Concerns:
    """Return who belongs to the audience of an announcement."""
    announcement = _announcement_of(work, item)
    if announcement is None:
        return lambda _recipient: False
    return belonging_to(context, work, audience_of(announcement))


def belonging_to(context: Context, work: UnitOfWork, audience: Audience) -> Concerns:
    """Return who belongs to an audience."""
    electors = work.electors.member_ids(context.now())

    def is_concerned(recipient: Recipient) -> bool:
        member, groups = recipient.member, audience.groups
        if member is None:
            return Group.READERS in groups
        return (
            Group.MEMBERS in groups
            or (Group.CHANGEMAKERS in groups and member.id in electors)
            or member.country in audience.countries
        )

    return is_concerned


def tell_coming_change(
    context: Context, work: UnitOfWork, item: NewsItem, language: Language
) -> Story | None:
    """Return what changes, and from which day on."""
    announcement = _announcement_of(work, item)
    if announcement is None:
        return None
    about = announcement.about
    summary: Mapping[str, str] = about.get("summary", {})
    return Story(
        {
            **about,
            "summary": summary.get(language, summary.get(ENGLISH, "")),
            "link": f"{context.rules.site_url}{about.get('path', '/ledger')}",
        }
    )


def concerned_by_change(_context: Context, _work: UnitOfWork, _item: NewsItem) -> Concerns:
    """Return who hears of a change: all members."""
    return lambda recipient: recipient.member is not None


def tell_chat(
    _context: Context, work: UnitOfWork, _item: NewsItem, _language: Language
) -> Story | None:
    """Return the address of the chat; None while there is none."""
    address = own_values(work).get(IdentityPart.CHAT)
    return Story({"link": address}) if address else None


def texts_of(announcement: Announcement) -> Texts:
    """Return the texts of a stored announcement."""
    return read_texts(announcement.about)


def read_texts(document: Mapping[str, Any]) -> Texts:
    """Return the texts in a document of `announcement_document`."""
    return {
        Language(language): AnnouncementText(subject, body)
        for language, subject, body in document["texts"]
    }


def audience_of(announcement: Announcement) -> Audience:
    """Return the audience of a stored announcement."""
    return read_audience(announcement.about)


def read_audience(document: Mapping[str, Any]) -> Audience:
    """Return the audience in a document of `announcement_document`."""
    return Audience(frozenset(map(Group, document["groups"])), frozenset(document["countries"]))


def announcement_document(texts: Texts, audience: Audience) -> dict[str, Any]:
    """Return texts and audience as they are stored; the order of the texts is kept."""
    return {
        "texts": [[language, *text] for language, text in texts.items()],
        "groups": sorted(audience.groups),
        "countries": sorted(audience.countries),
    }


def _announcement_of(work: UnitOfWork, item: NewsItem) -> Announcement | None:
    announcement = work.announcements.get(item.id.partition(":")[2])
    if announcement is None or announcement.withdrawn_at is not None:
        return None
    return announcement


_STATE = "chat.state"
_CLOSED, _OPENED = "closed", "opened"


def note_chat(context: Context, work: UnitOfWork) -> None:
    """Note whether the chat has an address; its first one after a time without is news."""
    is_open, state = IdentityPart.CHAT in own_values(work), work.meta.get(_STATE)
    if state == _OPENED or (state == _CLOSED and not is_open):
        return
    if state == _CLOSED:
        cause_news(context, work, CHAT_OPENED, "first")
    work.meta.put(_STATE, _OPENED if is_open else _CLOSED)
