"""Damaged files of people are read or refused with a message."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jara.domain.countries import Countries, find_country
from jara.domain.errors import InvalidInput
from jara.domain.giving.newcomer import Newcomer, parse_newcomer
from tests.files.people.test_people_files import (
    CONTRIBUTORS,
    GERMAN,
    MAILCHIMP,
    PATREON,
    filled,
    rows,
)
from tests.sizes import size

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
@settings(max_examples=size(75, 1500))
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
