"""The words of a vote rule: the same on the server and on the website, in every language."""

import json

import pytest

from jara.domain.language import ENGLISH, Language
from jara.domain.voting import tally
from jara.domain.voting.tally import Measure, Share, VoteRule, absent_words, passes_words
from jara.languages import read_text, writer_of
from tests.pages.architecture import ROOT

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
