"""Content that operators write: checked, stored with its history, exported and imported."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from jara.domain.content.kinds import KINDS
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.reports.parts import ReportPeriod
from jara.records.content import ContentItem
from jara.services.approvals import refuse
from jara.services.content import (
    ImportResult,
    add_item,
    document_of,
    edit_item,
    export_items,
    import_items,
    list_items,
    publish_item,
    remove_item,
    show_item,
)
from jara.services.context import Context, Rules
from jara.services.operations.start_page import read_start_page
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.reports.impact import impact_report
from tests.fakes.operators import waits
from tests.harness import DATA, clock_of, copy_of, make_organisation
from tests.services.books.ledger_builders import give
from tests.services.content.content_documents import WELLS
from tests.services.giving.giving_year import GRANT, YEAR, make_year
from tests.services.operations.doctor import look

FAQ = {"id": "why", "question": "Why?", "answer": "Because."}


def shipped(kind: str) -> list[dict[str, Any]]:
    """Return the documents of a file of data/."""
    documents: list[dict[str, Any]] = yaml.safe_load((DATA / f"{kind}.yaml").read_text("utf-8"))
    return documents


def test_what_pages_cannot_show_is_not_published(context: Context) -> None:
    """A draft that lacks a field is refused with its name; the doctor names what is public."""
    add_item(context, "faqs", FAQ, published=True)
    with context.store.write() as work:
        for name, published in (("draft", False), ("public", True)):
            doc = {"id": name, "question": "Why?", "fr": {"answer": "Parce que."}}
            doc["translatedFrom"] = {"fr": {"answer": "0"}}
            work.content.put(ContentItem("faqs", name, name, 9, published, doc), at=context.now())

    with pytest.raises(InvalidInput, match=r"'draft'.*'answer'"):
        publish_item(context, "faqs", "draft")
    (fault,) = (one for one in look(context) if "'public'" in one.message)
    mend = "Mend it: jara faqs edit public --set KEY=VALUE"
    assert (fault.name, fault.message) == (
        "content",
        f"A page cannot show an item: The question 'public' has no 'answer'; it needs one. {mend}",
    )


def test_a_public_item_is_stored_as_publishing_stores_it(context: Context) -> None:
    """The doctor names a public milestone that is done without a day; publishing mends it."""
    step = {"id": "pump", "title": "Pump", "date": "2026-03-12", "costCents": 1, "completed": True}
    item = add_item(context, "projects", {**WELLS, "milestones": [step]}, published=True)
    assert isinstance(item, ContentItem)
    assert not any(one.name == "content" for one in look(context))
    with context.store.write() as work:
        work.content.put(item._replace(doc={**item.doc, "milestones": [step]}), at=context.now())

    (fault,) = (one for one in look(context) if one.name == "content")
    assert fault.message == (
        "A page cannot show an item: The project 'wells' lacks a part of 'milestones'. "
        "Mend it: jara projects publish wells"
    )
    publish_item(context, "projects", "wells")
    assert not any(one.name == "content" for one in look(context))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "updates"])
def test_exported_content_imports_without_a_change(
    context: Context, tmp_path: Path, kind: str
) -> None:
    """Exporting and importing content loses nothing."""
    first = import_items(context, kind, shipped(kind))
    exported = export_items(context, kind)
    again = import_items(context, kind, exported)
    other = make_organisation(tmp_path / "other")
    import_items(other, kind, exported)

    assert first.added == first.read
    assert (again.added, again.changed, again.unchanged) == (0, 0, len(exported))
    assert exported == export_items(other, kind)
    assert len(shipped(kind)) == len(exported)


def test_projects_bring_their_updates(context: Context) -> None:
    """News in a project's file become its updates, with the project's sample mark."""
    projects = shipped("projects")
    count = sum(len(project["updates"]) for project in projects)
    result = import_items(context, "projects", projects)
    updates = export_items(context, "updates")

    assert len(projects) + count == result.added
    assert count == len(updates)
    assert {u["project"] for u in updates[:2]} == {"clean-water-boreholes"}
    assert all(update["sample"] for update in updates)
    assert result.read == import_items(context, "projects", shipped("projects")).unchanged


def test_a_file_is_taken_over_whole_or_not_at_all(context: Context) -> None:
    """If the last item is wrong, the first is not imported either."""
    with pytest.raises(InvalidInput, match="has no 'question' and no 'answer'; it needs them"):
        import_items(context, "faqs", [FAQ, {"id": "how"}])
    with pytest.raises(InvalidInput, match="question 'how' has no 'answer'"):
        import_items(context, "faqs", [FAQ, {"id": "how", "question": "How?"}])

    assert list_items(context, "faqs") == []


def test_an_import_that_brings_nothing_new_leaves_no_trace(context: Context) -> None:
    """Only changes are written to the history and the audit log."""
    import_items(context, "faqs", [FAQ])
    import_items(context, "faqs", [FAQ])
    with context.store.read() as work:
        assert len(work.content.history("faqs")) == 1
        assert [row.action for row in work.operations.audit()] == ["faqs.add"]


def test_the_order_of_a_file_is_the_order_of_the_site(context: Context) -> None:
    """Known items swap their places; new ones go where the file has them."""
    a, b, c = ({"id": i, "name": i.upper(), "status": "Active"} for i in "abc")
    import_items(context, "regions", [a, b])
    import_items(context, "regions", [b, c, a])
    assert [item.id for item in list_items(context, "regions")] == ["b", "c", "a"]

    import_items(context, "regions", [{**c, "status": "Partial"}])
    assert [item.id for item in list_items(context, "regions")] == ["b", "c", "a"]


def test_added_content_is_hidden_until_published(context: Context) -> None:
    """Only operators see a draft, and an import does not publish it."""
    item = add_item(context, "faqs", FAQ)
    assert isinstance(item, ContentItem)
    assert list_items(context, "faqs", published_only=True) == []
    assert False is document_of(item)["published"]
    import_items(context, "faqs", [FAQ])
    assert not show_item(context, "faqs", "why").published

    publish_item(context, "faqs", "why")
    assert [one.id for one in list_items(context, "faqs", published_only=True)] == ["why"]
    assert "published" not in export_items(context, "faqs")[0]
    publish_item(context, "faqs", "why", published=False)
    assert import_items(context, "faqs", [{**FAQ, "published": True}]) == ImportResult(1, 0, 1, 0)
    assert show_item(context, "faqs", "why").published


def test_a_change_keeps_the_other_keys_and_the_state_before(context: Context) -> None:
    """Reports of an earlier day need the earlier content."""
    add_item(context, "projects", {**WELLS, "location": "TZ"}, published=True)
    before = context.now()
    clock_of(context).set(before + timedelta(days=1))
    edit_item(context, "projects", "village", {"status": "Complete", "location": None})

    assert {"status": "Complete", "title": "Village wells"}.items() <= dict(
        show_item(context, "projects", "wells").doc
    ).items()
    assert "location" not in show_item(context, "projects", "wells").doc
    with context.store.read() as work:
        assert [
            (change.item.doc["status"], change.at) for change in work.content.history("projects")
        ] == [("Planning", before), ("Complete", context.now())]
        assert work.operations.audit()[-1].after["changed"] == ["location", "status"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("TZ", "TZ"), ("tz", "TZ"), ("tanzania", "TZ"), ("UK", "GB"), ("Cote d'Ivoire", "CI")],
)
def test_a_country_may_be_named_in_any_usual_form(context: Context, text: str, code: str) -> None:
    """The country is stored as its code, when added, edited or imported."""
    add_item(context, "projects", {**WELLS, "location": text})
    assert show_item(context, "projects", "wells").doc["location"] == code
    edit_item(context, "projects", "wells", {"location": "GH"})
    edit_item(context, "projects", "wells", {"location": text})
    assert show_item(context, "projects", "wells").doc["location"] == code

    assert import_items(context, "projects", [{**WELLS, "location": text}]).unchanged == 1


def test_without_a_list_of_countries_only_codes_are_taken(place: Path) -> None:
    """A program may open the books without the list."""
    context = make_organisation(place / "other", rules=Rules())
    add_item(context, "projects", {**WELLS, "location": "TZ"})

    with pytest.raises(InvalidInput, match="two capital letters"):
        edit_item(context, "projects", "wells", {"location": "Tanzania"})


def test_a_new_project_gets_slug_and_account_from_its_title(context: Context) -> None:
    """The slug and the account are derived from the title."""
    document = {key: value for key, value in WELLS.items() if key != "id"}
    item = add_item(context, "projects", {**document, "sample": False})

    assert isinstance(item, ContentItem)
    assert (item.id, item.slug) == ("village-wells", "village-wells")
    assert item.doc["account"] == "expenses:projects:village-wells"
    assert "sample" not in item.doc


def test_names_that_are_taken_are_refused(context: Context) -> None:
    """An id stands for one item, and a slug for one page and one account."""
    add_item(context, "projects", {**WELLS, "slug": "wells"})
    with pytest.raises(Conflict, match="a project 'wells' already"):
        add_item(context, "projects", WELLS)
    with pytest.raises(Conflict, match="'wells' has the slug 'wells' already"):
        add_item(context, "projects", {**WELLS, "id": "other", "slug": "wells"})
    with pytest.raises(Conflict, match="cannot become 'fountains'"):
        edit_item(context, "projects", "wells", {"slug": "fountains"})
    with pytest.raises(InvalidInput, match="question 'why' is in the file twice"):
        import_items(context, "faqs", [FAQ, FAQ])


def test_an_update_is_of_a_project_that_exists(context: Context) -> None:
    """An update belongs to one existing project for good."""
    update = {
        "id": "u1",
        "project": "village-wells",
        "title": "Water",
        "author": "Asha",
        "date": "2026-10-01",
        "content": "<p>Clear.</p>",
    }
    with pytest.raises(NotFound, match="names the unknown project 'village-wells'"):
        add_item(context, "updates", update)
    add_item(context, "projects", WELLS)
    add_item(context, "projects", {**WELLS, "id": "roof", "title": "Roof"})
    with pytest.raises(NotFound, match=r"'vilage-wells'\. Did you mean village-wells\?"):
        add_item(context, "updates", {**update, "project": "vilage-wells"})
    add_item(context, "projects", {**WELLS, "id": "pump", "slug": "a-pump", "title": "Pump"})
    added = add_item(context, "updates", {**update, "id": "u2", "project": "pump"})
    assert isinstance(added, ContentItem)
    assert added.doc["project"] == "a-pump"
    add_item(context, "updates", update)
    edit_item(context, "updates", "u1", {"title": "Water at last"})
    with pytest.raises(Conflict, match="belongs to the project 'village-wells' already"):
        import_items(
            context, "projects", [{**WELLS, "id": "roof", "title": "Roof", "updates": [update]}]
        )


def test_an_event_may_last_several_days(context: Context) -> None:
    """An event's last day is not before its first."""
    event = {"id": "fair", "title": "Fair", "date": "2026-12-01", "endDate": "2026-12-03"}

    assert import_items(context, "events", [event]).added == 1
    with pytest.raises(InvalidInput, match="before it starts"):
        import_items(context, "events", [{**event, "id": "past", "endDate": "2026-11-30"}])


PROJECT = {"title": "Wells", "status": "Planning", "category": "water"}
NOVEMBER = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))


def test_an_item_of_each_kind_is_removed_and_may_come_back(context: Context) -> None:
    """Its slug is free again; what it was stays in its history and in earlier reports."""
    add_item(context, "projects", PROJECT, published=True)
    add_item(context, "faqs", {"question": "Why?", "answer": "<p>So.</p>"})
    clock_of(context).set(context.now() + timedelta(days=20))
    assert remove_item(context, "projects", "wells").slug == "wells"
    remove_item(context, "faqs", list_items(context, "faqs")[0].id)

    assert (list_items(context, "projects"), list_items(context, "faqs")) == ([], [])
    with pytest.raises(NotFound):
        remove_item(context, "projects", "wells")
    assert [one.title for one in impact_report(context, NOVEMBER).projects] == ["Wells"]
    now = ReportPeriod(date(2026, 12, 1), date(2026, 12, 31))
    assert impact_report(context, now).projects == ()
    add_item(context, "projects", PROJECT)


def test_referenced_content_is_not_removed(place: Path) -> None:
    """Payments, a vote and updates keep a project; a grant that was paid stays too."""
    context = copy_of(make_year, place)
    with pytest.raises(Conflict) as refused:
        remove_item(context, "projects", "village-wells")
    assert refused.value.message == (
        "The project 'village-wells' cannot be removed: it was paid through "
        "'expenses:projects:village-wells', the vote 'prop_01' decided on it, the update "
        "'first-water' is about it. `jara projects publish village-wells --hide` hides it."
    )
    with pytest.raises(Conflict, match="it was paid through 'expenses:grants:shelves'"):
        remove_item(context, "grants", "shelves")
    remove_item(context, "updates", "first-water")


def test_a_grant_with_a_waiting_approval_is_not_removed(place: Path) -> None:
    """Otherwise it would pay a grant that is gone; once it is refused, the grant goes."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)
    for name in ("shelves", "desks"):
        add_item(context, "grants", {**GRANT, "id": name, "slug": name})
    waiting = waits(disburse(context, Disbursement(Payee.GRANTS, "shelves", 1000)))

    with pytest.raises(Conflict, match=f"removed: {waiting.id} waits to pay it"):
        remove_item(context, "grants", "shelves")
    remove_item(context, "grants", "desks")
    refuse(context, waiting.id, why="twice")
    assert remove_item(context, "grants", "shelves").slug == "shelves"


@pytest.fixture
def hidden(place: Path) -> Context:
    """Return a year whose paid project is not published."""
    context = copy_of(make_year, place)
    edit_item(context, "projects", "village-wells", {"title": "Deep wells"})
    publish_item(context, "projects", "village-wells", published=False)
    return context


def test_operators_see_the_title_of_a_hidden_project(hidden: Context) -> None:
    """Reports of operators name it, public ones do not; the start page says that it was paid."""
    titles = [
        {one.project: one.title for one in report.disbursements}["village-wells"]
        for report in (impact_report(hidden, YEAR, is_public=False), impact_report(hidden, YEAR))
    ]

    assert titles == ["Deep wells", "Village wells"]
    waiting = {one.what: one.command for one in read_start_page(hidden).waiting}
    assert waiting["'Deep wells' is paid and not published"] == (
        "jara projects publish village-wells"
    )
