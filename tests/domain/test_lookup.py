"""Names that look alike are one name for those who read them."""

import pytest

from jara.domain.lookup import as_it_looks, beginning_with, choose_one, mixes_scripts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ada", "\u0430\u0501\u0430"),  # Cyrillic
        ("AKA", "\u0391\u039a\u0391"),  # Greek
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
