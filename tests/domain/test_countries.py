"""Countries are found in any usual spelling; a name and code that disagree are refused."""

from __future__ import annotations

import unicodedata

import pytest
from babel import Locale

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


# One name of each kind: code, of three letters or digits, language, official name, old name.
USUAL = {
    "AT": ("AUT", "040", "Österreich", "Oesterreich", "Autriche", "Áustria"),
    "BS": ("Bahamas, The", "The Bahamas"),
    "BO": ("Bolivia, Plurinational State of", "Bolivien"),
    "CD": ("Congo, The Democratic Republic of the", "Congo, Dem. Rep.", "Zaire", "RDC"),
    "CG": ("Congo (Brazzaville)", "Congo, Rep.", "COG"),
    "CI": ("Elfenbeinküste", "Costa de Marfil", "Costa do Marfim", "CIV"),
    "EG": ("Egypt, Arab Rep.", "Ägypten", "Egipto"),
    "FM": ("Micronesia, Federated States of",),
    "GB": ("Royaume-Uni", "Großbritannien", "Northern Ireland", "826", "England"),
    "GH": ("Ghana (GH)", "GH - Ghana", "Republic of Ghana", " ghana"),
    "IE": ("Republic of Ireland", "Irlande", "Irland"),
    "IR": ("Iran, Islamic Republic of",),
    "KP": ("Korea, Democratic People's Republic of", "Corée du Nord"),
    "KR": ("Korea, Republic of", "Korea (South)", "Corea del Sur"),
    "LA": ("Lao People's Democratic Republic",),
    "LY": ("Libyan Arab Jamahiriya",),
    "MD": ("Moldova, Republic of", "Moldau"),
    "MF": ("Saint Martin (French part)",),
    "MK": ("Macedonia, the former Yugoslav Republic of",),
    "NL": ("Pays-Bas", "Países Baixos", "Holland", "the netherlands"),
    "PS": ("Palestine, State of",),
    "RU": ("Russian Federation", "Rusia"),
    "SY": ("Syrian Arab Republic",),
    "SZ": ("Eswatini (formerly Swaziland)",),
    "TW": ("Taiwan, Province of China", "Republic of China"),
    "TZ": ("Tanzania, United Republic of", "Tanzanie", "Tansania", "TZA"),
    "US": ("Estados Unidos", "États-Unis d'Amérique", "Vereinigte Staaten von Amerika", "EE. UU."),
    "VA": ("Holy See (Vatican City State)",),
    "VE": ("Venezuela, Bolivarian Republic of", "Venezuela, RB"),
    "VG": ("Virgin Islands, British",),
    "VI": ("Virgin Islands, U.S.",),
    "VN": ("Viet Nam",),
}


@pytest.mark.parametrize("code", USUAL)
def test_a_country_is_known_by_its_usual_names(code: str) -> None:
    """ISO's order of words, codes, other languages, brackets and former names are known."""
    assert [LIST[find_country(name, LIST)] for name in USUAL[code]] == [code] * len(USUAL[code])


@pytest.mark.parametrize("locale", ["en", "fr", "de", "es", "pt", "pt_PT"])
def test_every_name_of_a_language_is_known(locale: str) -> None:
    """With and without accents; only names of several countries ask."""
    territories = Locale.parse(locale).territories
    wrong: dict[str, str] = {}
    for code in LIST.values():
        plain = unicodedata.normalize("NFKD", territories[code]).encode("ascii", "ignore")
        for name in (territories[code], plain.decode().upper()):
            try:
                wrong |= {name: code} if LIST[find_country(name, LIST)] != code else {}
            except InvalidInput as error:
                wrong |= {name: error.message}

    assert [name for name, why in wrong.items() if "several countries" not in why] == []
    assert len(wrong) <= 2


def test_a_name_of_several_countries_asks() -> None:
    """The message names them, with their codes."""
    with pytest.raises(InvalidInput) as refused:
        find_country("Congo", LIST)

    assert refused.value.message == (
        "'Congo' is the name of several countries: Democratic Republic of the Congo (CD), "
        "Republic of the Congo (CG)."
    )
    for text in ("Korea", "Canada/Ghana", "Ghana (Canada)", "Somaliland", "Republic", "-", "EU"):
        with pytest.raises(InvalidInput):
            find_country(text, LIST)


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
