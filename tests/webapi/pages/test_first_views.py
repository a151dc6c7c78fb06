"""What a page shows first of a project or a vote stands in it before any script runs."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest

from jara.services.content.editing import edit_item, publish_item
from jara.services.proposals.lifecycle import withdraw_proposal
from tests.webapi.pages.site_world import PICTURE, Page, Site, open_site

HOSTILE = 'Bees "and" </script><i> {{first.picture}} {{plain}}'
FIRST = {
    "title": "Bees & hives",
    "picture": "/assets/art-1/bees.svg",
    "tag": "Proposal to vote on, by Monday, 30 November, 23:59 UTC",
    "sample": "",
}


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A website with two projects, a hidden one, an open vote and a draft."""
    return open_site(tmp_path)


def drawn(page: Page) -> dict[str, Any]:
    """Return the answers that the browser is told the page was drawn with."""
    _, _, rest = page.answer.text.partition('id="page-data">')
    return dict(json.loads(rest.partition("</script>")[0]))


@pytest.mark.parametrize("path", ["/proposals", "/proposals/bees"])
def test_a_vote_is_seen_before_any_script_runs(site: Site, path: str) -> None:
    """Until when one may vote, its title and its picture, and the browser takes over the same."""
    page = site.page(path)

    for text in FIRST.values():
        assert escape(text) in page.answer.text
    assert f'<hr class="{FIRST["picture"]}">' in page.answer.text
    assert {"/teams", "/proposals/_#first", f"{path}#first"} == set(drawn(page))
    assert FIRST == drawn(page)[f"{path}#first"]


def test_another_name_is_told_as_the_browser_asks_for_it(site: Site) -> None:
    """As encodeURIComponent writes it; otherwise the page would be drawn anew."""
    page = site.page("/projects/A%20school")

    assert {"title": "A school", "picture": PICTURE, "tag": "", "sample": ""} == drawn(page)[
        "/projects/A%20school#first"
    ]


def test_a_project_that_the_build_drew_is_shown_whole(site: Site) -> None:
    """Until operators change it: then its title and its picture come first."""
    assert "drawn wells" in site.page("/projects/wells").answer.text
    context = site.desk.application.context
    edit_item(context, "projects", "wells", {"summary": "Deeper."})

    assert "<h1>Wells</h1>" in site.page("/projects/wells").answer.text


def test_a_title_is_text_whatever_is_in_it(site: Site) -> None:
    """Neither an element nor a slot of the page."""
    context = site.desk.application.context
    edit_item(context, "projects", "school", {"title": HOSTILE})
    page = site.page("/projects/school")

    assert f"<h1>{escape(HOSTILE)}</h1>" in page.answer.text
    assert HOSTILE == drawn(page)["/projects/school#first"]["title"]
    assert "i" not in page.tags


def test_content_that_came_with_the_program_says_so(site: Site) -> None:
    """Before any script runs, too."""
    edit_item(site.desk.application.context, "projects", "school", {"sample": True})

    assert "<b>|Sample data</b>" in site.page("/projects/school").answer.text


def test_there_is_nothing_to_see_first_without_a_vote(tmp_path: Path) -> None:
    """The page keeps the place as the build drew it."""
    site = open_site(tmp_path)
    number = site.api("/user/get-proposals")[0]["id"]
    withdraw_proposal(site.desk.application.context, number, reason="A mistake.")
    publish_item(site.desk.application.context, "projects", "school", published=False)

    for path in ("/proposals", "/projects/school", "/proposals/bees"):
        assert "{{first" not in site.page(path).answer.text


def test_a_legal_text_comes_with_what_the_organisation_has_set(site: Site) -> None:
    """Names stand in it from the start, so that nothing moves; what is not set stays a blank."""
    page = site.page("/terms")
    config = page.live["/config"]

    assert None is config["contactEmail"]
    names = {
        "organisation": config["organisation"],
        "contact_email": "[contact email]",
        "site_url": config["siteUrl"],
        "payment_provider": "our test payment service",
    }
    assert {"/config#names": names} == drawn(page)
    assert " | ".join(names.values()) in page.answer.text
