"""``robots.txt`` allows everything, and the site map lists the public pages."""

import re
from pathlib import Path

import pytest

from jara.services.content import import_items, publish_item
from jara.services.proposals.lifecycle import draft_proposal
from jara_webapi.pages.website import PAGES
from jara_webapi.resources.content import INDEXED
from tests.services.ballots.voting_world import PROPOSAL
from tests.webapi.desk import Desk, open_desk

SITE = "https://jara.example"
PROJECT = {"slug": "wells", "title": "Wells", "status": "Planning", "category": "water"}


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation with a project, an unpublished one, an open vote and a draft."""
    desk = open_desk(place, site_url=SITE)
    hidden = {**PROJECT, "slug": "hidden", "title": "Hidden"}
    import_items(desk.application.context, "projects", [PROJECT, hidden])
    publish_item(desk.application.context, "projects", "hidden", published=False)
    desk.open_vote(slug="bees-and-hives")
    draft_proposal(desk.application.context, {**PROPOSAL, "id": "draft", "slug": "draft"})
    return desk


def test_robots_may_read_everything_and_are_shown_the_map(desk: Desk) -> None:
    """``robots.txt`` allows all pages; private pages carry their own noindex."""
    answer = desk.client.simulate_get("/robots.txt")

    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == f"User-agent: *\nDisallow:\n\nSitemap: {SITE}/sitemap.xml\n"


def test_the_map_has_the_pages_the_projects_and_the_votes(desk: Desk) -> None:
    """Addresses start with the configured site address, and drafts are left out."""
    answer = desk.client.simulate_get("/sitemap.xml")
    found = re.findall(r"<loc>(.*?)</loc>", answer.text)

    assert answer.headers["content-type"] == "application/xml; charset=utf-8"
    assert found == [
        *(SITE + path for path in INDEXED),
        f"{SITE}/projects/wells",
        f"{SITE}/proposals/bees-and-hives",
    ]


def test_the_map_names_only_pages_that_there_are() -> None:
    """Every address of the site map exists."""
    assert set(INDEXED) <= set(PAGES)
