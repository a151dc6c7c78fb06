"""The open data agrees with the books, fits its descriptor, and contains no personal data."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.reports.open_data import RESOURCES, FieldType
from jara.reports.open_data import DESCRIPTOR, package_files
from jara.services.books.posting import Books
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.projects.milestones import add_measurement
from jara.services.proposals.closing import close_due_votes
from jara.services.reports.open_data import open_data
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import add_member, open_vote, vote

READ: dict[FieldType, Callable[[str], object]] = {
    FieldType.TEXT: str,
    FieldType.WHOLE: int,
    FieldType.NUMBER: float,
    FieldType.DAY: date.fromisoformat,
    FieldType.INSTANT: datetime.fromisoformat,
    FieldType.MONTH: lambda text: date.fromisoformat(f"{text}-01"),
    FieldType.YEAR: int,
    FieldType.FLAG: {"True": True, "False": False}.__getitem__,
}

HOMES = [{"id": "homes", "name": "Homes", "target": 10, "by": "2027-01-31"}]


@pytest.fixture
def context(tmp_path: Path) -> Context:
    """Books with contributions, payments to a project and a grant, a closed and an open vote."""
    context = make_organisation(tmp_path)
    members = [add_member(context, name) for name in ("ada", "ben")]
    open_vote(context, slug="wells", title="=Wells")
    for member in members:
        vote(context, member)
    clock_of(context).advance(days=11)
    close_due_votes(context)
    open_vote(context, id="prop_02", slug="next", endDate="2026-12-24")
    vote(context, members[0], "down", proposal="prop_02")
    spend(context, "expenses:projects:wells", 300, reference="prop_01")
    spend(context, "expenses:grants:school", 50, reference="a word of an operator")
    pumps = {
        "title": "Pumps",
        "sample": True,
        "status": "In Progress",
        "category": "water",
        "measures": HOMES,
    }
    import_items(context, "projects", [pumps])
    add_measurement(context, "pumps", "homes", 2.5, on=context.today())
    return context


def test_samples_are_marked_beside_their_title(context: Context) -> None:
    """The title is plain, and a column of its own says that it is a sample."""
    marks = {row["title"]: row["sample"] for row in tables(context)["projects"]}
    assert marks == {"Pumps": "True", "Wells": "False"}


def spend(context: Context, account: str, cents: int, *, reference: str) -> None:
    """Book money paid to a payee."""
    postings = (
        Posting(account, Fund.PROJECTS, cents),
        Posting("assets:stripe", Fund.PROJECTS, -cents),
    )
    entry = JournalEntry(
        context.today(), EntryKind.DISBURSEMENT, "Payment", postings, reference=reference
    )
    with context.store.write() as work:
        Books(context, work).post(entry)


def tables(context: Context) -> dict[str, list[dict[str, str]]]:
    """Return the rows of each CSV file."""
    files = package_files(open_data(context))
    return {
        resource.name: list(
            csv.DictReader(io.StringIO(files[f"{resource.name}.csv"]().decode(), newline=""))
        )
        for resource in RESOURCES
    }


def test_the_files_are_as_the_descriptor_says(context: Context) -> None:
    """Each file has the columns in their order, values of their types, and unique keys."""
    files = package_files(open_data(context))
    descriptor = json.loads(files[DESCRIPTOR]())
    found = tables(context)

    assert {each["path"] for each in descriptor["resources"]} == set(files) - {DESCRIPTOR}
    for each in descriptor["resources"]:
        rows = found[each["name"]]
        fields = {field["name"]: FieldType(field["type"]) for field in each["schema"]["fields"]}
        assert rows
        for row in rows:
            assert list(fields) == list(row)
            values = [READ[fields[name]](text) for name, text in row.items() if text]
            assert values
        key = each["schema"].get("primaryKey", list(fields))
        assert len(rows) == len({tuple(row[name] for name in key) for row in rows})


def test_payouts_name_public_proposals_alone(context: Context) -> None:
    """A reference that an operator wrote is not published."""
    payouts = tables(context)["payouts"]

    assert [(row["kind"], row["slug"], row["proposal"], row["cents"]) for row in payouts] == [
        ("projects", "wells", "wells", "300"),
        ("grants", "school", "", "50"),
    ]
    assert [
        (row["slug"], row["status"], row["paid_cents"]) for row in tables(context)["projects"]
    ] == [("pumps", "In Progress", "0"), ("wells", "Not listed", "300")]


def test_votes_have_their_counts(context: Context) -> None:
    """Closed and open votes have counts; a title is never a formula."""
    assert [
        (row["slug"], row["title"], row["status"], row["yes"], row["no"], row["roll"])
        for row in tables(context)["votes"]
    ] == [
        ("wells", "'=Wells", "passed", "2", "0", "2"),
        ("next", "Clean water", "open", "0", "1", "2"),
    ]


def test_months_and_years_add_up(context: Context) -> None:
    """The months of a fund make its year."""
    found = tables(context)

    def sums(name: str, column: str) -> dict[str, int]:
        total: dict[str, int] = dict.fromkeys((fund.value for fund in Fund), 0)
        for row in found[name]:
            total[row["fund"]] += int(row[column])
        return total

    assert sums("months", "received_cents") == sums("funds", "received_cents")
    assert sums("months", "spent_cents") == sums("funds", "spent_cents")
    assert sum(sums("funds", "received_cents").values()) == 2000
    assert sum(sums("funds", "spent_cents").values()) == 350


def test_no_person_is_in_it(context: Context) -> None:
    """No name, address, id or key of a member is published."""
    with context.store.read() as work:
        people = {
            value
            for one in work.members.all()
            for value in (one.id, one.key, one.email, one.firstname, one.lastname)
        }
    text = b"".join(write() for write in package_files(open_data(context)).values()).decode()

    assert people
    assert [value for value in people if value in text] == []


def test_an_empty_organisation_has_empty_tables(tmp_path: Path) -> None:
    """Every file exists and has its header."""
    found: dict[str, Any] = tables(make_organisation(tmp_path))

    assert found == {resource.name: [] for resource in RESOURCES}
