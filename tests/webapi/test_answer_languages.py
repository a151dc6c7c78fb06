"""Success messages, the feed and the calendar are in the reader's language."""

import ast
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.domain.language import Language
from jara.languages import read_text, translated_languages
from jara_webapi.calls.languages import ANSWERS
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


def test_the_feed_speaks_the_language_of_its_reader(desk: Desk) -> None:
    """The feed is in the reader's language, also if another language was cached before."""
    desk.join()
    desk.open_vote(title="Wells, pumps; & more")
    english = [desk.get("/feed.xml") for _ in range(2)]
    french = [desk.get("/feed.xml", headers=FRENCH) for _ in range(2)]
    french.append(desk.get("/feed.xml", query_string="lang=fr"))

    for answer in english:
        assert "Vote open: Wells, pumps; & more" in titles(answer.text)
    for answer in french:
        assert "Vote ouvert\u202f: Wells, pumps; & more" in titles(answer.text)
        assert 'xml:lang="fr"' in answer.text
        assert answer.headers["content-language"] == "fr"
        assert answer.headers["vary"].startswith("Accept-Language")


def test_the_calendar_speaks_the_language_of_its_reader(desk: Desk) -> None:
    """The language comes from the calendar program's header or from the address."""
    desk.join()
    desk.open_vote(slug="wells", title="Wells")
    texts = [
        desk.get("/votes.ics", headers=FRENCH).text,
        desk.get("/votes.ics", query_string="lang=fr").text,
        desk.get("/votes.ics").text,
    ]

    for text, ends in zip(
        texts, ("Fin du vote\u202f:", "Fin du vote\u202f:", "Vote ends:"), strict=True
    ):
        assert f"SUMMARY:{ends} Wells\r\n" in text
    assert "NAME:Votes et événements de Jara\r\n" in texts[0]


def titles(text: str) -> list[str | None]:
    """Return the titles of a feed."""
    return [
        title.text
        for title in ET.fromstring(text).iter(  # noqa: S314 - our own answer
            "{http://www.w3.org/2005/Atom}title"
        )
    ]
