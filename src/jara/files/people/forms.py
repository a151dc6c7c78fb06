"""The formats of files of people: the columns that identify each, and the rows it leaves out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import PERSON_FIELDS
from jara.domain.lookup import plain_text, without_accents
from jara.files.people import signals

_SHOWN = 12

ALIASES: Mapping[str, tuple[str, ...]] = {
    "email": (
        *("email", "emailaddress", "mail", "mailaddress", "emailadresse", "mailadresse"),
        *("donoremail", "primaryemail", "homeemail", "contributoremail"),
        *("adresseemail", "adressemail", "courriel", "adressecourriel", "adressedecourriel"),
        *("courrielprincipal", "correo", "correoelectronico"),
    ),
    "firstname": (
        *("firstname", "first", "givenname", "forename", "fname", "vorname", "prenom"),
        *("nombre", "donorsfirstname"),
    ),
    "lastname": (
        *("lastname", "last", "surname", "familyname", "lname", "nachname", "apellido"),
        *("apellidos", "nomdefamille", "donorslastname"),
    ),
    "name": (
        *("name", "fullname", "contributorname", "membername", "displayname", "nom", "nomcomplet"),
        *("nombre", "nombrecompleto"),
    ),
    "country": (
        *("country", "countryname", "fullcountryname", "countrycode", "isocode"),
        *("land", "pays", "pais", "mailingcountry", "homecountry", "primarycountry"),
    ),
    "notifications": ("notifications", "wantsnews", "news"),
    "language": (
        *("language", "preferredlanguage", "lang", "locale", "langue", "sprache", "idioma"),
        "communicationlanguage",
    ),
    # Amounts of other programs are no promises, so only columns made for this are taken.
    "promise": ("promise", "monthlypromise", "promesse", "promessemensuelle"),
    "way": ("way", "paymentway", "moyendepaiement", "modedepaiement"),
}
"""The columns that may hold a field; the first one with a text counts."""

Cells = Mapping[str, str]
"""The text of each column of a row, by its plain name."""


class PeopleForm(NamedTuple):
    """A file format."""

    name: str  # its usual name
    known_by: tuple[frozenset[str], ...]
    """Sets of plain column names; a file that has all of one set is of this format."""
    leaves_out: Callable[[Cells], str]
    """Returns the reason to leave a row out, or an empty text; the signals of
    `jara.files.people.signals` are asked besides."""
    reads: str = ""  # the columns that `leaves_out` reads, beside those with a signal
    has_footer: bool = False  # whether the file may end with lines of a single cell


def plain_name(column: str) -> str:
    """Return a column's name for comparison: letters and digits, without case and accents."""
    return "".join(filter(str.isalnum, without_accents(column)))


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


def _of_civicrm(cells: Cells) -> str:
    kind = cells.get("contacttype", "").strip().lower()
    return f"'{kind}' is not a person" if kind not in {"", "individual"} else ""


def _of_action_network(cells: Cells) -> str:
    status = cells.get("can2subscriptionstatus", "").strip().lower()
    if "bounc" in status:
        return "the address bounced"
    if status == "unsubscribed":
        return "has unsubscribed"
    return "" if status in {"", "subscribed"} else f"'{status}'"


def _of_ghost(cells: Cells) -> str:
    is_out = plain_text(cells["subscribedtoemails"]) in {"false", "no", "0"}
    return "has unsubscribed" if is_out else ""


def _of_donorbox(cells: Cells) -> str:
    company = cells.get("donatingcompany", "").strip()
    return f"a gift of the organisation '{company}'" if company else ""


def _known_by(*columns: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(one.split()) for one in columns)


FORMS = (
    PeopleForm(
        "Open Collective, contributors",
        _known_by("contributorurl contributorname"),
        _of_open_collective,
        "contributortype type",
    ),
    PeopleForm(
        "Open Collective, members",
        _known_by("memberid totalamountdonated"),
        _of_open_collective,
        "contributortype type",
    ),
    PeopleForm("Patreon", _known_by("patronstatus email"), _of_patreon, "patronstatus"),
    PeopleForm("Mailchimp", _known_by("emailaddress memberrating"), _of_mailchimp, "cleantime"),
    PeopleForm(
        "CiviCRM",
        _known_by("contacttype displayname", "contacttype sortname", "contacttype donotemail"),
        _of_civicrm,
        "contacttype",
    ),
    PeopleForm(
        "Salesforce NPSP",
        _known_by(
            *("emailoptout deceased", "emailoptout mailingcountry", "hasoptedoutofemail"),
            *("npspdeceasedc", "npspdonotcontactc", "donotcontact mailingcountry"),
        ),
        _nobody,
        has_footer=True,
    ),
    PeopleForm(
        "Action Network",
        _known_by("can2subscriptionstatus", "can2usertags"),
        _of_action_network,
        "can2subscriptionstatus",
    ),
    PeopleForm("Paid Memberships Pro", _known_by("membership initialpayment joined"), _nobody),
    PeopleForm(
        "Wild Apricot",
        _known_by("membershipenabled membershipstatus", "membershiplevel subscribedtoemails"),
        _nobody,
    ),
    PeopleForm(
        "Ghost",
        _known_by(
            "email subscribedtoemails complimentaryplan",
            "email subscribedtoemails stripecustomerid",
            "email subscribedtoemails labels",
        ),
        _of_ghost,
    ),
    PeopleForm("Memberful", _known_by("email unrestrictedaccess", "memberfulid"), _nobody),
    PeopleForm(
        "GiveWP",
        _known_by("donorcreateddate", "email numberofdonations totaldonated", "email donationsum"),
        _nobody,
    ),
    PeopleForm(
        "Donorbox",
        _known_by("donorsfirstname donoremail", "donoremail joinmailinglist", "donorboxid"),
        _of_donorbox,
        "donatingcompany",
    ),
)
PLAIN = PeopleForm("CSV", (), _nobody)
MONGO = PeopleForm("mongoexport", (), _nobody)


def recognise_people(columns: Iterable[str]) -> PeopleForm:
    """Recognise the format of a CSV file by the plain names of its columns."""
    there = frozenset(columns)
    return next((form for form in FORMS if any(one <= there for one in form.known_by)), PLAIN)


class LeaveOut(NamedTuple):
    """An operator's rule: rows are left out where a column says yes, or has the value."""

    column: str
    value: str | None

    def reason(self, cells: Cells) -> str:
        """Return the reason to leave a row out, or an empty text."""
        text = cells.get(plain_name(self.column), "").strip()
        is_out = signals.says_yes(text) if self.value is None else plain_text(text) == self.value
        return f"{self.column} is '{text}'" if is_out else ""


def parse_leave_out(rules: Iterable[str]) -> list[LeaveOut]:
    """Parse which rows are left out, from ``Opted out`` or ``Status=former``."""
    return [
        LeaveOut(column.strip(), plain_text(value) if sign else None)
        for column, sign, value in (rule.partition("=") for rule in rules)
    ]


def used_columns(
    form: PeopleForm,
    columns: Iterable[str],
    places: Mapping[str, tuple[str, ...]],
    rules: Iterable[LeaveOut],
) -> set[str]:
    """Return which columns of a table are read, all in plain names."""
    used = {plain_name(rule.column) for rule in rules}.union(*places.values(), form.reads.split())
    return used if form is PLAIN else used.union(filter(signals.is_read, columns))


def unused_signals(
    columns: Sequence[str],
    places: Mapping[str, tuple[str, ...]],
    rules: Sequence[LeaveOut],
    rows: Iterable[Sequence[str]],
) -> dict[str, list[str]]:
    """Return the columns of an unknown format that may say who should not become a member.

    Each comes with the texts of the rules that leave all such rows out.
    """
    taken = {(plain_name(rule.column), rule.value) for rule in rules}
    used = {column for column, value in taken if value is None}.union(*places.values())
    free = {at: one for at, one in enumerate(columns) if plain_name(one) not in used}
    ruled = {column for column, _ in taken}
    unruled = {at: one for at, one in free.items() if plain_name(one) not in ruled}
    meant = {at: signals.signal_of(plain_name(one)) for at, one in unruled.items()}
    found = {at: [free[at]] for at, reason in meant.items() if reason not in {"", "?"}}
    values: dict[int, dict[str, str]] = {at: {} for at in free.keys() - found.keys()}
    for row in rows:
        for at, texts in values.items():
            text = row[at].strip() if at < len(row) else ""
            key = plain_name(free[at]), plain_text(text)
            if key not in taken and _is_telling(key[0], text):
                texts.setdefault(key[1], f"{free[at]}={text}")
    telling = {at: [*texts.values()] for at, texts in values.items() if texts}
    unclear = {at: [f"{free[at]}=VALUE"] for at, reason in meant.items() if reason == "?"}
    return {columns[at]: one for at, one in sorted((unclear | found | telling).items())}


def _is_telling(column: str, text: str) -> bool:
    is_no = bool(signals.consent_of(column)) and signals.says_no(text)
    return is_no or signals.is_telling(text) or signals.ends_membership(column, text)


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
