"""Countries, languages and names are found as people write them."""

import unicodedata

import pytest
from babel import Locale

from jara.domain.countries import find_country, settle_country
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.language import parse_language
from jara.domain.lookup import as_it_looks, beginning_with, choose_one, fold, mixes_scripts
from jara.files.shipped import CountryList

LIST = CountryList()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" nigeria ", "Nigeria"),
        ("UK", "United Kingdom"),
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


WELLS = ["wells", "wells-2", "Wells for Enugu", *(f"roof-{n}" for n in range(7))]


def find(text: str) -> str:
    """Find one of the wells."""
    return choose_one(
        text,
        beginning_with(text, WELLS, lambda name: (name,)),
        kinds="projects",
        label=str,
        missing="There is none.",
        names=lambda name: (name,),
    )


@pytest.mark.parametrize(
    ("text", "name"), [("wells", "wells"), ("WELLS ", "wells"), ("wells f", "Wells for Enugu")]
)
def test_a_name_or_a_unique_beginning_is_found(text: str, name: str) -> None:
    """Case does not matter; a whole name wins over a longer name that starts with it."""
    assert find(text) == name


@pytest.mark.parametrize("text", ["", "x", " "])
def test_unknown_names_are_not_found(text: str) -> None:
    """Unknown names and an empty text are not found."""
    with pytest.raises(NotFound, match=r"There is none\."):
        find(text)


def test_several_candidates_are_named() -> None:
    """The message names at most five candidates."""
    with pytest.raises(Conflict, match=r"'wel': Wells for Enugu, wells, wells-2\. Write more"):
        find("wel")
    with pytest.raises(Conflict, match=r"roof-4, …\. Write more of it") as refused:
        find("roof")
    assert "roof-5" not in str(refused.value)


def test_the_same_whole_name_twice_is_ambiguous() -> None:
    """Items of the same name are distinguished by their labels."""
    with pytest.raises(Conflict, match="'a': 1, 2"):
        choose_one(
            "a", [1, 2], kinds="things", label=str, missing="", names=lambda one: ("a", f"{one}")
        )


def test_names_are_compared_without_case_and_spaces() -> None:
    """Case and spaces do not matter when names are compared."""
    assert fold("  ỌLÁ  ṣadé ") == fold("Ọlá Ṣadé")


@pytest.mark.parametrize("text", ["en", "fr", "swa"])
def test_a_code_of_small_letters_is_a_language(text: str) -> None:
    """A language without texts is accepted too."""
    assert parse_language(text) == text


@pytest.mark.parametrize("text", ["", "f", "FR", "fr-CA", "fr\n", "../x", "français", "french"])
def test_anything_else_is_refused(text: str) -> None:
    """A language code becomes part of file names, so only lower-case letters are valid."""
    with pytest.raises(InvalidInput, match="not a code such as en or fr"):
        parse_language(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada", "\u0430\u0501\u0430"),  # Cyrillic
        ("AKA", "\u0391\u039a\u0391"),  # Greek
        ("ada", "\u1d00d\u0251"),  # phonetic
        ("Ida", "lda"),
        ("bob", "b0b"),
        ("Zoë  Ann", "zoe ann"),
    ],
)
def test_letters_that_look_alike_are_one(one: str, other: str) -> None:
    """Whichever script, case or digit they are."""
    assert as_it_looks(one) == as_it_looks(other)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("\u0430da", True),
        ("Be\u0578", True),
        ("O\u2019Neil-Zoë", False),
        ("\u041e\u043b\u0435\u0441\u044c", False),
        ("\u6771\u4eac\u30bf\u30ed\u30fc\u306e", False),
        ("\uff41da2", False),
    ],
)
def test_a_word_of_two_scripts(word: str, expected: bool) -> None:
    """Signs and digits have none; those of Japanese go together."""
    assert mixes_scripts(word) is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("chloe", ["Chloe Diop"]),  # as it is typed comes first
        ("chloé", ["Chloé Roy"]),
        ("helene", ["Hélène Côté", "Hélène Roy"]),
        ("helene cote", ["Hélène Côté"]),
        ("", []),
        ("\u0301", []),  # an accent alone
    ],
)
def test_a_name_is_found_without_its_accents(text: str, found: list[str]) -> None:
    """If nobody has the letters as they are typed."""
    names = ["Chloe Diop", "Chloé Roy", "Hélène Côté", "Hélène Roy"]

    assert beginning_with(text, names, lambda name: [name]) == found


def test_the_full_name_without_accents_chooses_one() -> None:
    """Though another name begins with it."""
    found = ["José Roy", "José Royer"]

    assert (
        choose_one(
            "jose roy", found, kinds="members", label=str, missing="", names=lambda name: [name]
        )
        == "José Roy"
    )
