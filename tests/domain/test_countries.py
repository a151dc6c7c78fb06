"""Countries are found in any usual spelling; a name and code that disagree are refused."""

from __future__ import annotations

import pytest

from jara.domain.countries import find_country, settle_country
from jara.domain.errors import InvalidInput
from jara.files.shipped import CountryList

LIST = CountryList()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Nigeria", "Nigeria"),
        (" nigeria ", "Nigeria"),
        ("NG", "Nigeria"),
        ("ng", "Nigeria"),
        ("UK", "United Kingdom"),
        ("usa", "United States"),
        ("U.S.A.", "United States"),
        ("Cote d'Ivoire", "Côte d’Ivoire"),
        ("CÔTE D’IVOIRE", "Côte d’Ivoire"),
        ("Ivory Coast", "Côte d’Ivoire"),
        ("St. Lucia", "Saint Lucia"),
        ("Guinea Bissau", "Guinea-Bissau"),
        ("Sao Tome & Principe", "São Tomé and Príncipe"),
        ("DRC", "Democratic Republic of the Congo"),
        ("Curac\u0327ao", "Curaçao"),
    ],
)
def test_a_country_is_found_as_people_write_it(text: str, name: str) -> None:
    """Names, codes and common short forms are found in any case and with any accents."""
    assert find_country(text, LIST) == name


def test_every_country_is_found_by_its_name_and_its_code() -> None:
    """No short form hides a country."""
    assert len(LIST) == 250
    assert {name: name for name in LIST} == {name: find_country(name, LIST) for name in LIST}
    assert {name: name for name in LIST} == {
        name: find_country(code.lower(), LIST) for name, code in LIST.items()
    }


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Nigerria", "'Nigerria' is not in the list of countries; did you mean Nigeria"),
        ("Tanzanai", "did you mean Tanzania?"),
        ("cote", "did you mean Côte d’Ivoire?"),
        ("Cô", "; write a name"),
        ("united", "did you mean United Arab Emirates or United Kingdom or United States?"),
        ("Atlantis and more", "; write a name or a code of two letters."),
        ("", "'' is not in the list"),
    ],
)
def test_the_nearest_are_suggested(text: str, sentence: str) -> None:
    """A misspelt name gets suggestions of similar names."""
    with pytest.raises(InvalidInput) as refused:
        find_country(text, LIST)

    assert sentence in refused.value.message


def test_name_and_code_agree() -> None:
    """A missing code is taken from the name; the code of another country is refused."""
    assert settle_country("togo", "", LIST) == ("Togo", "TG")
    assert settle_country("TG", "tg", LIST) == ("Togo", "TG")
    with pytest.raises(InvalidInput, match=r"'Togo' has the code TG, .* 'GH' \(Ghana\)"):
        settle_country("Togo", "GH", LIST)
