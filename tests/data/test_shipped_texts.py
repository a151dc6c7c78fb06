"""Other shipped texts and lists: legal pages, README, common passwords."""

import json
import re
from pathlib import Path

import pytest

from jara.domain.language import Language
from jara.languages import read_text, translated_languages
from jara.services.legal.reading import places_of
from tests.data.content_files import DATA
from tests.test_kept_promises import FRENCH, leaves_of


@pytest.mark.parametrize("name", ["terms.md", "privacy.md"])
@pytest.mark.parametrize("language", translated_languages())
def test_each_legal_text_is_translated(language: Language, name: str) -> None:
    """A missing translation would be shown in English."""
    english = (DATA / "legal" / name).read_text(encoding="utf-8")
    own = read_text(language, f"legal/{name}")

    for pattern in (r"\{[^}]*\}+", r"^#+ "):
        parts = [sorted(re.findall(pattern, text, re.MULTILINE)) for text in (english, own)]
        assert parts[0] == parts[1]


@pytest.mark.parametrize("file", sorted(FRENCH.rglob("*.[jmt]*")), ids=lambda file: file.name)
def test_french_is_set_as_french_is(file: Path) -> None:
    """A curly apostrophe; U+202F before ; : ! ? and inside « », as on the website."""
    text = file.read_text("utf-8")
    said = [one for _, one in leaves_of(json.loads(text))] if file.suffix == ".json" else [text]
    plain = [re.sub(r"{[{%].*?[%}]}|Content-Type:", " ", one, flags=re.DOTALL) for one in said]
    wrong = re.compile(
        r"\w'\w|[^\u202f\d\s] ?[;!?»](?!\w)|[^\u202f\d:/\s] ?:(?![\w/:-])|«[^\u202f]"
    )

    assert [one[:200] for one in plain if wrong.search(one)] == []


@pytest.mark.parametrize("name", ["terms.md", "privacy.md"])
def test_each_placeholder_of_the_legal_texts_is_explained(name: str) -> None:
    """The README says what an operator fills in."""
    text = (DATA / "legal" / name).read_text(encoding="utf-8")
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    places = places_of(text)

    assert {"organisation", "contact_email", "effective_date"} <= places
    assert all(f"`{{{{ {place} }}}}`" in readme for place in places)


def test_legal_texts_promise_no_tax_receipt() -> None:
    """A not-for-profit that is not a charity issues no donation receipts."""
    terms = (DATA / "legal" / "terms.md").read_text(encoding="utf-8")

    assert "cannot issue official donation receipts" in " ".join(terms.split())
    assert "deductible" not in terms


def test_every_file_is_in_the_readme() -> None:
    """The README says what each file contains and who edits it."""
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    files = [path for path in DATA.iterdir() if path.is_file() and path.name != "README.md"]

    assert all(f"`{path.name}`" in readme for path in files)


def test_common_passwords_are_ten_thousand_that_the_length_rule_lets_through() -> None:
    """10,000 unique lines, each with at least 8 characters, in the form used to compare."""
    text = (DATA / "common-passwords.txt").read_text(encoding="utf-8")
    passwords = text.removesuffix("\n").split("\n")

    assert 10_000 == len(passwords) == len(set(passwords))
    assert all(len(password) >= 8 and password == password.lower() for password in passwords)
    assert {"password", "12345678", "88888888", "football"} <= set(passwords)
