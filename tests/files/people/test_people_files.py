"""Files of people: the header decides the format, and errors name their line."""

import io
import json
from collections.abc import Mapping

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import PersonRow
from jara.files.people.forms import parse_columns
from jara.files.people.reader import PeopleReader, to_utf8

PATREON = (
    "Name,Email,Discord,Patron Status,Follows You,Free Member,Free Trial,Lifetime Amount,"
    "Pledge Amount,Charge Frequency,Tier,Addressee,Street,City,State,Zip,Country,Phone,"
    "Patronage Since Date,Last Charge Date,Last Charge Status,Additional Details,User ID,"
    "Last Updated,Currency,Max Posts,Access Expiration,Next Charge Date,Full country name,"
    "Subscription Source"
)
CONTRIBUTORS = (
    '"contributorUrl","contributorName","contributorType","totalContributions","currency",'
    '"activeRecurringContribution","activeRecurringContributionTier",'
    '"activeRecurringContributionAmount","activeRecurringContributionFrequency",'
    '"firstContributionDate","latestContributionDate","email","website"'
)
OC_MEMBERS = (
    '"MemberId","createdAt","type","role","tier","isActive","totalAmountDonated","currency",'
    '"lastTransactionAt","lastTransactionAmount","profile","name","company","description",'
    '"image","email","twitter","github","website"'
)
MAILCHIMP = (
    '"Email Address","First Name","Last Name",Country,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,'
    "CONFIRM_TIME,CONFIRM_IP,LATITUDE,LONGITUDE,GMTOFF,DSTOFF,TIMEZONE,CC,REGION,LAST_CHANGED,"
    "LEID,EUID,NOTES,TAGS"
)
GERMAN = "Vorname;Nachname;E-Mail-Adresse;Land\nÄnne;Öz;a@example.org;Österreich\n"


def reader(data: str | bytes, columns: Mapping[str, str] | None = None) -> PeopleReader:
    """Open a file."""
    raw = data.encode() if isinstance(data, str) else data
    return PeopleReader(io.BytesIO(raw), "people.csv", columns or {})


def rows(data: str | bytes, columns: Mapping[str, str] | None = None) -> list[PersonRow]:
    """Read all rows of a file."""
    return list(reader(data, columns).rows())


def filled(header: str, **cells: str) -> str:
    """Return a file with one row of these cells."""
    names = [name.strip('"') for name in header.split(",")]
    return f"{header}\n" + ",".join(f'"{cells.get(name, "")}"' for name in names) + "\n"


def shown(found: PersonRow) -> dict[str, str]:
    """Return the fields of a row that are not empty."""
    return {field: text for field, text in found.values.items() if text}


def test_a_patreon_export_is_known() -> None:
    """The status column decides who is imported; amounts are not read."""
    cells = {"Name": "Ama Mensah", "Email": "ama@example.org", "Pledge Amount": "5.00"}
    for status, reason in (
        ("Active patron", ""),
        ("Declined patron", ""),
        ("Former patron", "'former patron'"),
        ("", "never was a patron"),
    ):
        data = filled(PATREON, **cells, **{"Patron Status": status, "Country": "GH"})
        (found,) = rows(data)

        assert reader(data).form.name == "Patreon"
        assert reason == found.skipped
        assert shown(found) == {"email": "ama@example.org", "name": "Ama Mensah", "country": "GH"}


def test_open_collectives_exports_are_known() -> None:
    """Both exports work; organisations and guests without an address are left out."""
    for header, kind_column, name_column, people, form in (
        (CONTRIBUTORS, "contributorType", "contributorName", "INDIVIDUAL", "contributors"),
        (OC_MEMBERS, "type", "name", "USER", "members"),
    ):
        for kind, email, reason in (
            (people, "ama@example.org", ""),
            ("", "ama@example.org", ""),
            ("ORGANIZATION", "ama@example.org", "'organization' is not a person"),
            (people, "", "no address: a guest, or somebody incognito"),
        ):
            data = filled(header, **{kind_column: kind, name_column: "Ama M", "email": email})
            (found,) = rows(data)

            assert reader(data).form.name == f"Open Collective, {form}"
            assert (found.skipped, found.values["name"]) == (reason, "Ama M")


def test_a_cut_off_export_names_the_line() -> None:
    """Open Collective appends a sentence when it leaves rows out, and the error names its line."""
    data = filled(CONTRIBUTORS, email="ama@example.org") + "Warning: totalCount is 1001"

    assert [(one.line, one.fault) for one in rows(data)] == [
        (2, ""),
        (3, "The row is too short: 1 cells under 13 columns."),
    ]


def test_a_mailchimp_export_is_known() -> None:
    """Unsubscribed and bounced people are left out; a location gives no country."""
    data = filled(MAILCHIMP, **{"Email Address": "a@example.org", "First Name": "A", "CC": "GH"})
    (found,) = rows(data)

    assert reader(data).form.name == "Mailchimp"
    assert shown(found) == {"email": "a@example.org", "firstname": "A"}
    for column, reason in (
        ("UNSUB_TIME", "has unsubscribed"),
        ("CLEAN_TIME", "the address bounced"),
    ):
        (gone,) = rows(filled(f"{MAILCHIMP},{column}", **{column: "2026-01-01 10:00:00"}))
        assert reason == gone.skipped


@pytest.mark.parametrize("is_list", [False, True])
def test_mongoexport_is_read_in_both_forms(is_list: bool) -> None:
    """Only the person's fields are read, no password hash and no amount."""
    person = {
        "_id": {"$oid": "65a1"},
        "firstname": "Ama",
        "lastname": "Mensah",
        "email": "ama@example.org",
        "password": "$2b$10$abcdefghijklmnopqrstuv",
        "subscriptionAmount": {"$numberInt": "10"},
        "country": {"name": "Ghana", "isoCode": "GH"},
        "notifications": True,
        "createdAt": {"$date": "2025-01-01T00:00:00Z"},
    }
    other = {"email": "b@example.org", "name": "B M", "notifications": False, "country": 7}
    listed = [person, other, 5]
    data = json.dumps(listed) if is_list else "\n\n".join(map(json.dumps, listed))

    ama, ben, odd = rows(data)

    assert reader(data).form.name == "mongoexport"
    assert shown(ama) == {
        "firstname": "Ama",
        "lastname": "Mensah",
        "email": "ama@example.org",
        "country": "Ghana",
        "notifications": "yes",
    }
    assert shown(ben) == {"email": "b@example.org", "name": "B M", "notifications": "no"}
    assert "not a JSON object" in odd.fault


def test_a_broken_line_of_json_is_named() -> None:
    """The other lines are read; an unpaired surrogate becomes a question mark."""
    broken = '{"email": "a@example.org"}\n{"email": \n' + "[" * 100_000 + "\n"
    odd = '{"email": "\\ud800@example.org", "joined": {"$date": "2025"}}'

    assert [one.fault[:11] for one in rows(broken)] == ["", "The line is", "The line is"]
    (found,) = rows(odd, {"name": "joined"})
    assert (found.values["email"], found.values["name"]) == ("?@example.org", "2025")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_are_known_by_any_case_and_accents(delimiter: str) -> None:
    """Columns are found in any case, without accents, in other languages, with any delimiter."""
    (found,) = rows(GERMAN.replace(";", delimiter))

    assert tuple(
        found.values[field] for field in ("firstname", "lastname", "email", "country")
    ) == ("Änne", "Öz", "a@example.org", "Österreich")


def test_columns_can_be_named() -> None:
    """If several columns hold a field, the first one with text is used."""
    chosen = parse_columns(["E-Mail=Private Post", "name = Who"])
    assert chosen == {"email": "Private Post", "name": "Who"}
    data = "Email,private post,Who,Country,Country Code,Country\nx,a@example.org,A B,,gh,\n"

    (found,) = rows(data, chosen)

    assert shown(found) == {"email": "a@example.org", "name": "A B", "country": "gh"}
    for pair in ("email", "email=", "shoe size=12"):
        with pytest.raises(InvalidInput, match="write FIELD=HEADER"):
            parse_columns([pair])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("Name,Phone\n", "no column with email addresses; it has: Name, Phone"),
        ("Email,First name\n", "no columns with first and last names"),
        ("Email,Name\na@example.org,J\xfcrgen X\n".encode("latin-1"), "line 2: byte 0xfc is not"),
        ("Email,Name\n".encode("utf-16"), "--encoding utf-16"),
        ('Email,Name\n"a', "line 2: the line is not CSV"),
        ("[1,", "people.csv, line 1"),
    ],
)
def test_a_file_that_is_broken_as_a_whole_is_refused(data: str | bytes, message: str) -> None:
    """The message says what to do."""
    with pytest.raises(InvalidInput, match=message):
        rows(data)


def test_a_missing_column_that_was_named_is_refused() -> None:
    """The message lists the existing columns."""
    many = ",".join(f"c{number}" for number in range(20))
    with pytest.raises(InvalidInput, match=r"has no column 'Post'; it has: c0, .*c11, …"):
        reader(f"{many}\n", {"email": "Post"})


def test_encodings_are_named_not_guessed() -> None:
    """Latin-1 is read as Windows-1252; UTF-8 is copied unchanged."""
    for encoding, raw in (
        ("utf-8", GERMAN.encode("utf-8-sig")),
        ("Latin-1", GERMAN.encode("cp1252")),
        ("utf-16", GERMAN.encode("utf-16")),
    ):
        target = io.BytesIO()
        to_utf8(io.BytesIO(raw), target, encoding, "people.csv", [])

        assert rows(target.getvalue())[0].values["firstname"] == "Änne"
    with pytest.raises(InvalidInput, match="'ebcdic' is not a supported encoding"):
        to_utf8(io.BytesIO(b""), io.BytesIO(), "ebcdic", "people.csv", [])
    for encoding, raw in (("utf-16", b"abc"), ("latin-1", b"\x81")):
        with pytest.raises(InvalidInput, match="another --encoding may fit"):
            to_utf8(io.BytesIO(raw), io.BytesIO(), encoding, "people.csv", [])
