"""People whom a file of another program names, and what becomes of each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.member import FieldErrors, parse_email, parse_name

PERSON_FIELDS = ("email", "firstname", "lastname", "name", "country", "notifications")
"""What is read of a person; `name` is first and last name together."""

FindCountry = Callable[[str], str]

_SHOWN = 60
_YES = frozenset({"yes", "y", "true", "1", "on", "x"})
_NO = frozenset({"", "no", "n", "false", "0", "off"})


class Fate(StrEnum):
    """What becomes of a row of a file of people."""

    CREATED = "created"
    KNOWN = "already a member"
    SKIPPED = "skipped"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A row of a file of people, unchecked.

    Args:
        line: where it begins in the file.
        values: the text of each field of `PERSON_FIELDS` that the file has.
        skipped: why it is left out; empty if it is not.
        fault: why it cannot be read; empty if it can.
    """

    line: int
    values: Mapping[str, str] = field(default_factory=dict)
    skipped: str = ""
    fault: str = ""


class RowFate(NamedTuple):
    """What becomes of a row: created, or why not."""

    line: int
    email: str
    fate: Fate
    reason: str = ""


class Newcomer(NamedTuple):
    """A checked person."""

    firstname: str
    lastname: str
    email: str
    country: str
    notifications: bool


def parse_newcomer(
    values: Mapping[str, str], *, find: FindCountry, default_country: str | None = None
) -> Newcomer:
    """Check the fields of a row.

    Args:
        values: the text of each field.
        find: returns the name of the country that a text means, like `find_country`.
        default_country: the country of rows without one.

    Raises:
        InvalidInput: a field breaks its rule; the message has every value that does.
    """
    errors = FieldErrors()
    first, last = _names_of(values, errors)
    country = values.get("country", "").strip() or default_country
    newcomer = Newcomer(
        email=errors.collect("email", lambda: parse_email(values.get("email", "")), ""),
        firstname=errors.collect("firstname", lambda: _name(first, "first name"), ""),
        lastname=errors.collect("lastname", lambda: _name(last, "last name"), ""),
        country=errors.collect("country", lambda: _country(country, find), ""),
        notifications=errors.collect(
            "notifications", lambda: _parse_flag(values.get("notifications", "")), otherwise=False
        ),
    )
    errors.raise_any()
    return newcomer


def split_name(text: str) -> tuple[str, str]:
    """Split a whole name into first and last name: at the last blank, or 'Last, First'.

    Raises:
        InvalidInput: it is a single word.
    """
    before, comma, after = text.partition(",")
    if comma and before.strip() and after.strip():
        return after.strip(), before.strip()
    *first, last = text.split() or [""]
    if not first:
        raise InvalidInput(
            f"The name '{text.strip()[:_SHOWN]}' is one word; a member has a first and a last "
            "name, in two columns or as two words."
        )
    return " ".join(first), last


def _names_of(values: Mapping[str, str], errors: FieldErrors) -> tuple[str, str]:
    first, last = values.get("firstname", "").strip(), values.get("lastname", "").strip()
    whole = values.get("name", "").strip() or (first or last)
    if (first and last) or not whole:
        return first, last
    # One of the two columns may hold the whole name.
    # On its error, which is recorded, the stand-in keeps the next checks from adding to it.
    return errors.collect("name", lambda: split_name(whole), ("?", "?"))


def _name(text: str, what: str) -> str:
    if not text:
        raise InvalidInput(f"There is no {what}.")
    try:
        return parse_name(text, what)
    except InvalidInput as error:
        raise InvalidInput(f"'{text[:_SHOWN]}': {error.message}") from None


def _country(text: str | None, find: FindCountry) -> str:
    if text is None:
        raise InvalidInput("There is no country; --country names that of rows without one.")
    return find(text)


def _parse_flag(text: str) -> bool:
    word = text.strip().casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise InvalidInput(f"'{text.strip()[:_SHOWN]}' is neither yes nor no (column notifications).")
