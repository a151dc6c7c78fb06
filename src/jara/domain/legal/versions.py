"""The versions of the legal texts.

A version is a change: another text, other values, or both, from a day on. What a version says
follows from the changes before it, so that a correction of today is also in a version that is
announced for next month.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.language import Language
from jara.domain.legal.places import PLACES, new_form

TEXT_MAX = 100_000
"""The longest text, in characters."""


class LegalText(StrEnum):
    """A legal text, by the name of its page."""

    TERMS = "terms"
    PRIVACY = "privacy"

    @property
    def phrase(self) -> str:
        """What it is called in a sentence."""
        return "terms" if self is LegalText.TERMS else "privacy text"


class Source(StrEnum):
    """What a change contains."""

    SHIPPED = "shipped"
    """The texts that come with Jara, in every language."""
    OWN = "own"
    """A text of the organisation, in one language or several."""
    VALUES = "values"
    """Values only."""


class LegalChange(NamedTuple):
    """A version as it is stored."""

    text: LegalText
    number: int  # its number among the versions of the text, from 1 on
    valid_from: date  # the first day on which it holds
    made_at: datetime
    source: Source  # what it contains
    contents: Mapping[Language, str]  # texts with places, by language
    values: Mapping[str, str]  # values by place; an empty one is unset
    why: str
    withdrawn_at: datetime | None = None
    """When it was withdrawn, before it held; None if it was not."""


class Content(NamedTuple):
    """A text in one language, and the day of the version that brought it."""

    text: str
    valid_from: date | None


class Wording(NamedTuple):
    """What a version says."""

    contents: Mapping[Language, Content]
    is_own: bool  # whether the organisation wrote it
    values: Mapping[str, str]  # the values of the organisation, by place


class Status(StrEnum):
    """Whether a version holds."""

    IN_FORCE = "in force"
    UPCOMING = "upcoming"
    EARLIER = "earlier"
    WITHDRAWN = "withdrawn"


class Version(NamedTuple):
    """A version, and from when until when it holds."""

    change: LegalChange
    status: Status
    until: date | None  # the first day of the next one; None if there is none


def order_versions(changes: Iterable[LegalChange], today: date) -> list[Version]:
    """Return the versions in the order in which they hold; withdrawn ones have no place in it."""
    every = sorted(changes, key=lambda one: (one.valid_from, one.number))
    held = [one for one in every if one.withdrawn_at is None]
    now = max((place for place, one in enumerate(held) if one.valid_from <= today), default=-1)
    versions = {}
    for place, one in enumerate(held):
        until = held[place + 1].valid_from if place + 1 < len(held) else None
        status = Status.IN_FORCE if place == now else Status.EARLIER
        versions[one.number] = Version(one, Status.UPCOMING if place > now else status, until)
    return [versions.get(one.number) or Version(one, Status.WITHDRAWN, None) for one in every]


def wording_of(versions: Sequence[Version], number: int) -> Wording:
    """Return what a version says, from the changes up to it."""
    contents: dict[Language, Content] = {}
    values: dict[str, str] = {}
    is_own = False
    numbers = [one.change.number for one in versions]
    for change, status, _ in versions[: numbers.index(number) + 1]:
        if status is not Status.WITHDRAWN or change.number == number:
            brought = {
                language: Content(new_form(text), change.valid_from)
                for language, text in change.contents.items()
            }
            if change.source is Source.SHIPPED or (change.source is Source.OWN and not is_own):
                contents = brought
            else:
                contents |= brought
            is_own = change.source is Source.OWN or (is_own and change.source is Source.VALUES)
            values |= change.values
    return Wording(contents, is_own, {place: text for place, text in values.items() if text})


def is_agreed_change(before: Wording, after: Wording) -> bool:
    """Return whether members have to hear of a change first.

    Another text is such a change, and another value of a place that they agreed to. A value that
    was missing, such as a new address of the organisation, is not.
    """
    if {code: one.text for code, one in before.contents.items()} != {
        code: one.text for code, one in after.contents.items()
    }:
        return True
    return any(
        PLACES[place].is_agreed and before.values.get(place, after.values.get(place)) != text
        for place, text in _changed(before, after).items()
    )


def begun_on(versions: Iterable[Version]) -> date | None:
    """Return the first day of the first version; None if there is none."""
    days = (one.change.valid_from for one in versions if one.status is not Status.WITHDRAWN)
    return min(days, default=None)


def _changed(before: Wording, after: Wording) -> dict[str, str | None]:
    places = before.values.keys() | after.values.keys()
    return {
        place: after.values.get(place)
        for place in places
        if before.values.get(place) != after.values.get(place)
    }


def day_from(asked: date | None, today: date, earliest: date) -> date:
    """Return the first day of a version: the one asked for; if that is None, the earliest.

    Raises:
        InvalidInput: the day is too early.
    """
    if asked is None:
        return earliest
    if asked < today:
        raise InvalidInput(f"{asked} is in the past; the text can hold from {earliest} on.")
    if asked < earliest:
        raise InvalidInput(
            f"{asked} is too early: members hear of a change before it holds, and nothing holds "
            f"before the first version; this one can hold from {earliest} on."
        )
    return asked
