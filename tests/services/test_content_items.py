"""Content: what operators write is checked, kept with its history, and moved in files."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.services.content import (
    ImportResult,
    add_item,
    document_of,
    edit_item,
    export_items,
    import_items,
    list_items,
    publish_item,
    show_item,
)
from jara.services.content_fields import Field, Form, parse_value
from jara.services.content_kinds import KINDS, kind_of
from jara.services.context import Context
from tests.harness import DATA, clock_of, make_organisation

FAQ = {"id": "why", "question": "Why?", "answer": "Because."}
WELLS: dict[str, Any] = {
    "id": "wells",
    "title": "Village wells",
    "status": "Planning",
    "category": "water",
}


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Return a founded organisation."""
    return make_organisation(tmp_path)


def shipped(kind: str) -> list[dict[str, Any]]:
    """Return the documents of a file of data/."""
    documents: list[dict[str, Any]] = yaml.safe_load((DATA / f"{kind}.yaml").read_text("utf-8"))
    return documents


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "updates"])
def test_what_was_exported_and_imported_again_changes_nothing(
    context: Context, tmp_path: Path, kind: str
) -> None:
    """Files move content back and forth without a loss (contract, 'Files')."""
    first = import_items(context, kind, shipped(kind))
    exported = export_items(context, kind)
    again = import_items(context, kind, exported)
    other = make_organisation(tmp_path / "other")
    import_items(other, kind, exported)

    assert first.added == first.read
    assert (0, 0, len(exported)) == (again.added, again.changed, again.unchanged)
    assert exported == export_items(other, kind)
    assert len(shipped(kind)) == len(exported)


def test_projects_bring_their_updates(context: Context) -> None:
    """News in a project's file become updates of that project, marked as it is."""
    projects = shipped("projects")
    count = sum(len(project["updates"]) for project in projects)
    result = import_items(context, "projects", projects)
    updates = export_items(context, "updates")

    assert len(projects) + count == result.added
    assert count == len(updates)
    assert {"clean-water-boreholes"} == {u["project"] for u in updates[:2]}
    assert all(update["sample"] for update in updates)
    assert result.read == import_items(context, "projects", shipped("projects")).unchanged


def test_a_file_is_taken_over_whole_or_not_at_all(context: Context) -> None:
    """The last item is wrong, so the first is not there either."""
    with pytest.raises(InvalidInput, match="question 'how' has no 'answer'"):
        import_items(context, "faqs", [FAQ, {"id": "how", "question": "How?"}])

    assert [] == list_items(context, "faqs")


def test_an_import_that_brings_nothing_new_leaves_no_trace(context: Context) -> None:
    """History and audit hold changes alone."""
    import_items(context, "faqs", [FAQ])
    import_items(context, "faqs", [FAQ])
    with context.store.read() as work:
        assert 1 == len(work.content.history("faqs"))
        assert ["faqs.add"] == [row.action for row in work.operations.audit()]


def test_the_order_of_a_file_is_the_order_of_the_site(context: Context) -> None:
    """Known items trade the places they have, new ones come where the file has them."""
    a, b, c = ({"id": i, "name": i.upper(), "status": "Active"} for i in "abc")
    import_items(context, "regions", [a, b])
    import_items(context, "regions", [b, c, a])
    assert ["b", "c", "a"] == [item.id for item in list_items(context, "regions")]

    import_items(context, "regions", [{**c, "status": "Partial"}])
    assert ["b", "c", "a"] == [item.id for item in list_items(context, "regions")]


def test_what_is_added_is_public_once_it_is_published(context: Context) -> None:
    """A draft is seen by operators alone, and an import leaves that as it is."""
    item = add_item(context, "faqs", FAQ)
    assert [] == list_items(context, "faqs", published_only=True)
    assert False is document_of(item)["published"]
    import_items(context, "faqs", [FAQ])
    assert not show_item(context, "faqs", "why").published

    publish_item(context, "faqs", "why")
    assert ["why"] == [one.id for one in list_items(context, "faqs", published_only=True)]
    assert "published" not in export_items(context, "faqs")[0]
    publish_item(context, "faqs", "why", published=False)
    assert ImportResult(1, 0, 1, 0) == import_items(context, "faqs", [{**FAQ, "published": True}])
    assert show_item(context, "faqs", "why").published


def test_a_change_keeps_the_other_keys_and_the_state_before(context: Context) -> None:
    """Reports of an earlier day need what was said then."""
    add_item(context, "projects", {**WELLS, "location": "TZ"}, published=True)
    before = context.now()
    clock_of(context).set(before + timedelta(days=1))
    edit_item(context, "projects", "village", {"status": "Complete", "location": None})

    assert {"status": "Complete", "title": "Village wells"}.items() <= dict(
        show_item(context, "projects", "wells").doc
    ).items()
    assert "location" not in show_item(context, "projects", "wells").doc
    with context.store.read() as work:
        assert [("Planning", before), ("Complete", context.now())] == [
            (change.item.doc["status"], change.at) for change in work.content.history("projects")
        ]
        assert ["location", "status"] == work.operations.audit()[-1].after["changed"]


def test_a_new_project_gets_slug_and_account_from_its_title(context: Context) -> None:
    """What follows from the title need not be written."""
    document = {key: value for key, value in WELLS.items() if key != "id"}
    item = add_item(context, "projects", {**document, "sample": False})

    assert ("village-wells", "village-wells") == (item.id, item.slug)
    assert "expenses:projects:village-wells" == item.doc["account"]
    assert "sample" not in item.doc


def test_amounts_have_a_text_for_the_page(context: Context) -> None:
    """Where a file says cents alone, the site shows whole dollars."""
    item = add_item(
        context, "donations", {"id": "a", "code": "TZ", "title": "Roof", "amountCents": 809_000}
    )

    assert "$8,090" == item.doc["amount"]


@pytest.mark.parametrize("shown", ["$8,091", "$8,090.50", "1e3", "NaN", "80.900", "٣", "-0"])
def test_the_text_shows_the_amount_that_is_added_up(context: Context, shown: str) -> None:
    """A page whose rows say one thing and whose sum says another is never published."""
    document = {"id": "a", "code": "TZ", "title": "Roof", "amountCents": 809_000}

    with pytest.raises(InvalidInput, match="The donation 'a': ") as refused:
        add_item(context, "donations", {**document, "amount": shown})
    assert f"'{shown}'" in refused.value.message
    assert add_item(context, "donations", {**document, "amount": "$8,090.00"}).doc["amount"]


def test_names_that_are_taken_are_refused(context: Context) -> None:
    """An id stands for one item, and a slug for one page and one account."""
    add_item(context, "projects", {**WELLS, "slug": "wells"})
    with pytest.raises(Conflict, match="a project 'wells' already"):
        add_item(context, "projects", WELLS)
    with pytest.raises(Conflict, match="'wells' has the slug 'wells' already"):
        add_item(context, "projects", {**WELLS, "id": "other", "slug": "wells"})
    with pytest.raises(Conflict, match="cannot become 'fountains'"):
        edit_item(context, "projects", "wells", {"slug": "fountains"})
    with pytest.raises(InvalidInput, match="question 'why' stands twice"):
        import_items(context, "faqs", [FAQ, FAQ])


def test_an_update_is_of_a_project_that_exists(context: Context) -> None:
    """News belong to one project and stay there."""
    update = {
        "id": "u1",
        "project": "village-wells",
        "title": "Water",
        "author": "Asha",
        "date": "2026-10-01",
        "content": "<p>Clear.</p>",
    }
    with pytest.raises(NotFound, match="'village-wells', which is none"):
        add_item(context, "updates", update)
    add_item(context, "projects", WELLS)
    add_item(context, "projects", {**WELLS, "id": "roof", "title": "Roof"})
    add_item(context, "updates", update)
    edit_item(context, "updates", "u1", {"title": "Water at last"})
    with pytest.raises(Conflict, match="of the project 'village-wells' already"):
        import_items(
            context, "projects", [{**WELLS, "id": "roof", "title": "Roof", "updates": [update]}]
        )


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("faqs", {"questoin": "?"}, "has the key 'questoin', which nothing reads"),
        ("faqs", {"question": 5}, "'question' of the question 'x' is 5; it must be a text"),
        ("faqs", {"onHome": "yes"}, "'onHome' of the question 'x' is 'yes'; it must be true"),
        ("faqs", {"question": " "}, "The question is empty"),
        ("faqs", {"id": "No Slug"}, "'No Slug' is no slug"),
        ("faqs", {"published": "no"}, "it must be true or false"),
        ("regions", {"status": "Perhaps"}, "must be one of Active, Partial, Not yet"),
        ("events", {"date": "soon"}, "is 'soon'; write a day"),
        ("events", {"date": 5}, "is 5; write a day"),
        ("events", {"endDate": "2026-01-01"}, "ends on 2026-01-01"),
        ("donations", {"amountCents": "10"}, "is '10'; it must be a whole number"),
        ("donations", {"amountCents": True}, "is True; it must be a whole number"),
        ("donations", {"amountCents": 10**15}, "must be a whole number"),
        ("donations", {"slug": "a b"}, "'a b' is no slug"),
        ("donations", {"account": "roads"}, "'roads' is no account"),
        ("projects", {"milestones": "none"}, "must be a list of items"),
        ("projects", {"milestones": ["a"]}, "must be a list of items"),
        ("projects", {"milestones": [{"id": "a"}]}, "item 1 in 'milestones' of the project"),
        ("projects", {"updates": "none"}, "'updates' of the project 'x' must be a list"),
        ("projects", {"updates": ["none"]}, "'updates' of the project 'x' must be a list"),
    ],
)
def test_what_breaks_a_rule_is_named(
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


def test_milestones_say_when_they_were_done(context: Context) -> None:
    """A file of the past says no more than that a step was done on its date."""
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
    made = add_item(context, "projects", {**WELLS, "milestones": steps}).doc["milestones"]

    assert ["2026-03-01", "2026-04-09", None] == [m.get("completedOn") for m in made]
    assert [True, True, False] == [m["completed"] for m in made]
    with pytest.raises(InvalidInput, match="Two milestones are called 'a'"):
        edit_item(context, "projects", "wells", {"milestones": [steps[0], steps[0]]})


def test_lists_of_texts_hold_texts(context: Context) -> None:
    """Pictures of a milestone are links."""
    step = {"id": "a", "date": "2026-03-01", "title": "A", "costCents": 0}
    for images, message in (("one.jpg", "must be a list of texts"), ([5], "is 5; it must be")):
        with pytest.raises(InvalidInput, match=message):
            add_item(context, "projects", {**WELLS, "milestones": [{**step, "images": images}]})


@pytest.mark.parametrize(
    ("form", "text", "value"),
    [
        (Form.TEXT, "Why?", "Why?"),
        (Form.TEXT, "", None),
        (Form.HTML, "<p>", "<p>"),
        (Form.DAY, "2026-01-01", "2026-01-01"),
        (Form.CENTS, "809000", 809_000),
        (Form.COUNT, "-5", -5),
        (Form.FLAG, "true", True),
        (Form.FLAG, "false", False),
    ],
)
def test_typed_values_are_read_by_the_form_of_their_key(
    form: Form, text: str, value: object
) -> None:
    """A number on the command line is a number in the document."""
    assert value == parse_value(Field("key", form), text)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Form.CENTS, "10.50"),
        (Form.COUNT, "9" * 16),
        (Form.FLAG, "yes"),
        (Form.TEXTS, "a"),
        (Form.ITEMS, "a"),
    ],
)
def test_typed_values_of_another_form_are_refused(form: Form, text: str) -> None:
    """What cannot be typed as one value goes into a file."""
    with pytest.raises(InvalidInput, match="'key' is"):
        parse_value(Field("key", form), text)


def test_kinds_and_keys_that_do_not_exist_are_named() -> None:
    """The message lists what there is."""
    with pytest.raises(NotFound, match="no content 'recipes'; the kinds are projects"):
        kind_of("recipes")
    with pytest.raises(InvalidInput, match="A question has no key 'colour'"):
        kind_of("faqs").field("colour")
    assert "question" == kind_of("faqs").field("question").name
