"""Messages, errors, the feed and the calendar are in the reader's language."""

import ast
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.language import Language
from jara.languages import read_text, translated_languages
from jara_webapi.calls.languages import ANSWERS, translate_error
from tests.languages.english_left import english_words
from tests.languages.templates import has_translation, templates
from tests.webapi.desk import Desk

RESOURCES = Path(__file__).parents[2] / "webapi" / "jara_webapi" / "resources"
FRENCH = {"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}
NOT_SAID = {"Received.", "Your vote has been counted."}
"""Messages for programs, and the answer to a vote, which the site words itself."""


def messages() -> Iterator[str]:
    """Yield the messages of all successful answers."""
    for path in sorted(RESOURCES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "message":
                yield from templates(node.value)


@pytest.mark.parametrize("language", translated_languages())
def test_every_message_has_a_translation(language: Language) -> None:
    """Every message has a translation in every language."""
    texts: dict[str, str] = json.loads(read_text(language, f"{ANSWERS}.json"))
    said = set(messages()) - NOT_SAID

    assert len(said) > 15
    assert {message for message in said if not has_translation(message, texts)} == set()
    assert {english: text for english, text in texts.items() if english_words(text)} == {}


def test_a_change_is_confirmed_in_the_language_of_the_reader(desk: Desk) -> None:
    """Amounts follow the language; English readers get the specified words."""
    token = desk.join()
    amount = desk.put(
        "/user/update-subscription", {"subscriptionAmount": 20}, token=token, headers=FRENCH
    )
    name = desk.put("/user/update-profile", {"firstname": "Efua"}, token=token)

    assert amount.json["message"] == "Votre contribution mensuelle est maintenant de 20\xa0$\xa0US."
    assert amount.headers["content-language"] == "fr"
    assert "Accept-Language" in amount.headers["vary"]
    assert name.json["message"] == "Your name has been changed."


def titles(text: str) -> list[str | None]:
    """Return the titles of a feed."""
    return [
        title.text
        for title in ET.fromstring(text).iter(  # noqa: S314 - our own answer
            "{http://www.w3.org/2005/Atom}title"
        )
    ]


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}, "fr"),
        ({"Accept-Language": "en;q=0.9,fr;q=0.5"}, "en"),
        ({"Accept-Language": "de, *"}, "en"),
        ({"Cookie": "lang=fr", "Accept-Language": "en"}, "en"),
        ({"Cookie": "lang=en", "Accept-Language": "fr"}, "fr"),
    ],
)
def test_a_page_asks_in_its_own_language(
    desk: Desk, headers: dict[str, str], language: str
) -> None:
    """Another tab may have set the cookie to another language; the default is English."""
    said = {"en": "Please sign in first.", "fr": "Veuillez d’abord vous connecter."}
    answer = desk.client.simulate_get("/api/user/get-profile", headers=headers)

    assert said[language] == answer.json["message"] == answer.json["error"]
    assert answer.headers["content-language"] == language
    assert answer.json["code"] == "unauthenticated"
    assert "Cookie" not in answer.headers["vary"]


def test_the_messages_of_fields_are_translated(desk: Desk) -> None:
    """Each field's message is translated; the field's name is not."""
    french = {"Accept-Language": "fr"}
    answer = desk.client.simulate_post("/api/user/login", json={"email": 1}, headers=french)

    assert answer.json["fields"] == {"email": "Il faut un texte.", "password": "Ceci manque."}
    assert "email\u202f: Il faut un texte." in answer.json["message"]


def test_a_sentence_without_translation_gets_a_general_text(desk: Desk) -> None:
    """Without a translation the message is a general one, so it is never partly English."""
    french = {"Accept-Language": "fr"}
    address = desk.client.simulate_get("/api/nothing-here", headers=french)
    card = desk.client.simulate_post("/api/sandbox/confirm", json={}, headers=french)

    assert (address.status_code, address.json["message"]) == (404, "Introuvable.")
    assert "Ceci manque." in card.json["message"]
    assert (translate_error(Language("fr"), 422, "Unheard of.", {})) == (
        "Une valeur n’est pas valable. Vérifiez ce que vous avez écrit.",
        {},
    )


def test_the_newsletter_is_confirmed_in_the_language_of_the_page(desk: Desk) -> None:
    """The email to a subscriber is in the language of the page, because there is no account."""
    for language in ("fr", "en"):
        desk.client.simulate_post(
            "/api/newsletter",
            json={"email": f"{language}@example.org"},
            headers={"Accept-Language": language},
        )
    with desk.application.context.store.read() as work:
        emails = [one for one in work.outbox.all() if one.kind == "newsletter_confirmation"]
    asked = {one.address: one.doc["language"] for one in emails}

    assert asked == {"fr@example.org": "fr", "en@example.org": "en"}
