"""Names that look alike are one name for those who read them."""

import pytest

from jara.domain.lookup import as_it_looks, mixes_scripts


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
