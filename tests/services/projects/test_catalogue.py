"""Tests of the catalogue: published projects with their money and votes."""

from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.journal import PostedEntry
from jara.domain.errors import NotFound
from jara.domain.language import Language
from jara.domain.voting.tally import Choice
from jara.services.books.bookkeeping import return_payment
from jara.services.content import import_items
from jara.services.context import Context
from jara.services.projects.catalogue import (
    latest_updates,
    list_donations,
    list_grants,
    list_projects,
    list_published,
    list_roadmap,
    show_project,
)
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.funding import fund_proposal
from jara.services.projects.milestones import Evidence, add_evidence, finish_milestone
from jara.services.proposals.closing import close_vote
from jara.services.proposals.lifecycle import draft_proposal
from tests.harness import clock_of, make_organisation
from tests.services.ballots.voting_world import PROPOSAL, add_member, open_vote, vote

WELLS: dict[str, Any] = {
    "id": "wells",
    "slug": "clean-wells",
    "title": "Clean wells",
    "status": "In Progress",
    "category": "water",
    "capitalUsedCents": 5000,
    "updates": [
        {"id": "u1", "title": "Begun", "author": "A", "date": "2026-10-01", "content": "<p>x</p>"},
        {"id": "u2", "title": "Dug", "author": "A", "date": "2026-11-01", "content": "<p>y</p>"},
    ],
}
SCHOOL: dict[str, Any] = {
    "id": "school",
    "title": "A school",
    "status": "Planning",
    "category": "education",
}
HIDDEN: dict[str, Any] = {
    **SCHOOL,
    "id": "hidden",
    "title": "Hidden",
    "published": False,
    "updates": [{**WELLS["updates"][1], "id": "u3"}],
}


@pytest.fixture
def context(place: Path) -> Context:
    """An organisation with two public projects and a hidden one."""
    made = make_organisation(place)
    import_items(made, "projects", [dict(each) for each in (WELLS, SCHOOL, HIDDEN)])
    return made


def test_only_published_items_are_listed(context: Context) -> None:
    """Projects are in the operators' order, and can be limited to one category."""
    assert [card["id"] for card in list_projects(context)] == ["wells", "school"]
    assert [card["id"] for card in list_projects(context, "education")] == ["school"]
    assert [item["id"] for item in list_published(context, "projects")] == ["wells", "school"]


@pytest.mark.parametrize("name", ["Clean wells", "clean-wells", "wells"])
def test_title_and_slug_both_lead_to_a_project(context: Context, name: str) -> None:
    """Spec §2 uses the title, our links the slug; news are listed newest first."""
    project = show_project(context, name)

    assert project["slug"] == "clean-wells"
    assert [update["id"] for update in project["updates"]] == ["u2", "u1"]
    assert (project["capitalUsedCents"], project["vote"], project["commitment"]) == (
        5000,
        None,
        None,
    )


def test_a_target_that_was_reached_is_complete_with_its_day(context: Context) -> None:
    """Paying people and a month's contributions count; items without a target stay as they are."""
    acts: list[dict[str, Any]] = [
        {"id": "two", "measure": "changemakers", "targetCount": 2},
        {"id": "three", "measure": "changemakers", "targetCount": 3},
        {"id": "income", "measure": "monthlyIncome", "targetCents": 2000},
        {"id": "more", "measure": "monthlyIncome", "targetCents": 2001},
        {"id": "zero", "measure": "changemakers", "targetCount": 0},
        {"id": "plain"},
        {"id": "done", "status": "Complete", "completedOn": "2025-05-01"},
    ]
    import_items(
        context, "roadmap", [{"title": one["id"], "status": "In Progress", **one} for one in acts]
    )
    for name in ("ama", "kofi"):
        add_member(context, name)
    shown = {one["id"]: (one["status"], one.get("completedOn")) for one in list_roadmap(context)}

    today = context.today()
    assert shown == {
        "two": ("Complete", today.isoformat()),
        "three": ("In Progress", None),
        "income": ("Complete", today.replace(day=1).isoformat()),
        "more": ("In Progress", None),
        "zero": ("In Progress", None),
        "plain": ("In Progress", None),
        "done": ("Complete", "2025-05-01"),
    }


@pytest.mark.parametrize("name", ["hidden", "clean", "no-such"])
def test_hidden_and_unknown_projects_are_not_found(context: Context, name: str) -> None:
    """Visitors cannot use the beginning of a name either."""
    with pytest.raises(NotFound):
        show_project(context, name)


STEPS = [
    {"id": "survey", "date": "2026-10-01", "title": "Survey", "costCents": 200},
    {"id": "drill", "date": "2026-12-01", "title": "Drilling", "costCents": 300},
]


def test_vote_commitment_payouts_and_milestones_add_up_to_the_ledger(context: Context) -> None:
    """The public page follows the money from vote to milestone, to the cent."""
    import_items(context, "projects", [{**WELLS, "milestones": STEPS}])
    vote(context, _voter(context), Choice.UP.value)
    clock_of(context).advance(days=20)
    close_vote(context, "prop_01")
    fund_proposal(context, "prop_01", project="wells")
    _pay(context, 200)
    finish_milestone(context, "wells", "survey", on=context.today())
    second = _pay(context, 150)
    return_payment(context, second.id, cost_cents=30, received_cents=30)
    project = show_project(context, "wells")
    payouts, promised = project["payouts"], project["commitment"]

    assert [payout["cents"] for payout in payouts] == [200, 150, -30]
    assert {payout["proposal"] for payout in payouts} == {"clean-water"}
    assert project["vote"]["slug"] == payouts[0]["proposal"]
    assert project["vote"]["tally"]["yes"] == 1
    assert 320 == project["paidCents"] == promised["paidCents"] == project["capitalUsedCents"]
    assert 320 == sum(payout["cents"] for payout in payouts) == _balance(context)
    assert [step["paidCents"] for step in project["milestones"]] == [200, 120]
    assert promised["goalCents"] == 500
    assert sum(promised[f"{part}Cents"] for part in ("held", "paid", "released", "queued")) == 500
    with context.store.read() as work:
        for payout in payouts:
            assert payout["entry"] == work.journal.get(payout["index"]).id


def _voter(context: Context) -> Any:
    member = add_member(context, "ama")
    open_vote(context, slug="clean-water")
    return member


def _pay(context: Context, cents: int) -> PostedEntry:
    posted = disburse(context, Disbursement(Payee.PROJECTS, "clean-wells", cents, "prop_01"))
    assert isinstance(posted, PostedEntry)
    return posted


def _balance(context: Context) -> int:
    with context.store.read() as work:
        rows = work.journal.balances(accounts=("expenses:projects:clean-wells",))
    return sum(row.cents for row in rows)


def test_evidence_is_shown_with_the_hash_it_is_kept_under(context: Context) -> None:
    """Photos and documents of the media folder have a hash; a website's picture is no evidence."""
    import_items(
        context,
        "projects",
        [{**WELLS, "milestones": [{**STEPS[0], "images": ["/images/drawing.webp"]}]}],
    )
    digest = "ab" * 32
    add_evidence(context, "wells", "survey", Evidence(f"/media/{digest}.jpg", is_image=True))
    for folder in ("media", "samples", "images"):
        paper = Evidence(f"/{folder}/{digest}.pdf", is_image=False)
        add_evidence(context, "wells", "survey", paper)
    (step,) = show_project(context, "wells")["milestones"]

    assert step["evidence"] == [
        {"path": f"/media/{digest}.jpg", "sha256": digest, "isImage": True},
        {"path": f"/media/{digest}.pdf", "sha256": digest, "isImage": False},
        {"path": f"/samples/{digest}.pdf", "sha256": digest, "isImage": False},
    ]


@pytest.mark.parametrize("known", [False, True])
def test_a_vote_that_is_not_public_is_not_shown(context: Context, *, known: bool) -> None:
    """Neither a draft nor an unknown proposal is shown."""
    if known:
        draft_proposal(context, {**PROPOSAL, "id": "prop_09"})
    import_items(context, "projects", [{**SCHOOL, "proposal": "prop_09"}])

    assert show_project(context, "school")["vote"] is None


def test_donations_are_counted_and_added_up(context: Context) -> None:
    """Each donation has the fields of spec §3."""
    rows = [
        {"id": f"d{n}", "code": "TZ", "title": f"Gift {n}", "amountCents": n * 100} for n in (1, 2)
    ]
    import_items(context, "donations", rows)
    document = list_donations(context)

    assert (document["count"], document["totalCents"]) == (2, 300)
    assert set(document["donations"][0]) == {
        *("code", "title", "amount", "amountCents", "language", "projectSlug")
    }


def test_grants_and_donations_have_the_name_of_the_project_that_they_paid_for(
    context: Context,
) -> None:
    """By the account, or else of the grant; without either it has its own name, and no link."""
    wells = {**WELLS, "account": "expenses:grants:well", "fr": {"title": "Des puits propres"}}
    import_items(context, "projects", [wells])
    grant = {"name": "A circle", "category": "water", "amountCents": 300}
    grants = [
        {**grant, "id": "g1", "slug": "well", "project": "A well", "fr": {"project": "Un puits"}},
        {**grant, "id": "g2", "slug": "books", "project": "Books"},
    ]
    import_items(context, "grants", grants)
    accounts = ["expenses:grants:well", "expenses:grants:books", "expenses:projects:hidden"]
    donations = [
        {"id": f"d{n}", "code": "TZ", "title": f"Gift {n}", "amountCents": 100, "account": account}
        for n, account in enumerate(accounts)
    ]
    import_items(context, "donations", donations)

    named = [(one["project"], one["projectSlug"]) for one in list_grants(context)]
    assert named == [("Clean wells", "clean-wells"), ("Books", None)]
    listed = list_donations(context)["donations"]
    assert [(one["title"], one["projectSlug"]) for one in listed] == [
        ("Clean wells", "clean-wells"),
        ("Books", None),
        ("Gift 2", None),
    ]
    french = list_grants(context.for_reader(Language("fr")))
    assert [(one["project"], one.get("original")) for one in french] == [
        ("Des puits propres", {"project": "Clean wells"}),
        ("Books", None),
    ]


def test_the_news_of_public_projects_come_newest_first(context: Context) -> None:
    """The feed has the news of all public projects."""
    assert [update["id"] for update in latest_updates(context)] == ["u2", "u1"]
