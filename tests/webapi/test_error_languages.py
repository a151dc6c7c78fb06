"""Errors are in the language in which a page or a browser asks, whatever the cookie says."""

import pytest

from jara.domain.language import Language
from jara_webapi.calls.languages import preferred_language, translate_error
from tests.webapi.desk import Desk


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


@pytest.mark.parametrize(
    ("header", "language"),
    [("fr;q=1.5", "en"), ("fr;q=x", "en"), ("fr;level=1", "en"), ("FR-fr", "fr"), ("fr;q=0", "en")],
)
def test_an_unreadable_language_weight_is_ignored(header: str, language: str) -> None:
    """RFC 9110 §12.4.2: weights are between 0 and 1, and 0 refuses a language."""
    assert preferred_language(header, ("en", "fr"), "en") == language


def test_the_newsletter_is_confirmed_in_the_language_of_the_page(desk: Desk) -> None:
    """The email to a subscriber is in the language of the page, because there is no account."""
    for language in ("fr", "en"):
        desk.client.simulate_post(
            "/api/newsletter",
            json={"email": f"{language}@example.org"},
            headers={"Accept-Language": language},
        )
    with desk.application.context.store.read() as work:
        asked = {one.address: one.doc["language"] for one in work.outbox.all()}

    assert asked == {"fr@example.org": "fr", "en@example.org": "en"}
