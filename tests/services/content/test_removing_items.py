"""Content is removed while nothing refers to it; earlier reports keep what they named."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from jara.domain.errors import Conflict, NotFound
from jara.domain.reports.parts import ReportPeriod
from jara.records.operations import Approval
from jara.services.approvals import refuse
from jara.services.content import add_item, edit_item, list_items, publish_item, remove_item
from jara.services.context import Context, Rules
from jara.services.operations.start_page import read_start_page
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.reports.impact import impact_report
from tests.harness import clock_of, copy_of, make_organisation
from tests.services.books.ledger_builders import give
from tests.services.giving.giving_year import GRANT, YEAR, make_year

PROJECT = {"title": "Wells", "status": "Planning", "category": "water"}
NOVEMBER = ReportPeriod(date(2026, 11, 1), date(2026, 11, 30))


def test_an_item_of_each_kind_is_removed_and_may_come_back(place: Path) -> None:
    """Its slug is free again; what it was stays in its history and in earlier reports."""
    context = make_organisation(place)
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


def test_what_is_referred_to_stays(place: Path) -> None:
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


def test_what_an_approval_waits_to_pay_stays(place: Path) -> None:
    """Otherwise it would pay a grant that is gone; once it is refused, the grant goes."""
    context = make_organisation(place, rules=Rules(approval_cents=1000))
    give(context, 100_000)
    for name in ("shelves", "desks"):
        add_item(context, "grants", {**GRANT, "id": name, "slug": name})
    waiting = disburse(context, Disbursement(Payee.GRANTS, "shelves", 1000))
    assert isinstance(waiting, Approval)

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
