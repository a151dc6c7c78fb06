"""Import of people from a file of another program."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from jara.domain.currency import books_marks
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import FieldErrors, parse_email, parse_name
from jara.domain.giving.payment_way import PaymentWay, parse_way
from jara.domain.giving.pledge import parse_pledge
from jara.domain.lookup import plain_text

PERSON_FIELDS = (
    *("email", "firstname", "lastname", "name", "country", "notifications", "language"),
    *("promise", "way"),
)
"""The fields of a person; `name` is the full name, `promise` what they will pay a month."""

FindCountry = Callable[[str], str]

_SHOWN = 60
_LANGUAGES = {
    **dict.fromkeys(("english", "anglais", "englisch", "ingles"), "en"),
    **dict.fromkeys(("french", "francais", "franzosisch", "frances"), "fr"),
}
_TITLES = frozenset(
    ["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "m", "mme", "mlle", "herr", "frau"]
)
_TWO = frozenset({"and", "&", "et", "und", "y", "e"})
_YES = frozenset({"yes", "y", "true", "1", "on", "x"})
_NO = frozenset({"", "no", "n", "false", "0", "off"})


class RowResult(StrEnum):
    """The result of a row."""

    CREATED = "created"
    KNOWN = "already a member"
    SKIPPED = "skipped"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A row of a file of people, unchecked."""

    line: int  # its first line in the file
    values: Mapping[str, str] = field(default_factory=dict)
    """The text of each of the `PERSON_FIELDS` in the file."""
    skipped: str = ""  # why it is skipped, else empty
    fault: str = ""  # why it cannot be read, else empty


class CheckedRow(NamedTuple):
    """The result of a row, with the reason if no member was created."""

    line: int
    email: str
    result: RowResult
    reason: str = ""


class Promised(NamedTuple):
    """What a person will pay a month without a card: whole units, and how."""

    dollars: int
    way: PaymentWay


def parse_promise(dollars: str, way: str, default: PaymentWay) -> Promised | None:
    """Return the promise that two cells hold, perhaps empty ones.

    The amount may be written as by a spreadsheet: ``10.00``, ``10,00``, ``10 €``, ``CA$10``.

    Raises:
        InvalidInput: the amount is no pledge, or the way no way to pay.
    """
    if not dollars.strip():
        return None
    marks = "|".join(map(re.escape, books_marks()))
    written = re.fullmatch(rf"(?:{marks})?\s*([0-9]+)(?:[.,]00?)?\s*(?:{marks})?", dollars.strip())
    amount = written[1] if written else dollars
    return Promised(parse_pledge(amount), parse_way(way) if way.strip() else default)


class Newcomer(NamedTuple):
    """A checked person."""

    firstname: str
    lastname: str
    email: str
    country: str
    notifications: bool
    language: str = ""
    """The language's code; empty if the file has none."""
    promise: Promised | None = None


def parse_newcomer(
    values: Mapping[str, str],
    *,
    find: FindCountry,
    default_country: str | None = None,
    needs_address: bool = True,
    way: PaymentWay = PaymentWay.TRANSFER,
) -> Newcomer:
    """Check the fields of a row.

    `find` returns a country's name for a text, like `find_country`; rows without one have the
    default. With `needs_address`, a row without an email address is refused. `way` is how those
    will pay whose row has a promise and no way.

    Raises:
        InvalidInput: a field breaks its rule; the message covers every such field.
    """
    errors = FieldErrors()
    first, last = _names_of(values, errors)
    country = values.get("country", "").strip() or default_country
    typed = values.get("email", "")
    needed = needs_address or bool(typed.strip())
    newcomer = Newcomer(
        email=errors.collect("email", lambda: parse_email(typed), "") if needed else "",
        firstname=errors.collect("firstname", lambda: _name(first, "first name"), ""),
        lastname=errors.collect("lastname", lambda: _name(last, "last name"), ""),
        country=errors.collect("country", lambda: _country(country, find), ""),
        notifications=errors.collect(
            "notifications", lambda: _parse_flag(values.get("notifications", "")), otherwise=False
        ),
        language=language_code(values.get("language", "")),
        promise=errors.collect(
            "promise",
            lambda: parse_promise(values.get("promise", ""), values.get("way", ""), way),
            None,
        ),
    )
    errors.raise_any()
    return newcomer


def split_name(text: str) -> tuple[str, str]:
    """Split a full name into first and last name: at the last space, or 'Last, First'.

    Raises:
        InvalidInput: it is a single word.
    """
    words = text.split()
    while words and words[0].casefold().rstrip(".") in _TITLES:
        words.pop(0)
    if any(word.casefold() in _TWO for word in words[:1]):
        raise InvalidInput(
            f"The name '{text.strip()[:_SHOWN]}' is of two people; give each a row, or one name."
        )
    text = " ".join(words)
    if len(words) > 1 and _is_capital(words[0]) and not any(map(_is_capital, words[1:])):
        return " ".join(words[1:]), words[0]
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


def _is_capital(word: str) -> bool:
    """Return whether a word is written in capitals, as last names are where they stand first."""
    return len(word) > 2 and word.isupper()  # noqa: PLR2004 - initials are shorter


def language_code(text: str) -> str:
    """Return the code in a text such as ``fr``, ``fr-CA`` or ``Français``; empty if it has none."""
    plain = plain_text(text)
    code = re.split(r"[-_ ]", plain)[0]
    return _LANGUAGES.get(plain) or (code if len(code) == 2 and code.isalpha() else "")  # noqa: PLR2004 - letters of a code


def _names_of(values: Mapping[str, str], errors: FieldErrors) -> tuple[str, str]:
    first, last = values.get("firstname", "").strip(), values.get("lastname", "").strip()
    whole = values.get("name", "").strip() or (first or last)
    if (first and last) or not whole:
        return first, last
    if first and not _words(first) <= _words(whole):
        return first, whole  # Name beside Vorname, or Nom beside Prénom
    # One of the two columns may hold the full name.
    # After a recorded error, the placeholders pass the next checks.
    return errors.collect("name", lambda: split_name(whole), ("?", "?"))


def _words(text: str) -> set[str]:
    return {*re.findall(r"\w+", plain_text(text))}


def _name(text: str, what: str) -> str:
    if not text:
        raise InvalidInput(f"There is no {what}.")
    try:
        return parse_name(text, what)
    except InvalidInput as error:
        raise InvalidInput(f"'{text[:_SHOWN]}': {error.message}") from None


def _country(text: str | None, find: FindCountry) -> str:
    if text is None:
        raise InvalidInput("There is no country; --country sets it for rows without one.")
    return find(text)


def _parse_flag(text: str) -> bool:
    word = text.strip().casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise InvalidInput(f"'{text.strip()[:_SHOWN]}' is neither yes nor no (column notifications).")
