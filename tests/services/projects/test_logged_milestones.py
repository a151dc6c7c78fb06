"""The public log has the milestones of a project that is paid: their costs, and what is done."""

from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.account import BANK, Fund
from jara.domain.books.journal import EntryKind, JournalEntry, Posting
from jara.domain.content.kinds import PROJECTS
from jara.domain.publiclog.leaves import LeafType
from jara.services.books.verification import verify_books
from jara.services.content import edit_item
from jara.services.context import Context
from jara.services.projects.disbursing import disburse
from jara.services.projects.milestones import finish_milestone, plan_payment
from tests.harness import make_organisation
from tests.services.books.ledger_builders import post
from tests.services.operations.controlled_world import verify
from tests.services.projects.test_milestones import STEPS, voted

PROJECT = "deep-wells"
NAMED = f"The milestones of the project {PROJECT} are not those of the log."


@pytest.fixture
def paid(place: Path) -> Context:
    """An organisation that paid $9 of the first milestone's $10."""
    context = make_organisation(place)
    voted(context, "Deep wells")
    disburse(context, plan_payment(context, PROJECT, 900, milestone="survey"))
    return context


def forged(cents: int, milestone: str) -> JournalEntry:
    """Return a payout that another program writes."""
    postings = (
        Posting(f"expenses:projects:{PROJECT}", Fund.COMMITTED, cents),
        Posting(BANK, Fund.COMMITTED, -cents),
    )
    return JournalEntry(
        date(2026, 11, 20),
        EntryKind.DISBURSEMENT,
        "Payment to a project",
        postings,
        reference="prop_wells",
        milestone=milestone,
    )


def logged(context: Context) -> int:
    """Return how often the log names milestones."""
    with context.store.read() as work:
        return len(list(work.log.leaves_of(LeafType.MILESTONES)))


def test_milestones_are_logged_at_the_first_payout_and_after_changes(
    paid: Context, tmp_path: Path
) -> None:
    """Then server and verifier agree with them."""
    assert logged(paid) == 1
    finish_milestone(paid, PROJECT, "survey", on=date(2026, 10, 3))
    disburse(paid, plan_payment(paid, PROJECT, 2_000, milestone="drill"))

    assert logged(paid) == 2
    assert NAMED not in [one.message for one in verify_books(paid).findings]
    status, out = verify(paid, tmp_path)
    assert status == 0, out


def test_the_log_follows_an_editor_who_removes_milestones(paid: Context) -> None:
    """Also the last one."""
    edit_item(paid, PROJECTS, PROJECT, {"milestones": []})

    assert logged(paid) == 2
    assert NAMED not in [one.message for one in verify_books(paid).findings]


@pytest.mark.parametrize("change", [{"costCents": 2_000}, {"completed": True}])
def test_a_milestone_changed_in_the_database_is_named(
    paid: Context, change: dict[str, object]
) -> None:
    """Also if its history and its seal were changed with it: the log has what was promised."""
    with paid.store.write() as work:
        item = work.content.find("projects", PROJECT)
        done = {"completedOn": "2026-10-03"} if "completed" in change else {}
        steps = [{**STEPS[0], **change, **done}, STEPS[1]]
        work.content.put(item._replace(doc={**item.doc, "milestones": steps}), at=paid.now())

    assert NAMED in [one.message for one in verify_books(paid).findings]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (forged(101, "survey"), "'survey' was paid 1001 cents; it costs 1000"),
        (forged(5, "drill"), "it pays 'drill' before the milestones before it are done"),
        (forged(5, "car"), "its project has no milestone 'car'"),
    ],
)
def test_the_verifier_names_a_payout_that_no_milestone_allows(
    paid: Context, tmp_path: Path, entry: JournalEntry, message: str
) -> None:
    """The books of another program cannot hide it."""
    post(paid, entry)

    status, out = verify(paid, tmp_path)

    assert (status, message in out) == (1, True), out
