"""Pages for visitors without scripts, search engines and share previews."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jara.domain.books.account import Fund
from jara.domain.books.journal import EntryKind, Foreign, JournalEntry, Posting
from jara.domain.errors import Unavailable
from jara.services.books.posting import Books
from jara.services.content import edit_item, import_items, publish_item
from jara.services.projects.disbursing import Disbursement, Payee, disburse
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_vote
from jara_webapi.resources import reports
from tests.services.ballots.voting_world import PROPOSAL
from tests.services.books.ledger_builders import give, pass_proposal
from tests.webapi.pages.site_world import SITE, Site, open_site, unzipped


@pytest.fixture
def site(place: Path) -> Site:
    """A website with two projects, a hidden one, an open vote and a draft."""
    return open_site(place)


def test_a_vote_has_a_head_for_share_previews(site: Site) -> None:
    """Title, summary and addresses belong to the vote, and every address is absolute."""
    page = site.page("/proposals/bees")

    assert page.title == "Bees & hives — Jara"
    assert page.metas == {
        "description": PROPOSAL["summary"],
        "og:site_name": "Jara",
        "og:type": "website",
        "og:title": "Bees & hives — Jara",
        "og:description": PROPOSAL["summary"],
        "og:image": f"{SITE}/previews/proposals/bees.png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Bees & hives",
        "og:locale": "en_US",
        "og:url": f"{SITE}/proposals/bees",
        "twitter:card": "summary_large_image",
    }
    assert page.links["canonical"] == f"{SITE}/proposals/bees"


def test_a_project_shows_its_own_picture(site: Site) -> None:
    """The picture's address is absolute, because previews need that."""
    page = site.page("/projects/school")

    assert page.title == "A school — Jara"
    assert page.metas["og:image"] == f"{SITE}/previews/projects/school.png"
    edit_item(site.desk.application.context, "projects", "school", {"imageUrl": "https://a.b/c"})
    assert site.page("/projects/school").metas["og:image"] == "https://a.b/c"
    assert site.page("/projects/wells").metas["og:image"] == f"{SITE}/previews/projects/wells.png"


def test_search_engines_learn_where_to_give(site: Site) -> None:
    """A project is described in schema.org terms, and its title cannot end the element."""
    edit_item(site.desk.application.context, "projects", "wells", {"title": "</script><b>"})
    head = site.get("/projects/wells").text
    _, _, data = head.partition('<script type="application/ld+json">')
    found = json.loads(data.partition("</script>")[0])

    assert (found["@type"], found["name"]) == ("Project", "</script><b>")
    assert found["potentialAction"]["target"] == f"{SITE}/donate"
    assert "ld+json" not in site.get("/proposals/bees").text


def test_measures_can_be_read_without_scripts(place: Path) -> None:
    """What was measured, when and how, from where, and what one unit cost; in French as well."""
    site = open_site(place, ("en", "fr"))
    context = site.desk.application.context
    wells = {"homes": (10.1, 1250, 2510.6), "walk": (190, 15, 60)}
    names = {"homes": ("Homes with water", "homes"), "walk": ("Walk for water", "minutes")}
    measures = [
        {"id": key, "name": names[key][0], "unit": names[key][1], "by": "2026-01-31"}
        | {"baseline": before, "target": target}
        for key, (before, target, _) in wells.items()
    ]
    values = [
        {"measure": key, "value": value, "date": "2026-01-30", "note": f"Counted: {key}"}
        for key, (_, _, value) in wells.items()
    ]
    edit_item(context, "projects", "wells", {"measures": measures, "measurements": values})
    give(context, 1_000_000)
    pass_proposal(context, 800_000)
    disburse(context, Disbursement(Payee.PROJECTS, "wells", 250_050, proposal="wells"))
    plain = " ".join(site.page("/projects/wells").plain.split())

    assert "Reached. 2,510.6 of 1,250 homes. Counted: homes" in plain
    assert "Before: 10.1. Measured on 30 January 2026. Target for 31 January 2026." in plain
    assert (
        "Cost per unit: $1.00, from what the project was paid for 2,500.5 homes more than before."
        in plain
    )
    assert "Overdue. 60 minutes, target 15. Counted: walk" in plain
    assert "Nobody has measured it since its day." in plain
    assert "for 130 minutes less than before." in plain
    report = " ".join(site.page("/impact?period=all").plain.split())
    assert "Homes with water: 2,510.6 of 1,250 homes. Reached." in report
    assert "Walk for water: 60 minutes, target 15. Overdue." in report
    answer = site.page("/projects/wells", headers={"Accept-Language": "fr"})
    french = " ".join(answer.plain.split())
    assert "2 510,6 sur 1 250 homes" in french
    assert "Mesuré le 30 janvier 2026." in french


@pytest.mark.parametrize("path", ["/proposals/{id}", "/projects/A school", "/projects/A%20school"])
def test_another_name_leads_to_the_same_page(site: Site, path: str) -> None:
    """A proposal's id and a project's title work too; search engines get the main address."""
    number = site.api("/user/get-proposals")[0]["id"]
    page = site.page(path.format(id=number))

    assert page.links["canonical"] in {f"{SITE}/proposals/bees", f"{SITE}/projects/school"}


@pytest.mark.parametrize(
    "path", ["/proposals/none", "/projects/none", "/proposals/draft", "/projects/hidden"]
)
def test_hidden_content_is_not_found(site: Site, path: str) -> None:
    """Drafts and hidden projects are not found, and the page holds nothing of them."""
    page = site.page(path)

    assert (page.answer.status_code, page.title) == (404, "Page not found — Jara")
    assert page.metas["robots"] == "noindex"
    assert "canonical" not in page.links
    assert page.live == {}
    assert "We can't find this page." in page.plain
    assert page.answer.headers["cache-control"] == "no-cache"


def test_a_vote_can_be_read_without_scripts(site: Site) -> None:
    """The page shows purpose, cost, end date and current result."""
    token = site.desk.join()
    number = site.api("/user/get-proposals")[0]["id"]
    site.desk.post("/user/votes", {"id": number, "voteType": "upvote"}, token=token)
    plain = site.page("/proposals/bees").plain

    for words in ("Bees & hives", "Three boreholes", "Drilling", "$5", "Long walks.", "Households"):
        assert words in plain
    assert "Proposal to vote on, by Monday, 30 November, 23:59 UTC" in plain
    assert "1 (100.0%)" in plain
    assert "Open until Monday, 30 November, 23:59 UTC" in site.page("/proposals").plain
    site.desk.clock.set(datetime.fromisoformat("2026-12-01T00:00:00+00:00"))
    assert "Voting closed on Monday, 30 November" in site.page("/proposals/bees").plain


def test_a_project_can_be_read_without_scripts(site: Site) -> None:
    """The page shows story, steps, money and news."""
    plain = site.page("/projects/school").plain

    for words in ("A school", "Bricks.", "The roof", "$90", "1 May 2027 (planned)", "Walls", "Up."):
        assert words in plain
    assert "Total paid" in plain


def test_a_payment_abroad_can_be_read_without_scripts(site: Site) -> None:
    """Both currencies are on the project's page and in the impact report."""
    context = site.desk.application.context
    account, fund = "expenses:projects:school", Fund.PROJECTS
    entry = JournalEntry(
        day=context.today(),
        kind=EntryKind.DISBURSEMENT,
        description="Payment",
        postings=(Posting(account, fund, 900), Posting("assets:bank", fund, -900)),
        foreign=Foreign("KES", 116_100, "129.00"),
    )
    with context.store.write() as work:
        Books(context, work).post(entry)
    project = site.page("/projects/school").plain

    assert "$9.00 = KES 1,161 at 129.00" in project
    assert "Of this, in KES" in project
    assert "$9.00 = KES 1,161 at 129.00" in site.page("/impact").plain


def test_a_decision_leads_to_its_project_and_back(site: Site) -> None:
    """A project's page shows what its vote promised, and each page links to the other."""
    context, token = site.desk.application.context, site.desk.join()
    number = site.api("/user/get-proposals")[0]["id"]
    site.desk.post("/user/votes", {"id": number, "voteType": "upvote"}, token=token)
    site.desk.clock.set(datetime.fromisoformat("2026-12-01T12:00:00+00:00"))
    close_vote(context, number)
    slug = fund_proposal(context, number).slug
    publish_item(context, "projects", slug)
    vote, project = site.page("/proposals/bees"), site.page(f"/projects/{slug}")

    assert f'href="/projects/{slug}"' in vote.answer.text
    assert "Passed" in vote.plain
    assert "Yes votes still needed" not in vote.plain
    assert "Approved by vote" in project.plain
    assert 'href="/proposals/bees"' in project.answer.text
    assert "Bees & hives" in site.page("/impact").plain


def test_lists_can_be_read_without_scripts(site: Site) -> None:
    """Team, questions, grants and roadmap are the organisation's own; empty ones say so."""
    pages = {
        "/team": "The people behind Jara will be",
        "/faqs": "There are no questions here yet.",
        "/grants": "No grants have been made yet.",
    }
    assert {
        path: site.page(path).plain.strip()[: len(said)] for path, said in pages.items()
    } == pages
    context = site.desk.application.context
    import_items(context, "team", [{"name": "Ada Obi", "role": "Chair", "group": "trustees"}])
    answer = {"question": "Who <i>votes</i>?", "answer": "<p>You.</p>", "onHome": True}
    import_items(context, "faqs", [answer])
    grant = {"slug": "a", "name": "Osu", "project": "Nets", "description": "For six boats."}
    import_items(context, "grants", [{**grant, "category": "business", "amountCents": 1000}])
    import_items(context, "roadmap", [{"title": "First hundred", "status": "In Progress"}])
    shown = {
        "/team": "Ada Obi, Chair",
        "/faqs": "Who <i>votes</i>?",
        "/grants": "For six boats.",
        "/why-jara-exists": "First hundred: In Progress",
    }

    assert {path: said for path, said in shown.items() if said in site.page(path).plain} == shown
    assert "Ada Obi" in site.page("/").plain
    assert "You." in site.page("/").plain
    assert '"@type": "FAQPage"' in site.get("/faqs").text
    assert "i" not in site.page("/faqs").tags


def test_the_report_of_a_month_can_be_read_without_scripts(site: Site) -> None:
    """The default is this year; a period without a report is explained."""
    assert "There is no report yet." in site.page("/impact").plain
    site.desk.join(contribution="25")
    for day in ("2026-12-01", "2027-01-02"):
        site.desk.clock.set(datetime.fromisoformat(f"{day}T12:00:00+00:00"))
    this_year, november = (site.page("/impact", query_string=one) for one in ("", "period=2026-11"))

    assert "Year 2027" in this_year.plain
    assert "This period is not over." in this_year.plain
    assert "not over" not in november.plain
    assert "November 2026" in november.plain
    assert "$25" in november.plain
    assert "Year 2026" in site.page("/impact", query_string="period=2026").plain
    assert "There is no report yet." in site.page("/impact", query_string="period=1999").plain
    assert this_year.plain == site.page("/impact", query_string="period=%22%3E").plain
    assert "All time" in site.page("/impact", query_string="period=all").plain
    assert "Year 2027" in site.page("/ledger").plain
    assert set(november.live) == {"/config", "/impact?month=2026-11"}


@pytest.mark.parametrize(
    ("path", "read"),
    [
        ("/", {"/stats", "/projects", "/team", "/faqs"}),
        ("/projects", {"/projects"}),
        ("/donations", {"/donations"}),
        ("/grants", {"/grants"}),
        ("/team", {"/team"}),
        ("/faqs", {"/faqs"}),
        ("/why-jara-exists", {"/stats", "/roadmap", "/projects"}),
        ("/proposals", {"/user/get-proposals"}),
        ("/ledger", {"/ledger/budget", "/proofs/witnesses"}),
        ("/proposals/bees", {"/user/get-proposals"}),
        ("/projects/school", {"/projects/school"}),
        ("/projects/A%20school", {"/projects/A%20school"}),
    ],
)
def test_a_page_brings_the_answers_that_it_reads_first(
    site: Site, path: str, read: set[str]
) -> None:
    """The embedded answers equal the API's byte for byte."""
    live = site.page(path).live
    # The part after "#" is a part of an answer.
    whole = {call: answer for call, answer in live.items() if "#" not in call}

    assert set(whole) == {"/config", *read}
    for call, answer in whole.items():
        assert site.api(call) == answer


def test_the_home_page_brings_the_votes_in_progress(site: Site) -> None:
    """Open votes are embedded without their stories; closed votes are not."""
    of_api = {one["id"]: one for one in site.api("/user/get-proposals")}
    shown = site.page("/").live["/user/get-proposals#open"]

    assert [one["slug"] for one in shown] == ["bees"]
    assert all(one[key] == of_api[one["id"]][key] for one in shown for key in one)
    assert "Bees &amp; hives" in site.get("/").text
    site.desk.clock.set(datetime.fromisoformat("2027-12-01T00:00:00+00:00"))
    assert site.page("/").live["/user/get-proposals#open"] == []


def test_fixed_pages_have_the_address_of_the_site(site: Site) -> None:
    """A page is compressed after the site's address is filled in."""
    answer = site.get("/faqs", headers={"Accept-Encoding": "br, gzip"})

    assert answer.headers["content-encoding"] == "gzip"
    assert f'<html data-site="{SITE}">' in unzipped(answer)
    assert "{{site_url}}" not in unzipped(answer)
    assert SITE in site.get("/nothing").text


def test_built_pages_are_sent_while_the_database_is_down(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the database is busy, the page is sent without figures."""

    def busy(*_: object) -> Any:
        raise Unavailable("The database is busy.")

    monkeypatch.setattr(reports, "site_figures", busy)
    answer = site.get("/")

    assert (answer.status_code, "Home" in answer.text) == (200, True)
