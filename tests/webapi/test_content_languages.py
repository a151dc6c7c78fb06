"""What operators wrote is answered in the reader's language, with the original beside it."""

from typing import Any

import pytest

from jara.domain.content.kinds import KINDS
from jara.services.content import import_items
from jara.services.proposals.lifecycle import edit_proposal
from tests.webapi.desk import Desk

FRENCH = {"Accept-Language": "fr"}
ITEMS: dict[str, dict[str, Any]] = {
    "projects": {
        "id": "wells",
        "title": "Wells",
        "status": "Planning",
        "category": "water",
        "summary": "Clean water.",
        "story": "<p>Water.</p>",
        "milestones": [{"id": "m", "date": "2026-03-12", "title": "Survey", "costCents": 1}],
        "fr": {
            "title": "Puits",
            "story": "<p onclick='x()'>Eau.</p>",
            "milestones": [{"id": "m", "title": "Étude"}],
        },
    },
    "updates": {
        "id": "dry",
        "project": "wells",
        "title": "Dry",
        "author": "Neema",
        "date": "2026-03-13",
        "content": "<p>Dry.</p>",
        "fr": {"title": "À sec"},
    },
    "grants": {
        "id": "a",
        "name": "Circle",
        "project": "Fridge",
        "category": "water",
        "amountCents": 1,
        "fr": {"project": "Frigo"},
    },
    "donations": {
        "id": "d",
        "code": "TZ",
        "title": "Pipes",
        "amountCents": 1,
        "fr": {"title": "Tuyaux"},
    },
    "events": {"id": "e", "title": "Walk", "date": "2026-12-05", "fr": {"title": "Marche"}},
    "team": {
        "id": "t",
        "group": "trustees",
        "name": "Ada",
        "role": "Chair",
        "fr": {"role": "Présidente"},
    },
    "faqs": {"id": "q", "question": "Why?", "answer": "So.", "fr": {"question": "Pourquoi\u202f?"}},
    "roadmap": {"id": "r", "title": "Start", "status": "Complete", "fr": {"title": "Départ"}},
    "regions": {"id": "g", "name": "Africa", "status": "Active", "fr": {"name": "Afrique"}},
    "claims": {"id": "c", "figure": "4", "label": "lives", "fr": {"label": "vies"}},
}
CALLS = {
    "projects": "/projects",
    "updates": "/projects/wells",
    "donations": "/donations",
    "claims": "/stats",
}


@pytest.fixture(scope="module")
def told(desk: Desk) -> Desk:
    """Return an organisation with an item of each kind, and an open vote, in two languages."""
    context = desk.application.context
    for kind, document in ITEMS.items():
        import_items(context, kind, [document])
    name = desk.open_vote(title="Clean water")
    edit_proposal(
        context, name, {"title": "Eau propre"}, language=context.rules.languages[1], why="A slip."
    )
    return desk


def listed(desk: Desk, kind: str, language: str) -> dict[str, Any]:
    """Return the one item of a kind as the API answers it in a language."""
    path = CALLS.get(kind, f"/{kind}")
    answer = desk.get(path, headers={"Accept-Language": language})
    assert answer.headers["content-language"] == language
    assert answer.headers["vary"].startswith("Accept-Language")
    body = answer.json[kind] if isinstance(answer.json, dict) else answer.json
    item: dict[str, Any] = body[0]
    return item


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_answered_in_the_language_of_its_reader(told: Desk, kind: str) -> None:
    """The answer has the translation, the original of it, and the language of the rest."""
    texts = {key: text for key, text in ITEMS[kind]["fr"].items() if isinstance(text, str)}
    for _ in range(2):  # the second answer comes from the cache
        french, english = listed(told, kind, "fr"), listed(told, kind, "en")
        for key in texts.keys() & french.keys() - {"story"}:
            assert (french[key], french["original"][key]) == (texts[key], ITEMS[kind][key])
            assert english[key] == ITEMS[kind][key]
        assert {french["language"], english["language"]} == {"en"}
        assert "original" not in english
        assert "fr" not in english
        assert "translatedFrom" not in french


def test_a_project_is_translated_with_its_milestones(told: Desk) -> None:
    """HTML is cleaned in each language, and in the original."""
    project = told.get("/projects/wells", headers=FRENCH).json

    assert (project["title"], project["story"]) == ("Puits", "<p>Eau.</p>")
    assert project["summary"] == "Clean water."
    assert project["original"] == {"title": "Wells", "story": "<p>Water.</p>"}
    assert project["milestones"][0]["title"] == "Étude"
    assert project["milestones"][0]["original"] == {"title": "Survey"}
    assert told.get("/projects/Wells", headers=FRENCH).json["slug"] == "wells"


def test_proposals_are_answered_in_the_language_of_their_reader(told: Desk) -> None:
    """Members too, whose answers are not cached; the feed and the calendar as well."""
    token = told.join()
    for more in ({}, {"token": token}):
        (french,) = told.get("/user/get-proposals", headers=FRENCH, **more).json
        (english,) = told.get("/user/get-proposals", **more).json

        assert (french["title"], french["original"]) == ("Eau propre", {"title": "Clean water"})
        assert (english["title"], english["original"]) == ("Clean water", None)
        assert french["language"] == english["language"] == "en"
    assert "Eau propre" in told.get("/feed.xml", headers=FRENCH).text
    assert "À sec" in told.get("/feed.xml", query_string="lang=fr").text
    assert "Eau propre" in told.get("/votes.ics", headers=FRENCH).text
    assert "Eau propre" not in told.get("/feed.xml").text


def test_reports_name_projects_in_the_language_of_their_reader(told: Desk) -> None:
    """The impact report has the titles of the reader."""
    titles = [
        [one["title"] for one in told.get("/impact", headers={"Accept-Language": each}).json[part]]
        for each in ("en", "fr")
        for part in ("projects", "proposals")
    ]

    assert titles == [["Wells"], ["Clean water"], ["Puits"], ["Eau propre"]]
