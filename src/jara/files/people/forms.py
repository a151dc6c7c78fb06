"""The formats of files of people: the columns that identify each, and the rows it leaves out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import PERSON_FIELDS

_SHOWN = 12

ALIASES: Mapping[str, tuple[str, ...]] = {
    "email": (
        *("email", "emailaddress", "mail", "mailaddress", "emailadresse", "mailadresse"),
        *("adresseemail", "adressemail", "courriel", "correo", "correoelectronico"),
    ),
    "firstname": ("firstname", "first", "givenname", "forename", "fname", "vorname", "prenom"),
    "lastname": (
        *("lastname", "last", "surname", "familyname", "lname", "nachname", "apellido"),
        *("apellidos", "nomdefamille"),
    ),
    "name": ("name", "fullname", "contributorname", "membername", "displayname"),
    "country": (
        *("country", "countryname", "fullcountryname", "countrycode", "isocode"),
        *("land", "pays", "pais"),
    ),
    "notifications": ("notifications", "wantsnews", "news"),
}
"""The columns that may hold a field; the first one with a text counts."""

Cells = Mapping[str, str]
"""The text of each column of a row, by its plain name."""


class PeopleForm(NamedTuple):
    """A file format.

    Args:
        name: its usual name.
        known_by: plain names of columns that only this format has.
        leaves_out: returns the reason to leave a row out, or an empty text.
    """

    name: str
    known_by: frozenset[str]
    leaves_out: Callable[[Cells], str]


def plain_name(column: str) -> str:
    """Return a column's name for comparison: letters and digits, without case and accents."""
    folded = unicodedata.normalize("NFKD", column.casefold())
    return "".join(sign for sign in folded if sign.isalnum())


def _nobody(cells: Cells) -> str:  # noqa: ARG001 - leaves nobody out
    return ""


def _of_open_collective(cells: Cells) -> str:
    kind = (cells.get("contributortype") or cells.get("type") or "").strip().upper()
    if kind and kind not in {"INDIVIDUAL", "USER"}:
        return f"'{kind.lower()}' is not a person"
    if not cells.get("email", "").strip():
        return "no address: a guest, or somebody incognito"
    return ""


def _of_patreon(cells: Cells) -> str:
    status = cells.get("patronstatus", "").strip().casefold()
    if status in {"active patron", "declined patron"}:
        return ""
    return f"'{status}'" if status else "never was a patron"


def _of_mailchimp(cells: Cells) -> str:
    if cells.get("unsubtime", "").strip():
        return "has unsubscribed"
    return "the address bounced" if cells.get("cleantime", "").strip() else ""


FORMS = (
    PeopleForm(
        "Open Collective, contributors",
        frozenset({"contributorurl", "contributorname"}),
        _of_open_collective,
    ),
    PeopleForm(
        "Open Collective, members",
        frozenset({"memberid", "totalamountdonated"}),
        _of_open_collective,
    ),
    PeopleForm("Patreon", frozenset({"patronstatus", "email"}), _of_patreon),
    PeopleForm("Mailchimp", frozenset({"emailaddress", "memberrating"}), _of_mailchimp),
)
PLAIN = PeopleForm("CSV", frozenset(), _nobody)
MONGO = PeopleForm("mongoexport", frozenset(), _nobody)


def recognise_people(columns: Iterable[str]) -> PeopleForm:
    """Recognise the format of a CSV file by the plain names of its columns."""
    there = frozenset(columns)
    return next((form for form in FORMS if form.known_by <= there), PLAIN)


def parse_columns(pairs: Iterable[str]) -> dict[str, str]:
    """Parse which column holds which field, from ``email=E-Mail Address``.

    Raises:
        InvalidInput: a pair is malformed, or names no field.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        name, sign, column = pair.partition("=")
        field = plain_name(name)
        if field not in PERSON_FIELDS or not sign or not column.strip():
            raise InvalidInput(
                f"'{pair}' is not a column; write FIELD=HEADER with one of the fields "
                f"{', '.join(PERSON_FIELDS)}."
            )
        found[field] = column.strip()
    return found


def places_of(
    columns: Sequence[str], chosen: Mapping[str, str], name: str
) -> dict[str, tuple[str, ...]]:
    """Return for each field the columns that may hold it, in plain names.

    Raises:
        InvalidInput: a chosen column is missing, or there is none for the address or the name.
    """
    plain = {plain_name(column) for column in columns}
    shown = ", ".join(columns[:_SHOWN]) + (", …" if len(columns) > _SHOWN else "")
    places: dict[str, tuple[str, ...]] = {}
    for field in PERSON_FIELDS:
        wanted = (plain_name(chosen[field]),) if field in chosen else ALIASES[field]
        places[field] = tuple(alias for alias in wanted if alias in plain)
        if field in chosen and not places[field]:
            raise InvalidInput(f"{name} has no column '{chosen[field]}'; it has: {shown}.")
    if not places["email"]:
        raise InvalidInput(
            f"{name} has no column with email addresses; it has: {shown}. "
            "Name it: --column email=HEADER."
        )
    if not (places["name"] or (places["firstname"] and places["lastname"])):
        raise InvalidInput(
            f"{name} has no columns with first and last names; it has: {shown}. "
            "Name them: --column firstname=HEADER and --column lastname=HEADER, or "
            "--column name=HEADER."
        )
    return places


def values_of(cells: Cells, places: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the text of each field of a row."""
    return {
        field: next((cells[one] for one in columns if cells.get(one, "").strip()), "")
        for field, columns in places.items()
    }
