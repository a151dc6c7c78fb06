"""Announcing: the preview, the announcement, its list and its withdrawal."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple

from jara.domain.announcement import (
    ALONE_IN_A_DAY,
    SIGNED_BY_TWO_ABOVE,
    Audience,
    Texts,
    digest_of,
    text_for,
)
from jara.domain.control.effects import Touch
from jara.domain.email_kinds import KINDS, Delivery
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.language import ENGLISH
from jara.domain.lookup import beginning_with, choose_one
from jara.domain.pay_details import pay_details
from jara.domain.publiclog.leaves import LeafType
from jara.records.operations import Announcement, Approval
from jara.services.approvals import Handler, Shared, needs_another, share
from jara.services.audit import record_act, require_operator
from jara.services.authority import active_operators
from jara.services.context import Context
from jara.services.news.announcement_news import (
    ANNOUNCEMENT,
    announcement_document,
    announcement_values,
    audience_of,
    belonging_to,
    read_audience,
    read_texts,
    texts_of,
)
from jara.services.news.stories import may_be_told, recipients_after
from jara.services.news_items import cause_news
from jara.services.notices.emails import queue_email
from jara.services.organisation import own_site
from jara.store.unit_of_work import UnitOfWork

ACTION = "mail.announce"
AGAIN = "again"
_BATCH = 500
_DAY = timedelta(days=1)


class Reach(NamedTuple):
    """Whom an announcement reaches."""

    recipients: int  # who gets it
    declined: int  # who belongs to the audience and chose not to get news
    unconfirmed: int  # who belongs to it and has not confirmed the address

    @property
    def audience(self) -> int:
        """How many people belong to the audience."""
        return sum(self)


class State(StrEnum):
    """How far the emails of an announcement are."""

    QUEUED = "queued"
    SENDING = "sending"
    SENT = "sent"
    WITHDRAWN = "withdrawn"


class AnnouncementLine(NamedTuple):
    """An announcement in the list, with the emails that left and those that wait."""

    id: str
    at: datetime
    subject: str
    to: str
    recipients: int
    sent: int
    waiting: int
    state: State
    operator: str


class Withdrawal(NamedTuple):
    """How many emails were sent before, and how many are sent no more."""

    id: str
    sent: int
    withdrawn: int


def preview(context: Context, texts: Texts, audience: Audience, *, again: bool = False) -> Reach:
    """Return whom `announce` would reach.

    Raises:
        Conflict: as it would.
        InvalidInput: as it would.
    """
    with context.store.read() as work:
        return _require_reach(context, work, texts, audience, again=again)


def reason_to_sign(context: Context, texts: Texts, reach: Reach) -> str:
    """Return why another operator must sign an announcement, as a sentence; empty if none must."""
    with context.store.read() as work:
        return _reason(context, work, texts, reach)


def announce(
    context: Context, texts: Texts, audience: Audience, *, again: bool = False
) -> Announcement | Approval:
    """Send a text to an audience; what many hear needs another operator's signature.

    With limits, that is a text to more than `ALONE_IN_A_DAY` people, counted with all announcements
    of the last 24 hours, and any text that says where to send money or links to another site.
    Members and readers get it by their choice of emails, each address once; each operator with an
    address gets a copy first, before another one signs. `again` sends the same text once more.

    Raises:
        Conflict: the same text was announced before.
        InvalidInput: it reaches nobody.
    """
    document = announcement_document(texts, audience)
    with context.store.write() as work:
        reach = _require_reach(context, work, texts, audience, again=again)
        if context.approved is None:
            _send_copies(context, work, texts)
        if context.approved is not None or _reason(context, work, texts, reach):
            waiting = _share(context, work, document, again=again)
            if waiting is not None:
                return waiting
        announcement = Announcement(
            id=context.new_key("ann_"),
            kind=ANNOUNCEMENT,
            about=document,
            digest=digest_of(texts),
            recipients=reach.recipients,
            operator=require_operator(context, work, ACTION).name,
            at=context.now(),
        )
        work.announcements.put(announcement)
        cause_news(context, work, ANNOUNCEMENT, announcement.id)
        facts = {
            "to": audience.words(),
            "recipients": reach.recipients,
            "text": announcement.digest,
        }
        record_act(context, work, ACTION, announcement.id, facts=facts)
    return announcement


def record_test(context: Context, texts: Texts, address: str) -> None:
    """Record that a text is sent to one address, to look at it; with limits, an operator's.

    Raises:
        Refused: operators are listed, and the acting one may not.
        Conflict: there are limits, and the address is no operator's.
    """
    with context.store.write() as work:
        own = {one.email for one in active_operators(work).values()}
        if needs_another(context, work, ACTION, (Touch.HEARING,)) and address not in own:
            raise Conflict(
                f"{address} is no operator's address; a test goes to one of yours: "
                f"jara operators address {context.operator} {address}"
            )
        record_act(context, work, "mail.test", "announcement", facts={"text": digest_of(texts)})


def list_announcements(context: Context) -> list[AnnouncementLine]:
    """Return every announcement, newest first."""
    with context.store.read() as work:
        return [_line(work, announcement) for announcement in work.announcements.all()]


def withdraw(context: Context, text: str, *, why: str) -> Withdrawal:
    """Withdraw an announcement: whoever has not got it does not get it.

    Raises:
        NotFound: there is none.
        Conflict: it is withdrawn, or tells of a change, which still comes.
    """
    with context.store.write() as work:
        known = work.announcements.all()
        announcement = choose_one(
            text,
            beginning_with(text, known, lambda one: (one.id, one.id.removeprefix("ann_"))),
            kinds="announcements",
            label=lambda one: one.id,
            missing=f"There is no announcement '{text}'; see `jara mail announcements list`.",
        )
        if announcement.withdrawn_at is not None:
            raise Conflict(f"{announcement.id} is withdrawn already.")
        if announcement.kind != ANNOUNCEMENT:
            raise Conflict(f"{announcement.id} tells of a change that still comes; change that.")
        work.announcements.put(announcement._replace(withdrawn_at=context.now()))
        withdrawn = work.outbox.withdraw_all(_keys_of(announcement), now=context.now())
        sent = work.outbox.count_keys(_keys_of(announcement))
        facts = {"sent": sent, "withdrawn": withdrawn}
        record_act(context, work, "mail.withdraw", announcement.id, why=why, facts=facts)
    return Withdrawal(announcement.id, sent, withdrawn)


def describe(reach: Reach) -> str:
    """Return whom an announcement reaches, and why not the others, as a sentence."""
    parts = [f"{reach.recipients} of {reach.audience} people get it"]
    if reach.declined:
        parts.append(f"{reach.declined} asked for no news")
    if reach.unconfirmed:
        parts.append(f"{reach.unconfirmed} have not confirmed their address")
    return ", ".join(parts)


def _reason(context: Context, work: UnitOfWork, texts: Texts, reach: Reach) -> str:
    for touch, cause in _causes(context, work, texts, reach):
        if needs_another(context, work, ACTION, (touch,)):
            return f"{cause}: another operator must sign it."
    return ""


def _causes(
    context: Context, work: UnitOfWork, texts: Texts, reach: Reach
) -> Iterator[tuple[Touch, str]]:
    """Yield why another operator may have to sign an announcement: its touch, and the cause."""
    if reach.recipients > ALONE_IN_A_DAY:
        yield Touch.HEARING, f"More than {ALONE_IN_A_DAY} people get it"
    if pay_details([tuple(text) for text in texts.values()], own_site(work), any_link=True):
        yield Touch.HEARING, "It says where to send money, or leads elsewhere"
    told = sum(
        one.recipients
        for one in work.announcements.all()
        if one.kind == ANNOUNCEMENT and one.at > context.now() - _DAY
    )
    if told + reach.recipients > ALONE_IN_A_DAY:
        day = "With the other announcements of a day, it reaches"
        yield Touch.HEARING, f"{day} more than {ALONE_IN_A_DAY} people"
    if reach.recipients > SIGNED_BY_TWO_ABOVE:
        yield Touch.EMAIL_TO_MANY, f"More than {SIGNED_BY_TWO_ABOVE} people get it"


def _send_copies(context: Context, work: UnitOfWork, texts: Texts) -> None:
    """Put a copy in each language for every operator with an address into the outbox."""
    for operator in active_operators(work).values():
        for language in texts if operator.email else ():
            values = announcement_values(context, texts, language)
            values["subject"] = f"Copy for operators: {values['subject']}"
            queue_email(context, work, ANNOUNCEMENT, address=operator.email, values=values)


def _share(
    context: Context, work: UnitOfWork, document: Mapping[str, Any], *, again: bool
) -> Approval | None:
    subject = text_for(read_texts(document), ENGLISH)[1].subject
    to = ", ".join(read_audience(document).words())
    return share(
        context,
        work,
        Shared(
            action=ACTION,
            payload={"subject": subject, "to": to, AGAIN: again, **document},
            why="",
            public={},
            leaf_type=LeafType.APPROVAL,
        ),
    )


def _require_reach(
    context: Context, work: UnitOfWork, texts: Texts, audience: Audience, *, again: bool
) -> Reach:
    before = work.announcements.same(digest_of(texts))
    if before is not None and not again:
        raise Conflict(
            f"The same text was announced on {context.zone.minute(before.at)}, as {before.id}; "
            "say --again to send it once more."
        )
    reach = _reach(context, work, audience)
    if reach.recipients == 0:
        raise InvalidInput(f"Nobody would get it: {describe(reach)}.")
    return reach


def _reach(context: Context, work: UnitOfWork, audience: Audience) -> Reach:
    is_concerned, kind = belonging_to(context, work, audience), KINDS[ANNOUNCEMENT]
    recipients = declined = unconfirmed = 0
    place = ""
    while batch := recipients_after(work, place, limit=_BATCH):
        place = batch[-1].place
        for recipient in filter(is_concerned, batch):
            if not may_be_told(work, recipient, kind):
                unconfirmed += recipient.member is not None  # else they are counted as a member
            elif recipient.delivery(kind) is Delivery.NOW:
                recipients += 1
            else:
                declined += 1
    return Reach(recipients, declined, unconfirmed)


def _line(work: UnitOfWork, announcement: Announcement) -> AnnouncementLine:
    about, keys = announcement.about, _keys_of(announcement)
    item = work.news.get(f"{announcement.kind}:{announcement.id}")
    queued, waiting = work.outbox.count_keys(keys), work.outbox.count_keys(keys, waiting_only=True)
    if announcement.withdrawn_at is not None:
        state = State.WITHDRAWN
    elif item is not None and item.done_at is None:
        state = State.QUEUED
    else:
        state = State.SENDING if waiting else State.SENT
    is_own = announcement.kind == ANNOUNCEMENT
    return AnnouncementLine(
        id=announcement.id,
        at=announcement.at,
        subject=(
            text_for(texts_of(announcement), ENGLISH)[1].subject
            if is_own
            else f"{about['topic']} from {about['day']}"
        ),
        to=", ".join(audience_of(announcement).words()) if is_own else "members",
        recipients=announcement.recipients,
        sent=queued - waiting,
        waiting=waiting,
        state=state,
        operator=announcement.operator,
    )


def _keys_of(announcement: Announcement) -> str:
    """Return how the once-keys of its emails begin."""
    return f"news:{announcement.kind}:{announcement.id}:"


def _announce_approved(context: Context, payload: Mapping[str, Any]) -> object:
    texts, audience = read_texts(payload), read_audience(payload)
    return announce(context, texts, audience, again=payload[AGAIN])


HANDLERS: Mapping[str, Handler] = {ACTION: _announce_approved}
