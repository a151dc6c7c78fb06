"""The figures of the content equal the spec's and add up."""

import pytest

from jara.domain.books.account import ACCOUNTS, PAYEE_PARENTS, ChartOfAccounts
from tests.data.content_files import Item, by_slug, load


def budget_sum(proposal: Item) -> int:
    """Return the total budget of a proposal."""
    return sum(line["amountCents"] for line in proposal["budgetList"])


def completed_cents(project: Item) -> int:
    """Return the total of the completed milestones."""
    return sum(each["costCents"] for each in project["milestones"] if each["completed"])


def test_seed_figures_give_the_headlines_of_the_home_page() -> None:
    """The home page says '$1457 disbursed' and '4 lives impacted' (spec §2, §9)."""
    claims = [(claim["figure"], claim["label"]) for claim in load("claims")]

    assert claims == [("{symbol}1457", "disbursed"), ("4", "lives impacted")]


def test_seven_donations_make_28820_dollars() -> None:
    """Donations distributed 7; total funds disbursed $28,820 (spec §2, §9)."""
    donations = load("donations")

    assert len(donations) == 7
    assert sum(donation["amountCents"] for donation in donations) == 28_820_00


def test_each_donation_was_booked_for_one_project_or_grant() -> None:
    """Every dollar counts once, in an account below its project or grant."""
    donated = {item["account"]: item["amountCents"] for item in load("donations")}
    granted = {f"expenses:grants:{item['slug']}": item["amountCents"] for item in load("grants")}
    used = {item["account"]: item["capitalUsedCents"] for item in load("projects")}

    assert len(donated) == 7
    assert donated == {
        name: cents for name, cents in (used | granted).items() if name in granted or cents
    }
    assert all(used[name] == granted[name] for name in used.keys() & granted.keys())


def test_payees_fit_the_chart_of_accounts() -> None:
    """The account of each project or donation exists in the ledger."""
    chart = ChartOfAccounts.of(one.name for one in ACCOUNTS)
    costs = {item["account"] for item in load("fixed-costs")}
    payees = {item["account"] for kind in ("projects", "donations") for item in load(kind)}

    assert all(name in chart for name in payees | costs)
    assert all(name.rpartition(":")[0] in PAYEE_PARENTS for name in payees)


def test_completed_milestones_make_the_capital_used() -> None:
    """'The four completed milestones add up to this figure': this holds for every project."""
    for project in load("projects"):
        assert project["capitalUsedCents"] == completed_cents(project)
        assert project["capitalUsedCents"] <= project["fundingGoalCents"]


@pytest.mark.parametrize("kind", ["proposals", "past-proposals"])
def test_a_budget_adds_up_to_its_goal(kind: str) -> None:
    """The budget items of a proposal add up to its goal."""
    for proposal in load(kind):
        assert proposal["fundingGoalCents"] == budget_sum(proposal)
        assert all({"description", "amountCents"} == line.keys() for line in proposal["budgetList"])


def test_past_votes_carry_their_projects() -> None:
    """A passed proposal has its project's goal and category."""
    projects = by_slug("projects")
    past = load("past-proposals")

    assert {proposal["status"] for proposal in past} == {"passed", "rejected"}
    for proposal in past:
        assert (proposal["status"] == "passed") == ("project" in proposal)
        if proposal["status"] == "passed":
            project = projects[proposal["project"]]
            assert project["fundingGoalCents"] == proposal["fundingGoalCents"]
            assert (project["category"], project["location"]) == (
                proposal["category"],
                proposal["countryCode"],
            )
            assert proposal["endDate"] < project["milestones"][0]["date"]


def test_every_project_paid_on_its_own_account_had_a_vote() -> None:
    """A payout names the proposal that was passed for it."""
    voted = {proposal.get("project") for proposal in load("past-proposals")}
    paid = {
        project["slug"]
        for project in load("projects")
        if project["capitalUsedCents"] and project["account"].startswith("expenses:projects:")
    }

    assert paid <= voted


def test_fixed_costs_are_58_dollars_a_month() -> None:
    """The current lines add up to the open ledger's figure."""
    costs = load("fixed-costs")

    assert sum(line["amountCents"] for line in costs if line["validTo"] is None) == 58_00
