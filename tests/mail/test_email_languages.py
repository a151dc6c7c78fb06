"""Translated emails are complete, have the same values and no English words."""

import json
import re
from importlib.resources import files
from typing import Any

import pytest
from jinja2 import nodes

from jara.domain.email_kinds import KINDS
from jara.domain.language import ENGLISH, Language
from jara.languages import read_text, translated_languages
from jara.mail.rendering import build_message, preview, render, sample_values
from jara.mail.templating import templates_of
from tests.languages.english_left import english_words
from tests.mail.emails_for_tests import IDENTITY, SITE, make_email

FRENCH = Language("fr")
PARTS = ("_footer", "_greeting", "_passkeys", "_share", "_split")
SPARED = {"greeting", "firstname", "consequence", "day"}
"""Names that a translation may or may not use: the greeting and sentence helpers."""
WRITTEN = {
    *("alt", "author", "brief", "description", "milestone", "note", "place"),
    *("project", "text", "title", "to", "subject", "markdown"),
}
"""Values that operators write."""
PLURAL_WITH_AMOUNT = (
    r"(?:vos|les) \{\{ [\w.]*Cents|\| (?:money|dollars) \}\} (?:ont|sont|vont|\w+(?:[éu]s|ent))\b"
)
PAIRS = [(language, kind) for language in translated_languages() for kind in sorted(KINDS)]


def values_in(language: Language, name: str) -> set[str]:
    """Return the values that a translated template uses."""
    templates = templates_of(language)
    assert templates.loader is not None
    source, *_ = templates.loader.get_source(templates, f"{name}.txt")
    tree = templates.parse(source)
    return {node.name for node in tree.find_all(nodes.Name)} - SPARED - {"loop", "map"}


def in_french(value: Any, name: str = "") -> Any:
    """Return sample values with each text that an operator writes in French."""
    if isinstance(value, dict):
        return {key: in_french(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [in_french(part, name) for part in value]
    return "Ruches" if name in WRITTEN else value


@pytest.mark.parametrize("language", translated_languages())
def test_a_language_has_every_email(language: Language) -> None:
    """Each language has the same emails as English, with footer and greeting."""
    folder = files("jara.languages") / language / "emails"

    assert {f"{name}.txt" for name in (*KINDS, *PARTS)} == {
        entry.name for entry in folder.iterdir()
    }


@pytest.mark.parametrize("language", translated_languages())
def test_a_language_says_what_each_kind_is_about(language: Language) -> None:
    """One sentence for each kind, in the order of the declarations, with no English in it."""
    texts = json.loads(read_text(language, "email_kinds.json"))

    assert list(texts) == list(KINDS)
    assert {name: text for name, text in texts.items() if english_words(text)} == {}


@pytest.mark.parametrize(("language", "name"), [*PAIRS, *((FRENCH, part) for part in PARTS)])
def test_an_email_has_the_same_values_in_each_language(language: Language, name: str) -> None:
    """Every translation has the same amounts, days and links."""
    assert values_in(ENGLISH, name) == values_in(language, name)


@pytest.mark.parametrize("name", [*sorted(KINDS), *PARTS])
def test_french_agrees_with_amounts(name: str) -> None:
    """Words that are plural with an amount come from a filter, which knows the amount."""
    templates = templates_of(FRENCH)
    assert templates.loader is not None
    source, *_ = templates.loader.get_source(templates, f"{name}.txt")

    assert re.findall(PLURAL_WITH_AMOUNT, source) == []


@pytest.mark.parametrize(
    ("cents", "said"),
    [
        (59, "0,59\xa0$\xa0US versé à Ruches"),
        (150, "1,50\xa0$\xa0US versé à Ruches"),
        (200, "2,00\xa0$\xa0US versés à Ruches"),
    ],
)
def test_an_amount_below_two_is_singular_in_french(cents: int, said: str) -> None:
    """As in 1,50 $ versé; from two on it is plural."""
    values = {**make_email("payout").doc, "amountCents": cents, "project": "Ruches"}
    email = render("payout", {**values, "language": FRENCH}, IDENTITY)

    assert email.subject == said


@pytest.mark.parametrize("name", [*sorted(KINDS), *PARTS])
def test_french_marks_stay_with_their_word(name: str) -> None:
    """A no-break space comes before : ; ? ! and », and after «."""
    templates = templates_of(FRENCH)
    assert templates.loader is not None
    source, *_ = templates.loader.get_source(templates, f"{name}.txt")
    words = "".join(text for _, kind, text in templates.lex(source) if kind == "data")

    assert re.findall(r".{0,20}(?: [:;?!»]|« ).{0,20}", words) == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_no_english_is_left(kind: str) -> None:
    """Subject, text and footer are translated."""
    values = {"sandbox": "yes", "stopUrl": f"{SITE}/stop-pledge?code=1"}
    sample = in_french(sample_values(kind, organisation="Jara", site_url=SITE))
    email = render(kind, {**sample, **values, "language": FRENCH}, IDENTITY)
    text = f"{email.subject}\n{email.text}".replace(IDENTITY.postal_address, "")

    assert english_words(text) == []
    assert not {"{{", "%}", "$10", "November"} & set(text.split())
    assert '<html lang="fr">' in email.html


def test_amounts_and_days_are_as_the_language_writes_them() -> None:
    """Amounts have no-break spaces; dates have the weekday and use the member's time zone."""
    receipt = preview("receipt", IDENTITY, "Jara", SITE, FRENCH)
    reminder = preview("vote_reminder", IDENTITY, "Jara", SITE, FRENCH)

    assert receipt.subject == "Reçu pour votre paiement de 10,00\xa0$\xa0US"
    assert "le 20 novembre 2026" in receipt.text
    assert "lundi 30 novembre 2026 à 18 h 59 HNE" in reminder.subject
    assert "3\xa0600\xa0$\xa0US" in reminder.text


@pytest.mark.parametrize(("language", "told"), [("en", "1,864"), ("fr", "1\xa0864")])
def test_counts_are_grouped(language: str, told: str) -> None:
    """A count is written like an amount of as many digits."""
    sample = sample_values("vote_result", organisation="Jara", site_url=SITE)

    text = render("vote_result", {**sample, "roll": 1864, "language": language}, IDENTITY).text

    assert told in text


def test_every_attempt_after_a_failed_charge_is_named() -> None:
    """One sentence lists the days; the last attempt has its own."""
    values = sample_values("charge_failed", organisation="Jara", site_url=SITE)
    first = render("charge_failed", {**values, "language": "fr"}, IDENTITY).text
    last = {**values, "attempts": ["2026-12-11"], "restsOn": "", "language": "fr"}

    assert "le 27 novembre 2026, le 4 décembre 2026 et le 11 décembre 2026." in first
    assert "un dernier essai le 11 décembre 2026" in render("charge_failed", last, IDENTITY).text
    assert "one last time on 11 December 2026. You can vote again" in (
        render("charge_failed", {**last, "language": "en"}, IDENTITY).text
    )


@pytest.mark.parametrize(
    ("language", "due", "told"),
    [
        ("en", {}, "You won't be charged anything more this month."),
        ("en", {"isByCard": False}, "If you have a standing order, please change it at your bank"),
        ("en", {"dueCents": 1000}, "The payment that did not go through stays at $10."),
        ("fr", {}, "Rien de plus ne vous sera prélevé ce mois-ci."),
        ("fr", {"dueCents": 1000}, "Le paiement qui n’est pas passé reste de 10\xa0$\xa0US."),
    ],
)
def test_another_amount_does_not_change_an_open_charge(
    language: str, due: dict[str, int], told: str
) -> None:
    """The email of a change says what is taken next, in a paragraph of its own."""
    values = {**sample_values("amount_changed", organisation="Jara", site_url=SITE), **due}

    text = render("amount_changed", {**values, "language": language}, IDENTITY).text

    assert told in text.split("\n\n")[1]


def test_an_unknown_language_is_english() -> None:
    """A member's language may have no texts yet."""
    message = build_message(make_email(values={"language": "xx"}), IDENTITY)

    assert message["Content-Language"] == "en"
    assert message["Subject"].startswith("Receipt for your payment of $10.00")
    assert (
        build_message(make_email(values={"language": "fr"}), IDENTITY)["Content-Language"] == "fr"
    )
