"""The shipped content is complete, readable, marked as a sample, and its figures add up."""

import re
from collections import Counter
from hashlib import sha256

import nh3
import pytest

from jara.domain.books.account import ACCOUNTS, PAYEE_PARENTS, ChartOfAccounts
from jara.files.content_files import read_content
from tests.data.content_files import DATA, KINDS, Item, by_slug, load, scalars

CATEGORIES = {"civic", "water", "healthcare", "education", "business", "agriculture"}
HTML_TAGS = {"p", "h3", "h4", "ul", "ol", "li", "a", "img", "blockquote", "strong", "em"}
HTML_KEYS = {"story", "storySections", "implementation", "content"}


def test_every_file_is_known() -> None:
    """Every file is read by a test."""
    found = {path.stem for path in DATA.glob("*.yaml")}

    assert found == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_ids_and_slugs_are_unique_words(kind: str) -> None:
    """Ids and slugs are unique and valid in an address."""
    items = load(kind)

    for key in ("id", "slug"):
        names = [item[key] for item in items if key in item]
        assert [name for name, count in Counter(names).items() if count > 1] == []
        assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


@pytest.mark.parametrize("kind", KINDS)
def test_every_item_has_an_id(kind: str) -> None:
    """An item needs an id to be edited later."""
    assert all("id" in item for item in load(kind))


def test_projects_grants_donations_and_proposals_have_slugs() -> None:
    """Items with a page or account have a slug."""
    for kind in ("projects", "grants", "donations", "proposals", "past-proposals"):
        assert all("slug" in item for item in load(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_seed_content_is_marked_as_sample(kind: str) -> None:
    """Invented content is never mistaken for an organisation's own."""
    assert all(item["sample"] is True for item in load(kind))


def test_samples_show_evidence_that_ships_under_its_hash() -> None:
    """The file's name is the SHA-256 of its bytes, and the file says that it is a sample."""
    public = DATA.parent / "webui" / "public"
    parts = [
        part
        for project in load("projects")
        for part in (*project.get("milestones", ()), *project["updates"])
        if part.get("completed", True)
    ]
    receipts = [path for part in parts for path in part.get("evidence", ())]
    photos = [path for part in parts for path in part["images"]]

    assert receipts
    for path in {*receipts, *photos}:
        data = (public / path.removeprefix("/")).read_bytes()
        assert path.partition(".")[0] == f"/samples/{sha256(data).hexdigest()}"
        assert path.endswith(".jpg") or "Sample · Exemple" in data.decode()
    shown = [tuple(part["images"]) for part in parts if "completed" in part]
    assert len(set(shown)) == len(shown), "each milestone has its own picture"


def test_money_is_whole_cents() -> None:
    """Every amount is an integer of cents, at least 0, never a float."""
    amounts = [value for _, key, value in scalars() if key.endswith("Cents")]

    assert amounts
    assert all(type(value) is int and value >= 0 for value in amounts)
    assert not any(isinstance(value, float) for _, _, value in scalars())


def test_texts_are_trimmed_and_dates_are_texts() -> None:
    """A date is quoted in the file, so that YAML and JSON have the same value."""
    for _, key, value in scalars():
        assert isinstance(value, str | int | None)
        if isinstance(value, str):
            assert value.strip() == value != ""
        if key in {"date", "endDate", "validFrom"}:
            assert isinstance(value, str)
            assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", value)


def test_the_sanitiser_leaves_our_html_unchanged() -> None:
    """The sanitiser leaves seed HTML unchanged byte for byte."""
    texts = [value for _, key, value in scalars() if key in HTML_KEYS and isinstance(value, str)]

    assert texts
    for text in texts:
        assert nh3.clean(text, tags=HTML_TAGS, link_rel="noopener noreferrer nofollow") == text
        assert text.startswith("<")


def test_plain_texts_hold_no_markup() -> None:
    """A tag in a text without HTML would be visible."""
    plain = [value for _, key, value in scalars() if key not in HTML_KEYS]

    assert not any(isinstance(value, str) and re.search(r"</?\w", value) for value in plain)


def test_every_category_is_present() -> None:
    """At least nine projects, in all six categories, with all three statuses (spec §3, §4)."""
    projects = load("projects")

    assert len(projects) >= 9
    assert {project["category"] for project in projects} == CATEGORIES
    assert {project["status"] for project in projects} == {"Planning", "In Progress", "Complete"}


def test_progress_agrees_with_status() -> None:
    """65 and 25 appear (spec §9); complete means 100 and planning 0."""
    projects = load("projects")
    progress = {project["progress"] for project in projects}

    assert {65, 25} <= progress
    for project in projects:
        done = {"Planning": range(1), "In Progress": range(1, 100), "Complete": range(100, 101)}
        assert project["progress"] in done[project["status"]]


def test_five_questions_stand_on_the_home_page() -> None:
    """Five on the home page, at least eight in all; they state the rules (spec §1, §2)."""
    faqs = read_content((DATA / "faqs.yaml").read_bytes(), "faqs.yaml")
    home = [faq for faq in faqs if faq["onHome"]]

    assert len(faqs) >= 8
    assert len(home) == 5
    assert all(share in home[0]["answer"] for share in ("80%", "7%", "9%", "4%"))
    assert "The minimum pledge is $5 a month." in home[1]["answer"]
    assert "passes when 50% or more of changemakers vote yes" in home[2]["answer"]
    assert any("Contact support" in faq["answer"] for faq in faqs)


def test_invented_people_link_to_no_real_profile() -> None:
    """A sample name must not link to a real person's page (RFC 2606)."""
    links = [str(value) for _, key, value in scalars() if key == "linkedinUrl"]

    assert links
    assert all(link.startswith("https://linkedin.example/in/") for link in links)


def test_one_proposal_is_open() -> None:
    """The sample proposal is open and ends thirty days after it is loaded."""
    (proposal,) = load("proposals")

    assert (proposal["status"], proposal["endsInDays"]) == ("open", 30)


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
