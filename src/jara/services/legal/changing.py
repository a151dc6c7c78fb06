"""Changes of the legal texts: another text, other values, from a day on."""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from jara.domain.coming_change import Topic
from jara.domain.control.effects import Touch
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.language import ENGLISH, Language
from jara.domain.legal.places import ORGANISATION, PLACES
from jara.domain.legal.versions import (
    TEXT_MAX,
    Content,
    LegalChange,
    LegalText,
    Source,
    Status,
    Version,
    Wording,
    begun_on,
    day_from,
    is_agreed_change,
    order_versions,
)
from jara.domain.organisation import IdentityPart, PaymentMode
from jara.domain.pay_details import pay_details
from jara.records.operations import Approval
from jara.services import organisation
from jara.services.approvals import Handler, require_approval
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.legal.reading import check_places, latest_wording, places_in, present_values
from jara.services.notices.coming_changes import announce_change, earliest_change, withdraw_change
from jara.services.organisation import OwnTexts
from jara.store.unit_of_work import UnitOfWork

_BLANK = re.compile("_{4,}")
"""What forms have where something is to be filled in."""
IMPORT_ACTION = "legal.import"
WITHDRAW_ACTION = "legal.withdraw"
VALUES_ACTION = "organisation.effective"
LEADING = (IdentityPart.SITE_URL, IdentityPart.CONTACT, IdentityPart.CHAT)


class LegalImport(NamedTuple):
    """A text to put into effect."""

    text: LegalText
    contents: Mapping[Language, str]
    """Texts with places by language; empty for the texts that come with Jara."""
    valid_from: date | None = None  # the first day; None for the earliest
    is_correction: bool = False
    """Whether it only corrects slips of the pen, and holds without notice."""
    why: str = ""  # the reason, for the list of versions and the audit log


def read_own_text(data: bytes) -> str:
    """Read a text that an organisation wrote, in Markdown.

    Raises:
        InvalidInput: it is not UTF-8, empty, too long, or has a blank or an unknown place.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"The text is not UTF-8: byte {error.start + 1} is 0x{data[error.start]:02x}. Save it "
            "as UTF-8."
        ) from None
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise InvalidInput("The text is empty.")
    if len(text) > TEXT_MAX:
        raise InvalidInput(f"The text has {len(text)} characters; it has at most {TEXT_MAX}.")
    for sign in text:
        if unicodedata.category(sign) in {"Cc", "Cs"} and sign not in "\n\t":
            raise InvalidInput(f"The text has the control character U+{ord(sign):04X}.")
    if blank := _BLANK.search(text):
        line = text.count("\n", 0, blank.start()) + 1
        raise InvalidInput(
            f"Line {line} has a blank, '{blank[0]}'; write what belongs there, or a place such as "
            "{{ postal_address }}. A line across the page is ---."
        )
    check_places(text)
    return f"{text}\n"


def import_legal(context: Context, asked: LegalImport) -> LegalChange | Approval:
    """Put a text into effect, from a day on.

    If actions need a second operator's approval, every import needs it.

    Raises:
        InvalidInput: the day is too early, or a correction has no reason.
        Conflict: the text says this already.
    """
    if asked.is_correction and not asked.why.strip():
        raise InvalidInput("A correction needs a reason, which the list of versions shows: --why.")
    with context.store.write() as work:
        change = _imported(context, work, asked)
        waiting = require_approval(
            context,
            work,
            action=IMPORT_ACTION,
            payload={
                "text": asked.text.value,
                "contents": dict(asked.contents),
                "validFrom": None if asked.valid_from is None else asked.valid_from.isoformat(),
                "isCorrection": asked.is_correction,
                "why": asked.why,
            },
            why=asked.why,
        )
        if waiting is not None:
            return waiting
        work.legal.put(change)
        if not asked.is_correction:
            _announce(context, work, change)
        _record(context, work, IMPORT_ACTION, change)
    return change


def _imported(context: Context, work: UnitOfWork, asked: LegalImport) -> LegalChange:
    present = present_values(context, work)
    versions = tuple(order_versions(work.legal.versions(asked.text), context.today()))
    before = latest_wording(context, asked.text, versions, present)
    contents = asked.contents or context.rules.legal_texts(asked.text)
    source = Source.OWN if asked.contents else Source.SHIPPED
    kept = before.contents if before.is_own and source is Source.OWN else {}
    brought = {language: Content(text, None) for language, text in contents.items()}
    after = Wording({**kept, **brought}, source is Source.OWN, before.values)
    is_first = not versions
    is_change = is_agreed_change(before, after)
    if not is_change and not is_first:
        raise Conflict(f"There is nothing to change in the {asked.text.phrase}.")
    notice = is_change and not asked.is_correction and _is_live(context)
    earliest = _earliest(context, work, asked.text, versions, notice=notice)
    return LegalChange(
        text=asked.text,
        number=_next_number(work, asked.text),
        valid_from=day_from(asked.valid_from, context.today(), earliest),
        made_at=context.now(),
        source=source,
        contents=contents,
        values=present if is_first else {},
        why=asked.why,
    )


def withdraw_legal(
    context: Context, text: LegalText, number: int, *, why: str
) -> LegalChange | Approval:
    """Withdraw a version before it holds; it stays readable. If there are limits, others must sign.

    Raises:
        NotFound: there is no such version.
        Conflict: it holds, or held, or is withdrawn already.
    """
    with context.store.write() as work:
        versions = order_versions(work.legal.versions(text), context.today())
        version = next((one for one in versions if one.change.number == number), None)
        if version is None:
            raise NotFound(f"There is no version {number} of the {text.phrase}.")
        if version.status is not Status.UPCOMING:
            raise Conflict(
                f"Version {number} of the {text.phrase} is {version.status}; only an upcoming one "
                "can be withdrawn."
            )
        waiting = require_approval(
            context,
            work,
            action=WITHDRAW_ACTION,
            payload={"text": text.value, "number": number, "why": why},
            why=why,
        )
        if waiting is not None:
            return waiting
        withdrawn = version.change._replace(withdrawn_at=context.now())
        work.legal.put(withdrawn)
        _restore_values(context, work, withdrawn)
        withdraw_change(context, work, path=_path(withdrawn))
        _record(context, work, WITHDRAW_ACTION, withdrawn, why=why)
    return withdrawn


def _restore_values(context: Context, work: UnitOfWork, withdrawn: LegalChange) -> None:
    """Set the values that a withdrawn version brought to those of the version before it."""
    parts = {place: part for place in withdrawn.values if (part := PLACES[place].part) is not None}
    if withdrawn.source is not Source.VALUES or not parts:
        return
    versions = tuple(order_versions(work.legal.versions(withdrawn.text), context.today()))
    left = latest_wording(context, withdrawn.text, versions, {}).values
    changes = {part: left[place] for place, part in parts.items() if place in left}
    organisation.change_identity(context, work, changes, parts.values() - changes.keys())


def change_values(
    context: Context,
    changes: Mapping[IdentityPart, str],
    *,
    removed: Collection[IdentityPart] = (),
    effective: date | None = None,
    why: str = "",
) -> list[LegalChange] | Approval:
    """Set or remove what the organisation says about itself, and what the legal texts say.

    A value that the texts do not have, or that was missing, is shown at once. One to which members
    agreed holds from its day on, like another text. With a day, texts that were never put into
    effect are, as they are shipped. If there are limits, others must sign what the texts promise,
    and values that say where to send money.

    Returns:
        The new versions of the texts, or the approval that all of it waits for.

    Raises:
        InvalidInput: a value breaks its rule, or the day is too early.
    """
    with context.store.write() as work:
        is_set = bool(changes or removed) or effective is None
        before = organisation.own_values(work)
        after = organisation.values_after(work, changes, removed) if is_set else before
        organisation.require_language_of(context, after)
        present = present_values(context, work, after)
        made = [
            change
            for text in LegalText
            for change in _value_changes(context, work, text, effective, why, present)
        ]
        if effective is not None and not made and not changes and not removed:
            raise Conflict(
                "Both texts are in effect already; name a day only with a new value, or with "
                "`jara legal import`."
            )
        waiting = require_approval(
            context,
            work,
            action=VALUES_ACTION,
            payload={
                "set": {part.value: text for part, text in changes.items()},
                "removed": sorted(part.value for part in removed),
                "from": None if effective is None else effective.isoformat(),
                "why": why,
            },
            why=why,
            touches=_touches_of(before, after, made),
        )
        if waiting is not None:
            return waiting
        if is_set:
            organisation.change_identity(context, work, changes, removed)
        for change in made:
            work.legal.put(change)
            if any(PLACES[place].is_agreed for place in change.values):
                _announce(context, work, change)
            _record(context, work, VALUES_ACTION, change)
    return made


def _touches_of(before: OwnTexts, after: OwnTexts, made: Sequence[LegalChange]) -> list[Touch]:
    """Return what a change of values touches: pages, promises, where to send money."""
    site = before.get(IdentityPart.SITE_URL, "")
    promises = any(
        change.contents or any(PLACES[place].is_agreed for place in change.values)
        for change in made
    )
    says_pay = pay_details(dict(after), site) - pay_details(dict(before), site)
    # Links lead there, and whoever asks how to pay writes there.
    leads_elsewhere = any(before.get(part, "") != after.get(part, "") for part in LEADING)
    return [
        Touch.PAGES,
        *((Touch.TERMS,) if promises else ()),
        *((Touch.HEARING,) if says_pay or leads_elsewhere else ()),
    ]


def _value_changes(
    context: Context,
    work: UnitOfWork,
    text: LegalText,
    effective: date | None,
    why: str,
    present: Mapping[str, str],
) -> list[LegalChange]:
    """Return the versions that follow from the values, by place."""
    today = context.today()
    versions = tuple(order_versions(work.legal.versions(text), today))
    change = LegalChange(
        text=text,
        number=_next_number(work, text),
        valid_from=today,
        made_at=context.now(),
        source=Source.VALUES,
        contents={},
        values={},
        why=why,
    )
    if not any(one.status is not Status.WITHDRAWN for one in versions):
        if effective is None:
            return []
        shipped = context.rules.legal_texts(text)
        day = day_from(effective, today, today)
        return [
            change._replace(valid_from=day, source=Source.SHIPPED, contents=shipped, values=present)
        ]
    before = latest_wording(context, text, versions, present)
    # A value of the settings is the one of now on every page; versions only note it.
    other = {
        place: present.get(place, "")
        for place in sorted(places_in(before) & (before.values.keys() | present.keys()))
        if PLACES[place].part is not None or place == ORGANISATION
        if before.values.get(place, "") != present.get(place, "")
    }
    is_live = _is_live(context)
    waits = {
        place: value
        for place, value in other.items()
        if is_live and PLACES[place].is_agreed and place in before.values
    }
    at_once = {place: value for place, value in other.items() if place not in waits}
    made = []
    if at_once:
        earliest = _earliest(context, work, text, versions, notice=False)
        day = day_from(None if waits else effective, today, earliest)
        made.append(change._replace(values=at_once, valid_from=day))
    if waits:
        earliest = _earliest(context, work, text, versions, notice=True)
        day = day_from(effective, today, earliest)
        made.append(change._replace(values=waits, valid_from=day, number=change.number + len(made)))
    return made


def _is_live(context: Context) -> bool:
    return context.payment_mode is PaymentMode.LIVE


def _earliest(
    context: Context,
    work: UnitOfWork,
    text: LegalText,
    versions: Sequence[Version],
    *,
    notice: bool,
) -> date:
    """Return the first day on which a change can hold; nothing holds before the first version."""
    today = context.today()
    noticed = earliest_change(context, work, Topic(text)) if notice else today
    return max(noticed, begun_on(versions) or today)


def _announce(context: Context, work: UnitOfWork, change: LegalChange) -> None:
    """Tell all members of a change that is to come, if the organisation is live."""
    topic = Topic(change.text)
    is_coming = change.valid_from > context.today()
    if not (_is_live(context) and is_coming) or change.valid_from < earliest_change(
        context, work, topic
    ):
        return
    announce_change(
        context,
        work,
        topic,
        starts_on=change.valid_from,
        about={"summary": {ENGLISH: change.why} if change.why else {}, "path": _path(change)},
    )


def _path(change: LegalChange) -> str:
    """Return the path of the page with a version."""
    return f"/{change.text}?version={change.number}"


def _next_number(work: UnitOfWork, text: LegalText) -> int:
    return len(work.legal.versions(text)) + 1


def _record(
    context: Context, work: UnitOfWork, action: str, change: LegalChange, *, why: str = ""
) -> None:
    record_act(
        context,
        work,
        action,
        f"{change.text} {change.number}",
        why=why or change.why,
        changed=(*change.contents, *change.values),
        facts={"from": change.valid_from.isoformat()},
    )


def _import_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["validFrom"]
    return import_legal(
        context,
        LegalImport(
            LegalText(payload["text"]),
            {Language(code): text for code, text in payload["contents"].items()},
            None if day is None else date.fromisoformat(day),
            is_correction=payload["isCorrection"],
            why=payload["why"],
        ),
    )


def _change_approved(context: Context, payload: Mapping[str, Any]) -> object:
    day = payload["from"]
    return change_values(
        context,
        {IdentityPart(part): text for part, text in payload["set"].items()},
        removed=[IdentityPart(part) for part in payload["removed"]],
        effective=None if day is None else date.fromisoformat(day),
        why=payload["why"],
    )


HANDLERS: Mapping[str, Handler] = {
    IMPORT_ACTION: _import_approved,
    WITHDRAW_ACTION: lambda context, payload: withdraw_legal(
        context, LegalText(payload["text"]), payload["number"], why=payload["why"]
    ),
    VALUES_ACTION: _change_approved,
}
