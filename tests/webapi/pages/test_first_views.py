"""The top of a project's or vote's page is in the HTML before any script runs."""

import json
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

import pytest

from jara.domain.organisation import IdentityPart
from jara.domain.time_zone import UTC_ZONE
from jara.services.content import edit_item
from jara.services.legal.changing import change_values
from jara_webapi.calls.scenes import Scenes
from jara_webapi.pages.page_fragments import Visit, home
from jara_webapi.pages.templates import Texts
from tests.webapi.pages.site_world import PICTURE, SCENES, Page, Site, open_site, texts_of

NOW = datetime(2026, 11, 1, tzinfo=UTC)
HOSTILE = 'Bees "and" </script><i> {{first.picture}} {{plain}}'
FIRST = {
    "title": "Bees & hives",
    "picture": "/assets/art-1/bees.svg",
    "tag": "Proposal to vote on, by Monday, 30 November, 23:59 UTC",
    "sample": "",
}


CLAIMS = [
    {"figure": "$1457", "label": "disbursed", "sample": True, "language": "en"},
    {"figure": "4", "label": "lives impacted", "language": "en"},
]
STATS = {
    "changemakers": 1,
    "monthlyDonationCents": 500,
    "pledgesCents": 1_874_300,
    "donatedCents": 2_220_000,
    "cashAtHandCents": 0,
    "monthlyFixedCostCents": 0,
    "donations": 7,
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A website with two projects, a hidden one, an open vote and a draft."""
    return open_site(tmp_path)


def drawn(page: Page) -> dict[str, Any]:
    """Return the answers from which, according to the page, it was drawn."""
    _, _, rest = page.answer.text.partition('id="page-data">')
    return dict(json.loads(rest.partition("</script>")[0]))


@pytest.mark.parametrize("path", ["/proposals", "/proposals/bees"])
def test_a_vote_is_seen_before_any_script_runs(site: Site, path: str) -> None:
    """The end date, title and picture are in the HTML, and the browser reuses them."""
    page = site.page(path)

    for text in FIRST.values():
        assert escape(text) in page.answer.text
    assert f'<hr class="{FIRST["picture"]}">' in page.answer.text
    assert set(drawn(page)) == {"/teams", "/proposals/_#first", f"{path}#first"}
    assert drawn(page)[f"{path}#first"] == FIRST


def test_another_name_is_told_as_the_browser_asks_for_it(site: Site) -> None:
    """Names are encoded as by encodeURIComponent; otherwise the browser draws the page again."""
    page = site.page("/projects/A%20school")

    assert drawn(page)["/projects/A%20school#first"] == {
        "title": "A school",
        "picture": PICTURE,
        "tag": "",
        "sample": "",
    }


def test_html_in_a_title_is_escaped(site: Site) -> None:
    """A title becomes neither an element nor a slot of the page."""
    context = site.desk.application.context
    edit_item(context, "projects", "school", {"title": HOSTILE})
    page = site.page("/projects/school")

    assert f"<h1>{escape(HOSTILE)}</h1>" in page.answer.text
    assert drawn(page)["/projects/school#first"]["title"] == HOSTILE
    assert "i" not in page.tags


def test_sample_content_is_marked_as_such(site: Site) -> None:
    """The page marks sample content before any script runs."""
    edit_item(site.desk.application.context, "projects", "school", {"sample": True})

    assert "<b>|Sample data</b>" in site.page("/projects/school").answer.text


def test_legal_texts_are_in_their_pages(site: Site) -> None:
    """The server writes the text where the page shows it, so nothing moves and nothing is asked."""
    context = site.desk.application.context
    change_values(context, {IdentityPart.ADDRESS: "1 <b>Main</b> {{first.html}} *Street*"})
    change_values(context, {}, effective=context.today())
    page, whole = site.page("/terms"), site.api("/legal/terms")
    (sent,) = drawn(page).values()

    assert sent == {"version": "", "html": whole["html"]}
    assert whole["html"] in page.answer.text
    assert "1 &lt;b&gt;Main&lt;/b&gt; {{first.html}} *Street*" in whole["html"]
    assert site.page("/terms?version=1").answer.text.count(whole["html"]) == 1
    for unknown in ("9", "0", "x", "1&version=2"):
        assert site.get(f"/terms?version={unknown}").status_code in {200, 404}
    assert site.get("/terms?version=9").status_code == 404


@pytest.mark.parametrize(
    ("language", "claims", "paid", "expected"),
    [
        (
            "en",
            CLAIMS,
            2_882_000,
            {
                "badge": "1 active changemaker",
                "headline": "$1457 disbursed. \n4 lives impacted.",
                "lang": "en",
                "mark": "Sample data",
                "live": "The open books today: $18,743 came from monthly pledges, $22,200 from "
                "gifts and grants; of the $28,820 paid out, members voted on $13,147.",
            },
        ),
        (
            "en",
            [],
            2_882_000,
            {
                "headline": "$28,820 paid out. \nMembers voted on $13,147 of it.",
                "live": "From the open books: $18,743 came from monthly pledges, "
                "$22,200 from gifts and grants.",
            },
        ),
        (
            "en",
            [],
            0,
            {
                "headline": "Monthly giving, \ndecided together.",
                "mark": "",
                "live": "From the open books: $18,743 came from monthly pledges, "
                "$22,200 from gifts and grants.",
            },
        ),
        ("fr", CLAIMS, 0, {"lang": "en", "mark": "Exemple"}),
        ("fr", [], 0, {"badge": "1 artisan du changement actif", "lang": "fr"}),
    ],
)
def test_the_headline_is_seen_before_any_script_runs(
    language: str, claims: list[dict[str, Any]], paid: int, expected: dict[str, str]
) -> None:
    """The operator's figures come first, then the books; without figures, only the books."""
    figures = {"claims": claims, "cashDeployedCents": paid, "votedOnCents": 1_314_700}
    answers = {"/stats": {**STATS, **figures}}
    texts = Texts(texts_of(language), language=language)
    visit = Visit(
        texts,
        Scenes(SCENES),
        ask=lambda path: answers.get(path, []),
        now=NOW,
        zone=UTC_ZONE,
        site="",
    )
    hero = home(visit).first["/#hero"]

    assert {name: hero[name] for name in expected} == expected


def test_the_home_page_says_its_headline_with_a_vote_and_without(site: Site) -> None:
    """The home page has one version with a vote and one without."""
    with_vote = site.page("/")
    site.desk.clock.set(datetime.fromisoformat("2026-12-01T00:00:00+00:00"))
    without = site.page("/")

    assert set(drawn(with_vote)) == {"/#hero", "/#first"}
    assert set(drawn(without)) == {"/#hero"}
    for page in (with_vote, without):
        assert "Monthly giving, \ndecided together." in page.answer.text
        assert page.title == "Home"
