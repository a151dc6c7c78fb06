"""A passed vote hands its measures to the project; what was measured is shown, also late."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from jara.documents import Document
from jara.domain.content.schema import measures_of
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.language import Language
from jara.domain.publiclog import canonical
from jara.domain.publiclog.leaves import content_bytes, content_document
from jara.domain.reports.parts import ReportPeriod
from jara.files.content_files import read_content, write_json, write_yaml
from jara.services.content import import_items, publish_item
from jara.services.context import Context
from jara.services.operations.diagnosis_setup import Level
from jara.services.operations.start_page import read_start_page
from jara.services.projects.catalogue import show_project
from jara.services.projects.funding import fund_proposal
from jara.services.projects.milestones import add_measure, add_measurement, list_results
from jara.services.proposals.closing import close_vote
from jara.services.proposals.views import show_proposal
from jara.services.reports.impact import impact_report
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote
from tests.services.operations.doctor import found, look

HOMES: Document = {
    "id": "homes",
    "name": "Homes with water",
    "unit": "homes",
    "baseline": 4,
    "target": 104.5,
    "by": "2027-03-31",
}
OWN: Document = {"id": "taps", "name": "Taps", "target": 3, "by": "2027-02-01"}


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """An organisation whose members passed a proposal with a measure."""
    context = make_organisation(tmp_path)
    member = add_member(context, "ama")
    open_vote(context, measures=[HOMES])
    vote(context, member)
    clock_of(context).advance(days=20)
    close_vote(context, "prop_01")
    return context


def wells(**more: Any) -> dict[str, Any]:
    """Return a project that existed before its vote."""
    return {"title": "Wells", "status": "Planning", "category": "water", **more}


def test_the_text_that_was_voted_on_holds_the_measures(context: Context) -> None:
    """Numbers are texts there, as canonical JSON has none with decimals."""
    with context.store.read() as work:
        record = work.proposals.find("prop_01")
        leaf = canonical.decode(work.log.leaf(record.opened_index or 0).body)

    assert content_document(record.proposal)["measures"] == [
        {**HOMES, "baseline": "4", "target": "104.5"}
    ]
    assert isinstance(leaf, dict)
    assert leaf["content_hash"] == sha256(content_bytes(record.proposal)).hexdigest()
    assert show_proposal(context, "prop_01")["measures"] == [HOMES]
    assert show_proposal(context, "prop_01")["metrics"] == "Households with water"


def test_a_vote_may_say_that_a_measure_has_no_cost_of_one(tmp_path: Path) -> None:
    """The text that is voted on says so, and its project too; without it the text is as before."""
    context = make_organisation(tmp_path)
    open_vote(context, measures=[{**HOMES, "costPerUnit": False}, OWN])
    with context.store.read() as work:
        proposal = work.proposals.find("prop_01").proposal

    homes, taps = measures_of(proposal.text)
    assert (homes.has_unit_cost, taps.has_unit_cost) == (False, True)
    written = {**HOMES, "baseline": "4", "target": "104.5", "cost_per_unit": "no"}
    plain = {**OWN, "unit": "", "baseline": "0", "target": "3"}
    assert content_document(proposal)["measures"] == [written, plain]
    assert show_proposal(context, "prop_01")["measures"][0]["costPerUnit"] is False


def test_a_funded_project_has_the_measures_of_its_vote(context: Context) -> None:
    """Its own measures stay, after those that the vote was promised."""
    import_items(context, "projects", [wells(measures=[OWN, {**HOMES, "target": 1}])])

    item = fund_proposal(context, "prop_01", project="wells")

    assert [one.id for one in measures_of(item.doc)] == ["homes", "taps"]
    assert measures_of(item.doc)[0].target == 104.5


def test_a_new_project_has_the_measures_of_its_vote(context: Context) -> None:
    """The project page shows them once it is published."""
    slug = fund_proposal(context, "prop_01").slug
    publish_item(context, "projects", slug)

    (result,) = show_project(context, slug)["measures"]

    assert (result["id"], result["actual"], result["state"]) == ("homes", None, "open")


def test_the_newest_value_is_shown_and_the_day_once(context: Context) -> None:
    """A second value of a day replaces the first; earlier days stay in the document."""
    import_items(context, "projects", [wells(measures=[HOMES])])
    today = context.today()
    for day, value in ((today, 10), (today - timedelta(days=1), 8), (today, 12.5)):
        add_measurement(context, "wells", "homes", value, on=day, note="Counted")
    project = show_project(context, "wells")

    assert project["measures"][0]["actual"] == 12.5
    assert project["measures"][0]["note"] == "Counted"
    assert [(one["date"], one["value"]) for one in project["measurements"]] == [
        (f"{today - timedelta(days=1)}", 8),
        (f"{today}", 12.5),
    ]


def test_an_invalid_measurement_is_refused(context: Context) -> None:
    """A later day, an unknown measure or project, and a second id are named."""
    import_items(context, "projects", [wells(measures=[HOMES])])
    today = context.today()

    with pytest.raises(InvalidInput, match="it is later"):
        add_measurement(context, "wells", "homes", 1, on=today + timedelta(days=1))
    with pytest.raises(NotFound, match="no measure 'homs'; its measures: homes"):
        add_measurement(context, "wells", "homs", 1, on=today)
    with pytest.raises(NotFound):
        add_measurement(context, "nowhere", "homes", 1, on=today)
    with pytest.raises(InvalidInput, match="Two measures have the id 'homes'"):
        add_measure(context, "wells", HOMES)
    assert [one.actual for one in list_results(context, "wells")] == [None]


@pytest.mark.parametrize("write", [write_yaml, write_json])
def test_decimals_are_read_from_files(
    context: Context, write: Callable[[list[Document]], bytes]
) -> None:
    """YAML and JSON files hold them as text until they are checked."""
    file = write([wells(measures=[HOMES])])

    import_items(context, "projects", read_content(file, "projects"))

    assert [one.target for one in list_results(context, "wells")] == [104.5]


def test_the_doctor_names_overdue_measures(context: Context) -> None:
    """Those of a project that is not published are nobody's concern yet."""
    import_items(context, "projects", [wells(measures=[HOMES])])
    assert found(look(context), "measures") == (Level.OK, "No measure is overdue.")
    clock_of(context).advance(days=(date(2027, 4, 1) - context.today()).days)

    assert found(look(context), "measures") == (
        Level.WARNING,
        (
            "To be measured: Homes with water of 'Wells', since 2027-03-31: "
            "jara projects measure wells"
        ),
    )
    publish_item(context, "projects", "wells", published=False)
    assert found(look(context), "measures")[0] is Level.OK


def test_a_report_names_measures_in_its_language(context: Context) -> None:
    """As it names the projects."""
    french = {
        "title": "Des puits",
        "measures": [{"id": "homes", "name": "Foyers servis", "unit": "foyers"}],
    }
    import_items(context, "projects", [wells(measures=[HOMES], fr=french)])
    today = context.today()
    reader = replace(context, language=Language("fr"))
    (project,) = impact_report(reader, ReportPeriod(today, today)).projects

    assert project.title == "Des puits"
    assert [(one.name, one.unit) for one in project.results] == [("Foyers servis", "foyers")]


def test_the_start_page_names_overdue_measures(context: Context) -> None:
    """A value of the last day or later ends it."""
    import_items(context, "projects", [wells(measures=[HOMES])])
    clock_of(context).advance(days=(date(2027, 4, 1) - context.today()).days)
    overdue = "'Wells': Homes with water is to be measured since 2027-03-31"

    assert overdue in {one.what for one in read_start_page(context).waiting}
    add_measurement(context, "wells", "homes", 60, on=context.today())
    assert overdue not in {one.what for one in read_start_page(context).waiting}
