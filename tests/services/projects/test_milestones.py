"""Payouts follow the vote and the milestones; completed steps have a date."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from jara.domain.books.journal import PostedEntry
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.approvals import approve
from jara.services.books.bookkeeping import return_payment, reverse_entry
from jara.services.content import add_item, publish_item, show_item
from jara.services.context import Context, Rules
from jara.services.operations.approved_acts import HANDLERS, show_approval
from jara.services.projects.catalogue import show_project
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.milestones import (
    Evidence,
    add_evidence,
    add_milestone,
    finish_milestone,
    plan_payment,
)
from jara.services.projects.tranches import list_tranches
from tests.harness import make_organisation
from tests.services.books.ledger_builders import all_entries, give, pass_proposal

STEPS = [
    {"id": "survey", "date": "2026-10-01", "title": "Survey", "costCents": 1000},
    {"id": "drill", "date": "2026-12-01", "title": "Drilling", "costCents": 2000},
]


@pytest.fixture
def context(place: Path) -> Context:
    """Return an organisation with one project of two steps."""
    context = make_organisation(place)
    project = {"title": "Wells", "status": "In Progress", "category": "water"}
    add_item(context, "projects", {**project, "proposal": "prop_01", "milestones": STEPS})
    return context


def test_a_tranche_is_paid_after_the_step_before_it(context: Context) -> None:
    """A milestone is payable once all earlier ones are complete, up to its cost."""
    with pytest.raises(Conflict, match="paid after 'Survey' is complete"):
        plan_payment(context, "wells", 2000, milestone="drill")
    finish_milestone(context, "wells", "survey", on=date(2026, 10, 3))
    with pytest.raises(Conflict, match=r"is \$20.00; \$20.01 was requested"):
        plan_payment(context, "wells", 2001, milestone="drill")

    assert plan_payment(context, "wel", 2000, milestone="drill") == Disbursement(
        Payee.PROJECTS, "wells", 2000, "prop_01", note="Tranche 'drill'", milestone="drill"
    )


def test_a_payment_names_the_vote_that_allows_it(context: Context) -> None:
    """It is the project's own proposal, unless another one is given."""
    assert plan_payment(context, "wells", 5).proposal == "prop_01"
    assert plan_payment(context, "wells", 5, proposal="prop_02").proposal == "prop_02"
    add_item(context, "projects", {"title": "Fence", "status": "Planning", "category": "water"})
    assert plan_payment(context, "fence", 5).proposal is None


def test_a_project_that_a_grant_pays_for_is_paid_there(context: Context) -> None:
    """Every dollar is counted once, in the project's own account."""
    add_item(
        context,
        "projects",
        {
            "title": "Roof",
            "status": "Planning",
            "category": "education",
            "account": "expenses:grants:roof",
        },
    )
    with pytest.raises(Conflict, match="paid through 'expenses:grants:roof'"):
        plan_payment(context, "roof", 5)


def test_a_step_is_done_on_a_day_that_has_come(context: Context) -> None:
    """A future day is refused; the first day stays, even if completion is repeated."""
    with pytest.raises(InvalidInput, match="cannot be done on 2027-01-01"):
        finish_milestone(context, "wells", "survey", on=date(2027, 1, 1))
    with pytest.raises(NotFound):
        finish_milestone(context, "wells", "roof", on=date(2026, 10, 3))
    finish_milestone(context, "wells", "survey", on=date(2026, 10, 3))
    item = finish_milestone(context, "wells", "survey", on=date(2026, 11, 3))

    assert item.doc["milestones"][0]["completedOn"] == "2026-10-03"
    assert "completedOn" not in item.doc["milestones"][1]


def test_steps_are_added_at_the_end(context: Context) -> None:
    """The order of the steps is the order of their tranches."""
    item = add_milestone(
        context, "wells", {"id": "fence", "date": "2027-01-05", "title": "Fence", "costCents": 0}
    )
    assert [m["id"] for m in item.doc["milestones"]] == ["survey", "drill", "fence"]
    with pytest.raises(InvalidInput, match="Two milestones"):
        add_milestone(context, "wells", STEPS[0])


def test_evidence_stands_with_its_step_once(context: Context) -> None:
    """Photos and documents are distinguished; adding the same one again changes nothing."""
    photo, paper = Evidence("/media/a.jpg", is_image=True), Evidence("/media/b.pdf", is_image=False)
    for evidence in (photo, paper, photo):
        add_evidence(context, "wells", "survey", evidence)
    step = show_item(context, "projects", "wells").doc["milestones"][0]

    assert (step["images"], step["evidence"]) == (["/media/a.jpg"], ["/media/b.pdf"])
    with pytest.raises(NotFound):
        add_evidence(context, "wells", "roof", photo)


def voted(context: Context, project: str = "wells") -> None:
    """Pass the vote on a project with $50, and link it to the project."""
    give(context, 100_000)
    pass_proposal(context, 5000)
    document = {"title": project.capitalize(), "status": "In Progress", "category": "water"}
    add_item(context, "projects", {**document, "proposal": "prop_wells", "milestones": STEPS})


def pay(context: Context, cents: int, project: str = "deep-wells") -> None:
    """Pay a project under the vote on the wells."""
    disburse(context, Disbursement(Payee.PROJECTS, project, cents, "prop_wells"))


def test_milestones_unlock_tranches_however_a_payment_is_made(context: Context) -> None:
    """All payments together stay within the unlocked tranches."""
    voted(context, "Deep wells")
    pay(context, 600)
    pay(context, 400)
    for cents, asked in ((1, "$0.01"), (2000, "$20.00")):
        with pytest.raises(Conflict) as refused:
            pay(context, cents)
        assert refused.value.message == (
            f"The milestones of 'deep-wells' unlock $10.00 so far, of which {format_cents(1000)} "
            f"are paid; {asked} was requested."
        )
    finish_milestone(context, "deep-wells", "survey", on=date(2026, 10, 3))
    pay(context, 2000)
    finish_milestone(context, "deep-wells", "drill", on=date(2026, 11, 3))
    with pytest.raises(Conflict, match=r"unlock \$30.00 so far, of which \$30.00 are paid"):
        pay(context, 1)


def test_the_money_of_a_vote_is_for_the_project_that_was_voted_on(context: Context) -> None:
    """Money follows the vote: another project cannot have it."""
    voted(context, "Deep wells")
    before = len(all_entries(context))

    with pytest.raises(Conflict, match="decided on the project 'deep-wells'; its money is not"):
        pay(context, 100, "wells")
    assert len(all_entries(context)) == before


def _tranches(context: Context) -> list[tuple[str, int, int, int]]:
    return [
        (one["id"], one["paidCents"], one["waitingCents"], one["leftCents"])
        for one in list_tranches(context, "deep-wells")
    ]


def _pay_for(context: Context, milestone: str | None, cents: int) -> PostedEntry | Approval:
    return disburse(context, plan_payment(context, "deep-wells", cents, milestone=milestone))


def test_a_milestone_is_paid_once(context: Context) -> None:
    """What was paid for a milestone is kept; more than its cost is refused; a return frees it."""
    voted(context, "Deep wells")
    paid = _pay_for(context, "survey", 900)
    assert isinstance(paid, PostedEntry)
    finish_milestone(context, "deep-wells", "survey", on=date(2026, 10, 3))
    with pytest.raises(Conflict) as refused:
        _pay_for(context, "survey", 450)
    assert refused.value.message == (
        "The tranche of 'Survey' is $10.00, of which $9.00 are paid; $4.50 was requested."
    )
    planned = Disbursement(Payee.PROJECTS, "deep-wells", 450, "prop_wells", milestone="survey")
    with pytest.raises(Conflict, match=r"of which \$9.00 are paid"):
        disburse(context, planned)
    assert _tranches(context) == [("survey", 900, 0, 100), ("drill", 0, 0, 2000)]

    returned = return_payment(context, paid.id, cost_cents=500, received_cents=500)
    assert _tranches(context) == [("survey", 400, 0, 600), ("drill", 0, 0, 2000)]
    assert isinstance(returned, PostedEntry)
    again = _pay_for(context, "survey", 600)
    assert isinstance(again, PostedEntry)
    assert _tranches(context) == [("survey", 1000, 0, 0), ("drill", 0, 0, 2000)]
    reverse_entry(context, again.id, why="It was another project.")
    _pay_for(context, "survey", 600)
    assert _tranches(context) == [("survey", 1000, 0, 0), ("drill", 0, 0, 2000)]


def test_payments_that_name_no_milestone_pay_the_first_ones(context: Context) -> None:
    """A payment that names one is counted there, whatever the others paid before or after."""
    voted(context, "Deep wells")
    finish_milestone(context, "deep-wells", "survey", on=date(2026, 10, 3))
    _pay_for(context, "drill", 1500)
    _pay_for(context, None, 1200)

    assert _tranches(context) == [("survey", 1000, 0, 0), ("drill", 1700, 0, 300)]
    with pytest.raises(Conflict, match=r"tranche of 'Survey' is \$10.00, of which \$10.00 are"):
        _pay_for(context, "survey", 1)
    _pay_for(context, "drill", 300)
    assert _tranches(context) == [("survey", 1000, 0, 0), ("drill", 2000, 0, 0)]
    publish_item(context, "projects", "deep-wells", published=True)
    site = show_project(context, "deep-wells")
    assert [one["leftCents"] for one in site["milestones"]] == [0, 0]


def test_payments_that_wait_for_approval_count(context: Context) -> None:
    """Two payments of one milestone cannot both wait; approving one does not count it twice.

    A payment of somebody else waits without an effect.
    """
    voted(context, "Deep wells")
    ada, bob = (
        replace(context, operator=name, rules=Rules(approval_cents=500)) for name in ("ada", "bob")
    )
    waiting = _pay_for(ada, "survey", 900)
    assert isinstance(waiting, Approval)
    assert _tranches(context) == [("survey", 0, 900, 100), ("drill", 0, 0, 2000)]
    with pytest.raises(Conflict, match=r"of which \$9.00 wait for approval; \$4.50 was"):
        _pay_for(ada, "survey", 450)
    grant = disburse(ada, Disbursement(Payee.GRANTS, "deep-wells", 600))
    assert isinstance(grant, Approval)
    assert _tranches(context) == [("survey", 0, 900, 100), ("drill", 0, 0, 2000)]

    shown = show_approval(context, waiting.id)
    assert (shown["milestone"], shown["milestones"][0]["waitingCents"]) == ("survey", 900)
    approve(bob, waiting.id, handlers=HANDLERS)
    assert _tranches(context) == [("survey", 900, 0, 100), ("drill", 0, 0, 2000)]
