"""The words of votes, books and values are the same on the server and the website."""

import json
import re
from datetime import UTC, date, datetime

import pytest

from jara.domain.currency import format_minor
from jara.domain.dates import long_date
from jara.domain.language import ENGLISH, Language
from jara.domain.money import format_cents, format_dollars
from jara.domain.texts import Value, listing, tr, value
from jara.domain.voting import tally
from jara.domain.voting.tally import Measure, Share, VoteRule, absent_words, passes_words
from jara.languages import read_text, translated_languages, writer_of
from jara.languages.catalogue import catalogue_of
from jara.reports import words
from tests.languages.catalogues import catalogues
from tests.pages.architecture import ROOT
from tests.pages.rules import booked_words

FRENCH = Language("fr")
SITE = ROOT / "webui" / "src" / "messages" / "en" / "vote-rule.json"
TEMPLATES = {
    "least": tally.AT_LEAST,
    "more": tally.MORE_THAN,
    "passes.quorum": tally.PASSES_QUORUM,
    **{f"passes.{of}": text for of, text in tally.PASSES.items()},
    **{f"absent.{of}": text for of, text in tally.ABSENT.items()},
}
BY_LAW = VoteRule(1, 2, Measure.VOTES, more=True, quorum=Share(1, 5))


def test_the_website_has_the_same_sentences() -> None:
    """Key by key, in English and in French."""
    english = json.loads(SITE.read_text())
    french = json.loads(read_text(FRENCH, "site/vote-rule.json"))
    server = json.loads(read_text(FRENCH, "reports.json"))

    assert {key: english[key] for key in TEMPLATES} == TEMPLATES
    assert {key: french[key] for key in TEMPLATES} == {
        key: server[template] for key, template in TEMPLATES.items()
    }


@pytest.mark.parametrize(
    ("rule", "language", "words"),
    [
        (VoteRule(), ENGLISH, "50% or more of changemakers vote yes"),
        (VoteRule(2, 3), ENGLISH, "2/3 or more of changemakers vote yes"),
        (
            BY_LAW,
            ENGLISH,
            "more than 50% of the votes are yes, and 20% or more of changemakers vote",
        ),
        (VoteRule(), FRENCH, "50\xa0% ou plus des artisans du changement votent oui"),
        (
            BY_LAW,
            FRENCH,
            (
                "plus de 50\xa0% des votes sont des «\u202foui\u202f», et que 20\xa0% ou plus des "
                "artisans du changement votent"
            ),
        ),
    ],
)
def test_a_rule_is_one_clause(rule: VoteRule, language: Language, words: str) -> None:
    """It ends "A proposal passes when"."""
    assert writer_of(language, "reports")(passes_words(rule)) == words


def test_a_rule_states_the_meaning_of_not_voting() -> None:
    """Of the roll it counts against the proposal, of the votes it does not count."""
    assert absent_words(VoteRule()) == "If you don't vote, it counts as not voting yes."
    assert absent_words(BY_LAW) == "Only the votes that are cast count."


def test_the_site_translates_the_words_of_the_books() -> None:
    """Each has a text in the catalogue, under the key that the site derives from it."""
    english, french = (
        json.loads((catalogues(language) / "booked.json").read_text("utf-8"))
        for language in ("en", "fr")
    )
    keys = {re.sub("[^a-z]+", "-", text.lower()): text for text in booked_words()}

    assert english == keys
    assert english.keys() == french.keys()


CARDS = re.compile(r"\b(?:cards?|cartes?|stripe)\b", re.IGNORECASE)


def _speaking(language: str) -> set[str]:
    return {
        f"{file.name} {key}"
        for file in catalogues(language).glob("*.json")
        for key, text in json.loads(file.read_text("utf-8")).items()
        if CARDS.search(text)
    }


@pytest.mark.parametrize("language", translated_languages())
def test_a_text_speaks_of_cards_in_each_language_or_in_none(language: str) -> None:
    """The website's test finds them in English where no card is taken, and so in the others."""
    assert _speaking(language) == _speaking(ENGLISH)


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (format_cents(2_600), "26,00 $ US"),
        (format_cents(-2_600), "\u221226,00 $ US"),
        (words.dollars(-145_700), "\u22121 457 $ US"),
        (format_cents(500, "CAD"), "5,00 $"),
        (words.bare_money(500), "5,00 $"),
        (words.percent(-4), "\u22120,4 %"),
        (words.points(376), "+37,6"),
        (words.points(0), "0,0"),
        (words.number(-1.25), "\u22121,25"),
        (words.number(12_345), "12 345"),
        (value("2650.00", "decimal", "2650.00"), "2 650,00"),
        (format_minor("TZS", 169_600_000), "1 696 000 TZS"),
        (format_minor("KES", -50), "\u22120,50 KES"),
        (long_date(date(2026, 5, 1)), "1er mai 2026"),
        (words.instant(datetime(2026, 10, 31, 14, 5, tzinfo=UTC)), "31 octobre 2026 à 14 h 05 UTC"),
        (words.currency_name(capital=True), "Dollars des États-Unis"),
    ],
)
def test_a_value_is_written_as_french_does(english: Value, french: str) -> None:
    """Spaces within a value do not break."""
    written = catalogue_of(Language("fr"), "reports").write(english)

    assert " ".join(written.split()) == french


@pytest.mark.parametrize(
    ("parts", "english", "french"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a and b", "a et b"),
        (["B and C", format_dollars(145_700), "Total"], "B and C, $1,457 and Total", None),
    ],
)
def test_a_list_is_a_sentence(parts: list[str], english: str, french: str | None) -> None:
    """A name in a list stays as it is; amounts are translated."""
    made = listing(parts)
    written = catalogue_of(Language("fr"), "reports").write(tr("{list}", list=made))

    assert made == english
    assert " ".join(written.split()) == (
        french if french is not None else "B and C, 1 457 $ US et Total"
    )
