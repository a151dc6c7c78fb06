"""The content fields: broken rules are named, and typed values are parsed by their form."""

from datetime import date
from typing import Any

import pytest

from jara.domain.content.fields import Field, Form, parse_value
from jara.domain.content.kinds import kind_of
from jara.domain.errors import InvalidInput, NotFound
from jara.records.content import ContentItem
from jara.services.content import add_item, edit_item, import_items, show_item
from jara.services.context import Context
from tests.services.content.content_documents import WELLS


def test_amounts_have_a_text_for_the_page(context: Context) -> None:
    """If a document has only the amount in cents, the site shows whole dollars."""
    item = add_item(
        context, "donations", {"id": "a", "code": "TZ", "title": "Roof", "amountCents": 809_000}
    )

    assert isinstance(item, ContentItem)
    assert item.doc["amount"] == "$8,090"


@pytest.mark.parametrize("shown", ["$8,091", "$8,090.50", "1e3", "NaN", "80.900", "٣", "-0"])
def test_the_text_shows_the_amount_that_is_added_up(context: Context, shown: str) -> None:
    """A document whose text shows another amount than its cents is refused."""
    document = {"id": "a", "code": "TZ", "title": "Roof", "amountCents": 809_000}

    with pytest.raises(InvalidInput, match="The donation 'a': ") as refused:
        add_item(context, "donations", {**document, "amount": shown})
    assert f"'{shown}'" in refused.value.message
    add_item(context, "donations", {**document, "amount": "$8,090.00"})
    assert show_item(context, "donations", "a").doc["amount"]


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("faqs", {"questoin": "?"}, "has the unknown key 'questoin'"),
        ("faqs", {"question": 5}, "'question' of the question 'x' is 5; it must be a text"),
        ("faqs", {"onHome": "yes"}, "'onHome' of the question 'x' is 'yes'; it must be true"),
        ("faqs", {"question": " "}, "'question' of the question 'x' is empty"),
        ("faqs", {"id": "No Slug"}, "'No Slug' is not a slug"),
        ("faqs", {"published": "no"}, "it must be true or false"),
        ("regions", {"status": "Perhaps"}, "must be one of Active, Partial, Not yet"),
        ("events", {"date": "soon"}, "is 'soon'; write a day"),
        ("events", {"endDate": "2026-01-01"}, "ends on 2026-01-01"),
        ("donations", {"amountCents": "10"}, "is '10'; it must be a whole number"),
        ("donations", {"amountCents": True}, "is True; it must be a whole number"),
        ("donations", {"amountCents": 10**15}, "must be a whole number"),
        ("donations", {"account": "roads"}, "'roads' is not an account"),
        ("donations", {"amountCents": 0}, "it must be at least 1"),
        ("donations", {"code": "Gahna"}, "did you mean Ghana"),
        ("faqs", {"answer": " "}, "is empty"),
        ("faqs", {"answer": "\0"}, "cannot be stored"),
        ("events", {"link": "javascript:x"}, "'link' of the event 'x' is 'javascript:x'"),
        ("events", {"place": "x" * 20_001}, "at most 20000"),
        ("projects", {"progress": -1}, "it must be at least 0"),
        ("projects", {"progress": 101}, "it must be at most 100"),
        ("projects", {"location": "Tanzanai"}, "'location' of the project: 'Tanzanai' is not"),
        ("projects", {"story": "x" * 200_001}, "at most 200000"),
        ("projects", {"milestones": "none"}, "must be a list of items"),
        ("projects", {"milestones": ["a"]}, "must be a list of items"),
        ("projects", {"milestones": [{"id": "a"}]}, "item 1 in 'milestones' of the project"),
        ("projects", {"updates": "none"}, "'updates' of the project 'x' must be a list"),
        ("projects", {"updates": ["none"]}, "'updates' of the project 'x' must be a list"),
    ],
)
def test_a_content_error_names_item_key_and_value(
    context: Context, kind: str, change: dict[str, Any], message: str
) -> None:
    """The message names the item, the key and the value."""
    valid: dict[str, dict[str, Any]] = {
        "faqs": {"id": "x", "question": "Why?", "answer": "Because."},
        "regions": {"id": "x", "name": "Africa", "status": "Active"},
        "events": {"id": "x", "title": "Meeting", "date": "2026-12-05"},
        "donations": {"id": "x", "slug": "x", "code": "TZ", "title": "Roof", "amountCents": 10},
        "projects": {**WELLS, "id": "x", "slug": "x"},
    }
    with pytest.raises(InvalidInput) as refused:
        import_items(context, kind, [{**valid[kind], **change}])

    assert message in str(refused.value)


def test_a_choice_is_understood_in_any_case(context: Context) -> None:
    """A choice is stored in the spelling of its list."""
    item = {"id": "africa", "name": "Africa", "status": "not YET"}

    add_item(context, "regions", item)
    assert show_item(context, "regions", "africa").doc["status"] == "Not yet"


def test_milestones_say_when_they_were_done(context: Context) -> None:
    """A completed milestone without its own day of completion takes its date."""
    steps = [
        {"id": "a", "date": date(2026, 3, 1), "title": "A", "costCents": 0, "completed": True},
        {
            "id": "b",
            "date": "2026-04-01",
            "title": "B",
            "costCents": 5,
            "completedOn": "2026-04-09",
        },
        {
            "id": "c",
            "date": "2026-05-01",
            "title": "C",
            "costCents": 5,
            "completed": False,
            "completedOn": "2026-05-01",
        },
    ]
    item = add_item(context, "projects", {**WELLS, "milestones": steps})
    assert isinstance(item, ContentItem)
    made = item.doc["milestones"]

    assert [m.get("completedOn") for m in made] == ["2026-03-01", "2026-04-09", None]
    assert [m["completed"] for m in made] == [True, True, False]
    with pytest.raises(InvalidInput, match="Two milestones have the id 'a'"):
        edit_item(context, "projects", "wells", {"milestones": [steps[0], steps[0]]})


def test_lists_of_texts_hold_texts(context: Context) -> None:
    """A list of texts rejects other values; a milestone's images must be links."""
    step = {"id": "a", "date": "2026-03-01", "title": "A", "costCents": 0}
    for images, message in (
        ("one.jpg", "must be a list of texts"),
        ([5], "is 5; it must be"),
        (["x"], "is 'x'; write"),
    ):
        with pytest.raises(InvalidInput, match=message):
            add_item(context, "projects", {**WELLS, "milestones": [{**step, "images": images}]})


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (Form.TEXT, "Why?", "Why?"),
        (Form.TEXT, "", None),
        (Form.HTML, "<p>", "<p>"),
        (Form.DAY, "2026-01-01", "2026-01-01"),
        (Form.TIME, "18:30", "18:30"),
        (Form.CENTS, "809000", 809_000),
        (Form.COUNT, "-5", -5),
        (Form.FLAG, "true", True),
        (Form.FLAG, "false", False),
    ],
)
def test_typed_values_are_read_by_the_form_of_their_key(
    form: Form, text: str, value: object
) -> None:
    """A number on the command line becomes a number in the document."""
    assert parse_value(Field("key", form), text) == value


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Form.CENTS, "10.50"),
        (Form.COUNT, "9" * 16),
        (Form.FLAG, "yes"),
        (Form.URLS, "a"),
        (Form.ITEMS, "a"),
    ],
)
def test_typed_values_of_another_form_are_refused(form: Form, text: str) -> None:
    """A value that cannot be typed on the command line must come from a file."""
    with pytest.raises(InvalidInput, match="'key' is"):
        parse_value(Field("key", form), text)


def test_kinds_and_keys_that_do_not_exist_are_named() -> None:
    """The message lists what there is."""
    with pytest.raises(NotFound, match="no content 'recipes'; the kinds are projects"):
        kind_of("recipes")
    with pytest.raises(InvalidInput, match="A question has no key 'colour'"):
        kind_of("faqs").field("colour")
    assert kind_of("faqs").field("question").name == "question"
