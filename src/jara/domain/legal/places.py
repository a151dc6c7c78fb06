"""Places in the legal texts, such as ``{postal_address}``, and what fills them.

A text may say something else where a value is missing::

    {if privacy_officer, contact_email}Write to {privacy_officer} at {contact_email}.
    {else if contact_email}Write to {contact_email}.
    {else}Write to us.{end}

The first part whose values are all there is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.organisation import IdentityPart
from jara.domain.own_values import OWN_VALUES

_MARK = re.compile(
    r"\{(?P<start>if|else if) (?P<names>[a-z_]+(?:, ?[a-z_]+)*)\}"
    r"|\{(?P<other>else|end)\}|\{(?P<place>[a-z_]+)\}"
)
_BRACES = re.compile(r"\{[^{}\n]*\}")


class Place(NamedTuple):
    """A place in a legal text.

    Args:
        what: what fills it, in a sentence.
        remedy: the command or the setting that gives its value; empty if it always has one.
        part: the value of the organisation that fills it; None for a value of the program.
        is_agreed: whether a change of its value waits like a change of the text.
    """

    what: str
    remedy: str = ""
    part: IdentityPart | None = None
    is_agreed: bool = False


ORGANISATION, EFFECTIVE = "organisation", "effective_date"

PLACES: Mapping[str, Place] = {
    ORGANISATION: Place("the legal name, or the name"),
    EFFECTIVE: Place(
        "the day from which it holds", "jara organisation set --effective today"
    ),
    **{
        value.place: Place(
            value.what,
            f"jara organisation set {value.option} {value.metavar}",
            part,
            value.is_agreed,
        )
        for part, value in OWN_VALUES.items()
        if value.place
    },
    "site_url": Place("the address of the site"),
    "payment_provider": Place("the company that takes card payments"),
    "minimum": Place("the smallest pledge"),
    "maximum": Place("the largest pledge"),
    "currency": Place("the currency"),
    "threshold": Place("the share of yes votes that passes a proposal"),
    "notice_days": Place("how many days before it holds a change is announced"),
    "log_days": Place("for how many days logs are kept", "JARA_LOG_DAYS"),
    "backup_days": Place("for how many days backups are kept", "JARA_BACKUP_DAYS"),
}  # fmt: skip
"""Every place, by its name between braces."""


class _Part(NamedTuple):
    """A stretch of text; it is shown if every value of `needs` is there.

    Args:
        text: with places.
        needs: the names of places.
        choice: the number of the choice that it belongs to; 0 for none.
    """

    text: str
    needs: tuple[str, ...] = ()
    choice: int = 0


def check_places(text: str) -> None:
    """Check that every place of a text is known and every choice is closed.

    Raises:
        InvalidInput: one is not; the message names it.
    """
    for braces in _BRACES.finditer(text):
        if not _MARK.fullmatch(braces[0]):
            raise InvalidInput(f"{braces[0]} is no place of a legal text; {_known()}.")
    for part in _parts_of(text):
        for name in (*part.needs, *_names_in(part.text)):
            if name not in PLACES:
                raise InvalidInput(f"{{{name}}} is no place of a legal text; {_known()}.")


def _known() -> str:
    return "there are " + ", ".join(f"{{{one}}}" for one in PLACES)


def places_of(text: str) -> frozenset[str]:
    """Return the names of the places that a text uses, also in parts that are not shown."""
    return frozenset(
        name for part in _parts_of(text) for name in (*part.needs, *_names_in(part.text))
    )


def fill_places(
    text: str, values: Mapping[str, str], absent: str, write: Callable[[str], str] = str
) -> str:
    """Return a text with its values.

    Args:
        text: the text.
        values: the values that are there, by place.
        absent: stands for a value that is missing where the text has no other words.
        write: writes a value, for example with its signs escaped.
    """

    def value(match: re.Match[str]) -> str:
        known = values.get(match["place"], "")
        return write(known) if known else absent

    shown = _shown_parts(_parts_of(text), values)
    return "".join(_MARK.sub(value, part.text) for part in shown)


def _shown_parts(parts: Iterable[_Part], values: Mapping[str, str]) -> Iterator[_Part]:
    chosen = 0
    for part in parts:
        if part.choice == 0:
            yield part
        elif part.choice != chosen and all(values.get(name) for name in part.needs):
            chosen = part.choice
            yield part


def _names_in(text: str) -> Iterator[str]:
    return (match["place"] for match in _MARK.finditer(text))


def _parts_of(text: str) -> list[_Part]:
    """Split a text at its choices.

    Raises:
        InvalidInput: a choice is not closed, or stands inside another.
    """
    parts: list[_Part] = []
    needs: tuple[str, ...] = ()
    begun = choice = choices = 0
    last = ""
    for mark in _MARK.finditer(text):
        word = mark["start"] or mark["other"]
        if not word:
            continue
        if (word == "if") == (choice > 0) or (last == "else" and word != "end"):
            raise InvalidInput(f"{mark[0]} is not expected after {last or 'the beginning'}.")
        parts.append(_Part(text[begun : mark.start()], needs, choice))
        begun, last = mark.end(), mark[0].strip("{}")
        if word == "if":
            choices += 1
        choice = 0 if word == "end" else choices
        needs = tuple(name.strip() for name in (mark["names"] or "").split(",") if name)
    if choice:
        raise InvalidInput(f"{{{last}}} has no {{end}}.")
    return [*parts, _Part(text[begun:])]
