"""Content in several languages: checked, read in a language, kept, and known to be old."""

from typing import Any

import pytest

from jara.domain.content.fields import Field, Form
from jara.domain.content.kinds import KINDS
from jara.domain.content.translations import describe_translations, text_fields
from jara.domain.errors import InvalidInput
from jara.domain.language import ENGLISH, Language
from jara.records.content import ContentItem
from jara.services.content import (
    add_item,
    edit_item,
    export_items,
    import_items,
    list_items,
    remove_item,
)
from jara.services.context import Context
from tests.services.operations.doctor import found, look

FRENCH = Language("fr")
FAQ = {
    "id": "why",
    "question": "Why?",
    "answer": "Because.",
    "fr": {"question": "Pourquoi\u202f?", "answer": "Parce que."},
}
PROJECT: dict[str, Any] = {
    "id": "wells",
    "title": "Wells",
    "status": "Planning",
    "category": "water",
    "summary": "Clean water.",
    "story": "<p>Water.</p>",
    "milestones": [
        {"id": "survey", "date": "2026-03-12", "title": "Survey", "costCents": 100},
        {"id": "well", "date": "2026-05-30", "title": "Well", "costCents": 200},
    ],
    "fr": {
        "title": "Puits",
        "story": "<p>Eau.</p>",
        "milestones": [{"id": "well", "title": "Puits"}],
    },
}


def only(context: Context, kind: str) -> ContentItem:
    """Return the only item of a kind."""
    (item,) = list_items(context, kind)
    return item


def old(context: Context, kind: str = "faqs") -> str:
    """Return what the lists say of the translations of the only item of a kind."""
    return describe_translations(KINDS[kind].fields, only(context, kind).doc)


def test_translatable_texts_follow_from_the_fields() -> None:
    """A field with words may be; names, codes, references and choices may not."""
    keys = {kind.name: [one.name for one in text_fields(kind.fields)] for kind in KINDS.values()}

    assert keys == {
        "projects": [
            *("title", "completion", "summary", "story"),
            *("milestones", "measures", "measurements"),
        ],
        "grants": ["name", "project", "description", "location"],
        "donations": ["title"],
        "updates": ["title", "author", "content", "place"],
        "events": ["title", "place", "description"],
        "team": ["role"],
        "faqs": ["question", "answer"],
        "roadmap": ["title", "description"],
        "regions": ["name"],
        "claims": ["figure", "label"],
    }
    assert text_fields([Field("altitude", Form.COUNT), Field("motto")]) == (Field("motto"),)


def test_a_reader_gets_texts_in_their_language_with_the_originals(context: Context) -> None:
    """What has no translation stays; milestones are matched by their ids."""
    add_item(context, "projects", PROJECT)
    item = only(context, "projects")
    french, english = item.read_in(FRENCH), item.read_in(ENGLISH)

    assert (french["title"], french["summary"], french["slug"]) == (
        "Puits",
        "Clean water.",
        "wells",
    )
    assert french["original"] == {"title": "Wells", "story": "<p>Water.</p>"}
    assert [one["title"] for one in french["milestones"]] == ["Survey", "Puits"]
    assert french["milestones"][1]["original"] == {"title": "Well"}
    assert french["language"] == english["language"] == "en"
    assert (english["title"], "original" in english, "fr" in english) == ("Wells", False, False)


def test_an_item_may_be_written_in_another_language(context: Context) -> None:
    """Then English is one of its translations, and the default of no reader."""
    document = {"id": "puits", "question": "Pourquoi\u202f?", "answer": "Parce que."}
    add_item(context, "faqs", {**document, "language": "fr", "en": {"question": "Why?"}})
    item = only(context, "faqs")

    assert item.read_in(FRENCH)["question"] == "Pourquoi\u202f?"
    assert item.read_in(ENGLISH)["question"] == "Why?"
    assert item.read_in(ENGLISH)["original"] == {"question": "Pourquoi\u202f?"}
    assert item.read_in(ENGLISH)["language"] == "fr"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"de": {"question": "Warum?"}}, "no language 'de'; its languages are en, fr"),
        ({"language": "de"}, "no language 'de'"),
        ({"fr": {"onHome": True}}, "'onHome'; the keys are question, answer"),
        ({"fr": {"title": "x"}}, "'fr' of the question 'why' has the unknown key 'title'"),
        ({"fr": {"question": 5}}, "'question' of the 'fr' of the question 'why' is 5"),
        ({"fr": {"question": "x" * 201}}, "has 201 characters; at most 200"),
        ({"fr": {"answer": " "}}, "'answer' in 'fr' of the question 'why' is empty; write"),
        ({"fr": "Pourquoi"}, "'fr' of the question 'why' is 'Pourquoi'; write keys"),
        ({"en": {"question": "Why?"}}, "is written in 'en' and has 'en'"),
        ({"fra": "Pourquoi"}, "unknown key 'fra'"),
    ],
)
def test_a_wrong_translation_is_refused(
    context: Context, changes: dict[str, Any], message: str
) -> None:
    """The message names the value and the rule."""
    with pytest.raises(InvalidInput, match=message):
        add_item(context, "faqs", {**FAQ, **changes})


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"completion": "2027"}, "'completion' in 'fr' of the project 'wells' translates a text"),
        ({"milestones": [{"id": "x", "title": "X"}]}, "has the id 'x'; write each of survey, well"),
        ({"milestones": [{"id": "well"}, {"id": "well"}]}, "has the id 'well'; write each"),
        ({"milestones": [{"title": "X"}]}, "has no 'id'"),
    ],
)
def test_a_translation_needs_its_original(
    context: Context, texts: dict[str, Any], message: str
) -> None:
    """A translation of nothing is a mistake."""
    with pytest.raises(InvalidInput, match=message):
        add_item(context, "projects", {**PROJECT, "fr": texts})


def test_exported_and_imported_again_nothing_changes(context: Context) -> None:
    """Files have the translations; right-to-left and other scripts stay as they are."""
    arabic = {
        "question": "\u0644\u0645\u0627\u0630\u0627\u061f",
        "answer": "a \u200f\u0644\u0623\u0646",
    }
    import_items(context, "faqs", [{**FAQ, "fr": arabic}])
    exported = export_items(context, "faqs")

    assert exported == [{**FAQ, "fr": arabic}]
    assert import_items(context, "faqs", exported).unchanged == 1


def test_a_file_without_translations_leaves_them(context: Context) -> None:
    """An older export removes no translation, except of what it no longer has."""
    import_items(context, "projects", [PROJECT])
    plain = {key: value for key, value in PROJECT.items() if key not in {"fr", "story"}}
    import_items(context, "projects", [{**plain, "milestones": plain["milestones"][:1]}])

    assert export_items(context, "projects")[0]["fr"] == {"title": "Puits"}
    import_items(context, "projects", [{**plain, "fr": None}])
    assert "fr" not in export_items(context, "projects")[0]


def test_texts_in_a_language_change_one_by_one(context: Context) -> None:
    """None removes a text; without texts the language is gone."""
    add_item(context, "faqs", FAQ)
    edit_item(context, "faqs", "why", {"answer": "Car."}, language=FRENCH)
    assert only(context, "faqs").doc["fr"] == {"question": "Pourquoi\u202f?", "answer": "Car."}

    edit_item(context, "faqs", "why", {"question": "Why not?"}, language=ENGLISH)
    assert only(context, "faqs").doc["question"] == "Why not?"

    edit_item(context, "faqs", "why", {"answer": None, "question": None}, language=FRENCH)
    assert "fr" not in only(context, "faqs").doc


def test_a_changed_original_makes_its_translation_old(context: Context) -> None:
    """Lists and the doctor say so, until it is translated again or found to fit."""
    add_item(context, "faqs", FAQ)
    assert (old(context), found(look(context), "translations")[1]) == (
        "fr",
        "No text changed after it was translated.",
    )
    edit_item(context, "faqs", "why", {"answer": "Because of it."})

    assert old(context) == "fr (older than the original: answer)"
    assert only(context, "faqs").read_in(FRENCH)["answer"] == "Parce que."
    assert found(look(context), "translations")[1] == (
        "Texts that changed after they were translated: 1 item, see `jara faqs show why`."
    )
    edit_item(context, "faqs", "why", {"question": "Et pourquoi\u202f?"}, language=FRENCH)
    assert old(context) == "fr (older than the original: answer)"
    edit_item(context, "faqs", "why", {}, language=FRENCH, checked=True)
    assert old(context) == "fr"
    edit_item(context, "faqs", "why", {"answer": "Because, then."})
    edit_item(context, "faqs", "why", {"answer": "Parce que, donc."}, language=FRENCH)
    assert old(context) == "fr"


def test_only_words_make_a_translation_old(context: Context) -> None:
    """A completed milestone needs no new translation, a renamed one does."""
    add_item(context, "projects", PROJECT)
    survey, well = PROJECT["milestones"]
    done = {**well, "completed": True}
    edit_item(context, "projects", "wells", {"milestones": [survey, done]})
    assert old(context, "projects") == "fr"

    edit_item(context, "projects", "wells", {"milestones": [survey, {**done, "title": "Deep"}]})
    assert old(context, "projects") == "fr (older than the original: milestones)"


def test_a_removed_item_takes_its_translations_along(context: Context) -> None:
    """An item of that name that comes later has none."""
    add_item(context, "faqs", FAQ)
    remove_item(context, "faqs", "why")
    add_item(context, "faqs", {"id": "why", "question": "Why?", "answer": "Because."})

    assert "fr" not in only(context, "faqs").doc
