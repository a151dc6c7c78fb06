"""Every error message that people can see on the site has a translation."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.language import Language
from jara.domain.money import format_dollars
from jara.domain.texts import tr
from jara.languages import read_text, translated_languages
from jara.languages.catalogue import catalogue_of
from tests.languages.english_left import english_words
from tests.languages.templates import has_translation, templates

ROOT = Path(__file__).parents[2]
FRENCH = Language("fr")
SLOT = re.compile(r"\{([a-z_]+)\}")
MET = (
    "src/jara/domain/giving/member.py",
    "src/jara/domain/giving/billing_day.py",
    "src/jara/domain/giving/changemaker.py",
    "src/jara/domain/giving/pledge.py",
    "src/jara/domain/voting/tally.py",
    "src/jara/domain/countries.py",
    "src/jara/domain/language.py",
    "src/jara/services/ballots",
    "src/jara/services/field/partners.py",
    "src/jara/services/field/receiving.py",
    "src/jara/services/giving",
    "src/jara/services/members",
    "src/jara/services/notices",
    "src/jara/services/idempotency.py",
    "src/jara/services/mailed_codes.py",
    "src/jara/services/rate_limits.py",
    "src/jara/payments/sandbox/cards.py",
    "src/jara/reports/pdf_writer.py",
    "src/jara/security/passkeys.py",
    "src/jara/security/passwords.py",
    "webapi/jara_webapi/calls",
    "webapi/jara_webapi/middleware/authentication.py",
    "webapi/jara_webapi/resources",
)
"""Modules whose errors members and visitors can see."""
OF_OPERATORS = frozenset(
    {
        "adopting.py",
        "coming_changes.py",
        "deaths.py",
        "electors.py",
        "importing.py",
        "returned_emails.py",
        "operators.py",
        "system.py",
        "webhooks.py",
        "openapi.py",
    }
)
"""Modules whose messages only operators and programs read."""


def modules() -> Iterator[Path]:
    """Yield the modules whose errors people can see."""
    for name in MET:
        path = ROOT / name
        found = [path] if path.is_file() else sorted(path.rglob("*.py"))
        yield from (one for one in found if one.name not in OF_OPERATORS)


def raised(path: Path) -> Iterator[str]:
    """Yield the templates of a module's errors.

    These are texts that are raised, and texts named sentence or message, or in a constant.
    """
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        texts: list[ast.expr] = []
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            texts = [*node.exc.args[:1]]
            texts += [
                v
                for k in node.exc.keywords
                if isinstance(k.value, ast.Dict)
                for v in k.value.values
            ]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id.strip("_").lower()
            if name in {
                "sentence",
                "message",
                "taken",
                "overtaken",
                "refused",
                "unknown",
                "declined",
                "not_authenticated",
                "try_later",
            }:
                texts = [node.value]
            elif name == "sentences" and isinstance(node.value, ast.Dict):
                texts = list(node.value.values)
        elif isinstance(node, ast.FunctionDef) and node.name in {"_refusal", "_sentence"}:
            texts = [r.value for r in ast.walk(node) if isinstance(r, ast.Return) and r.value]
        for text in texts:
            yield from templates(text)


NEVER_MET = frozenset(
    {
        "The country '{}' has the code {}, but the code given is '{}' ({}); correct one of them.",
        "Pledge {} is {}; exactly a past_due pledge has past_due_since.",
        "'{}' has an account already.",
        "'{}' is no reader's address; see `jara newsletter list`.",
        "Members replace their card on the website.",
        "Pledge {} is {} a month; it must be positive.",
        "The roll of {} is not sorted, or names an elector twice.",
        "{} ballots stand, but the roll has {} electors.",
        "{} has a negative count.",
        "a call for members passed without a token",
        "a call of the desk passed without a session",
        "A rule counts against the roll or the votes, not '{}'.",
        "{}/{} is not a share; it must be more than 0 and at most 1.",
        (
            "More than all is impossible, and with all of the votes one no decides; "
            "name a smaller share."
        ),
        "There is a member {} without an address already.",
        "A postal address has at most {} lines of {} characters.",
        "'{}' is not a telephone number like +1 514 555 0199.",
        "There is no address; add one first: jara members edit {} --email ADDRESS",
        "Say what changes: --passes, --of or --quorum.",
        "'{}' is not a share; write it like 20% or 1/5.",
        (
            "'{}' does not say when a vote passes; write 'more than 1/2', 'at least 1/2' or "
            "'at least 2/3', in quotes."
        ),
        "'{}' has the projects {}; say which one with --project.",
        "The link would end on {}, which is over.",
        "A name has 1 to {} characters, and no account in it.",
        (
            "There is a partner '{}' already; for another project: jara partners link \"{}\" "
            "--project PROJECT"
        ),
        "The temporary folder {} takes no file: {}.",
        "'{}' needs nobody to vouch for the address.",
        "{} waits as {}: jara approvals approve {}",
    }
)
"""Defects, and messages for operators only."""
SAID = sorted(
    {(path.name, said) for path in modules() for said in raised(path) if said not in NEVER_MET}
)


def texts_of(language: Language) -> dict[str, str]:
    """Return the error texts of a language, keyed by the English text."""
    texts: dict[str, str] = json.loads(read_text(language, "errors.json"))
    return texts


def test_sentences_are_found() -> None:
    """The search finds messages of services, forms and calls."""
    assert len(SAID) > 100


def test_each_sentence_has_a_translation() -> None:
    """Every such error is in src/jara/languages/fr/errors.json."""
    known = texts_of(FRENCH)

    assert [(module, said) for module, said in SAID if not has_translation(said, known)] == []


@pytest.mark.parametrize("language", translated_languages())
def test_translations_keep_their_values(language: Language) -> None:
    """Each placeholder of a translation is in the English text, and no English is left."""
    wrong = {
        english: text
        for english, text in texts_of(language).items()
        if not set(SLOT.findall(text)) <= set(SLOT.findall(english))
        or english_words(text.replace("Idempotency-Key", "").replace("Content-Type", ""))
    }

    assert wrong == {}


def test_every_language_has_the_same_sentences() -> None:
    """Every language has the same messages as French."""
    assert {frozenset(texts_of(language)) for language in translated_languages()} == {
        frozenset(texts_of(FRENCH))
    }


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("Not found.", "Introuvable."),
        (
            tr(
                "{amount} a month is too little; the smallest pledge is {least}.",
                amount=format_dollars(500),
                least=format_dollars(1_000),
            ),
            (
                "5\xa0$\xa0US par mois, c’est trop peu\u202f; le don mensuel minimal est de "
                "10\xa0$\xa0US."
            ),
        ),
        (
            tr(
                "Your right to vote begins with your next payment by {way}.",
                way=tr("bank transfer"),
            ),
            "Votre droit de vote commence avec votre prochain paiement par virement bancaire.",
        ),
        (
            tr(
                "The card cannot be used, enter it again: {reason}",
                reason=tr("Your card has expired."),
            ),
            (
                "La carte ne peut pas être utilisée, entrez-la de nouveau\u202f: "
                "Votre carte est expirée."
            ),
        ),
        (
            tr("The vote on '{title}' is over.", title="cash"),
            "Le vote sur «\u202fcash\u202f» est terminé.",
        ),
        ("Something nobody has translated.", None),
    ],
)
def test_values_in_a_sentence_are_translated_too(english: str, french: str | None) -> None:
    """Amounts and known words within a message follow the language; names stay as typed."""
    assert catalogue_of(FRENCH, "errors").say(english) == french
