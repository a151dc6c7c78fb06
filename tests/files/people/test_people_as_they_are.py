"""Files of members as programs write them: who left, did not consent, or is no person."""

import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.countries import Countries, find_country
from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import Newcomer, language_code, parse_newcomer, split_name
from jara.files.people.reader import PeopleReader, to_utf8
from tests.files.people.test_people_files import (
    CONTRIBUTORS,
    GERMAN,
    MAILCHIMP,
    PATREON,
    filled,
    rows,
)
from tests.sizes import size

FOLDER = Path(__file__).parent / "as_they_are"


def opened(file: str) -> PeopleReader:
    """Open a file of the folder, or a text."""
    content = (FOLDER / file).read_bytes() if file.endswith(".csv") else file.encode()
    return PeopleReader(io.BytesIO(content), "f", {})


def people(file: str) -> list[tuple[str, str]]:
    """Return first name or reason of each row."""
    return [(row.values["firstname"], row.skipped) for row in opened(file).rows()]


def test_who_has_not_consented_is_named() -> None:
    """A no in a column of consent is a signal like a yes in one of opting out."""
    assert opened("consent.csv").unused_signals == {"Consent to email": ["Consent to email=No"]}


def test_who_is_no_longer_a_member_is_skipped() -> None:
    """The end of a membership is a signal like a death."""
    assert people("pmpro.csv") == [
        ("Ama", ""),
        ("Kofi", "is no longer a member"),
        ("Yaw", "is no longer a member"),
    ]


def test_a_format_is_known_by_all_its_columns() -> None:
    """Wild Apricot is not Ghost, although both have Subscribed to emails."""
    assert opened("wildapricot.csv").form.name == "Wild Apricot"
    assert people("wildapricot.csv") == [
        ("Ama", ""),
        ("Kofi", "is no longer a member"),
        ("Efua", "is deleted"),
        ("Yaw", "has opted out"),
        ("Esi", "is no longer a member"),
        ("", "the organisation 'Accra Traders Union' is not a person"),
    ]


def test_lines_before_the_header_and_totals_are_left_out() -> None:
    """The header is the row that names the address."""
    assert people("title-rows.csv") == [("Ama", ""), ("Kofi", ""), ("2", "the end of the table")]
    assert people("sep.csv") == [("Ama", "")]
    assert [row.line for row in opened("title-rows.csv").rows()] == [5, 6, 8]


def test_an_encoding_is_detected_or_guessed_with_a_note() -> None:
    """A file that is not UTF-8 is read like a bank's."""
    data = "Email;Name\na@example.org;Zoé Müller\n".encode("cp1252")
    target, notes = io.BytesIO(), list[str]()

    to_utf8(io.BytesIO(data), target, "", "f", notes)

    assert "Zoé Müller" in target.getvalue().decode()
    assert "Windows-1252, which is a guess: 'Zoé Müller'" in notes[0]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("BOATENG Kofi", ("Kofi", "BOATENG")),
        ("Kofi BOATENG", ("Kofi", "BOATENG")),
        ("KOFI BOATENG", ("KOFI", "BOATENG")),
        ("Mrs. Ama Mensah", ("Ama", "Mensah")),
        ("Mensah, Ama", ("Ama", "Mensah")),
    ],
)
def test_a_name_is_split(name: str, parts: tuple[str, str]) -> None:
    """A last name in capitals may stand first; a title is no name."""
    assert split_name(name) == parts


def test_a_language_is_read() -> None:
    """By its code or its name; an unknown one is left to the organisation."""
    texts = ("fr", "fr-CA", "Français", "English", "", "Klingon")
    assert [language_code(one) for one in texts] == ["fr", "fr", "fr", "en", "", ""]
    (row,) = opened("Email,Name,Langue\na@example.org,Ama Mensah,fr\n").rows()
    assert row.values["language"] == "fr"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Nom;Prénom;Courriel;Pays", "Mensah;Ama;a@example.org;Ghana"),
        ("Prénom;Nom;Adresse courriel;Pays", "Ama;Mensah;a@example.org;Ghana"),
        ("Nom;Adresse de courriel;Pays", "Ama Mensah;a@example.org;Ghana"),
        ("Name;Vorname;E-Mail;Land", "Mensah;Ama;a@example.org;Ghana"),
        ("Name;Vorname;E-Mail;Land", "Mensah, Ama;Ama;a@example.org;Ghana"),
        ("Nombre;Apellidos;Correo;País", "Ama;Mensah;a@example.org;Ghana"),
        ("Nombre;Correo;País", "Ama Mensah;a@example.org;Ghana"),
    ],
)
def test_a_file_in_another_language_needs_no_names_of_columns(header: str, row: str) -> None:
    """A name beside a first name is the last name, else the full name."""
    (found,) = opened(f"{header}\n{row}\n").rows()
    person = parse_newcomer(found.values, find=str)

    assert (person.firstname, person.lastname) == ("Ama", "Mensah")
    assert (person.email, person.country) == ("a@example.org", "Ghana")


def test_a_last_name_may_begin_like_the_first_name() -> None:
    """Only whole words are compared."""
    (found,) = opened("Nom;Prénom;Courriel\nAmann;Ama;a@example.org\n").rows()
    person = parse_newcomer({**found.values, "country": "GH"}, find=str)

    assert (person.firstname, person.lastname) == ("Ama", "Amann")


def test_a_row_of_two_people_is_refused() -> None:
    """Mr and Mrs are no first name."""
    with pytest.raises(InvalidInput, match="is of two people"):
        split_name("Mr and Mrs Boateng")


COUNTRIES = Countries(lambda: {"Ghana": "GH", "Canada": "CA", "Germany": "DE"})
PERSON = '{"firstname": "Ama", "lastname": "Ã", "email": "ama@example.org", "country": "Ghana"}'
FILES = {
    "patreon": filled(PATREON, Name="Ama Mensah", Email="ama@example.org", Country="GH").encode(),
    "open collective": filled(CONTRIBUTORS, contributorName="A B", email="a@b.example").encode(),
    "mailchimp": filled(MAILCHIMP, **{"Email Address": "a@b.example"}).encode(),
    "semicolons": GERMAN.encode("utf-8-sig"),
    "json lines": f"{PERSON}\n{PERSON}\n".encode(),
    "json list": f"[{PERSON},\n{PERSON}]".encode(),
}
PIECES = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b'"', b",", b";", b"\n", b"\r", b"\t", b"\0", b"{", b"}", b"[", b"]", b":", b"\\ud800",
         b"\\u0000", b"null", b"1e999", b"NaN", b"\xff\xfe", b"\xef\xbb\xbf", b"@", b"Email",
         "\u202e".encode(), "\u200b".encode()]
    ),
)  # fmt: skip


def find_country_of(text: str) -> str:
    """Return the country that a text names."""
    return find_country(text, COUNTRIES)


@pytest.mark.parametrize("form", FILES)
@settings(max_examples=size(40, 1500))
@given(data=st.data())
def test_damaged_files_are_read_or_refused(form: str, data: st.DataObject) -> None:
    """After bytes are removed, added or doubled, each row gives a complete person or a message."""
    broken = FILES[form]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken)))
        lost = data.draw(st.sampled_from([0, 0, 1, 5, 40]))
        broken = broken[:at] + data.draw(PIECES) + broken[at + lost :]
    people: list[Newcomer] = []
    with suppress(InvalidInput):
        for one in rows(broken):
            with suppress(InvalidInput):
                people.append(parse_newcomer(one.values, find=find_country_of))

    for person in people:
        text = f"{person.firstname}{person.lastname}{person.email}{person.country}"
        assert b"\0" not in text.encode()
        assert all((person.firstname, person.lastname, person.country, "@" in person.email))
