"""Pages are cached until the data change."""

import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jara.services.proposals import views as vote_views
from jara.store.unit_of_work import BOOKS_CURRENCY
from jara_webapi.resources import proposals
from tests.webapi.pages.site_world import Site, open_site, unzipped


@pytest.fixture
def site(place: Path) -> Site:
    """A website over an organisation with an open vote."""
    return open_site(place)


def test_a_request_that_waited_leaves_no_old_page_behind(site: Site) -> None:
    """A request that started before a vote does not store its old page after it."""
    token, number = site.desk.join(), site.api("/user/get-proposals")[0]["id"]
    came = SimpleNamespace(arrived=time.monotonic())
    assert "0 yes, 0 no, out of 1" in site.page("/proposals").plain
    site.desk.post("/user/votes", {"id": number, "voteType": "upvote"}, token=token)
    site.get("/proposals/bees", extras={"gunicorn.socket": came})

    assert "1 (100.0%)" in site.page("/proposals/bees").plain


def test_a_page_is_made_once_until_the_data_change(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is rendered once per change, and all votes' pages use one answer."""
    asked = list[str]()

    def listing(*arguments: Any) -> Any:
        asked.append("votes")
        return vote_views.list_public(*arguments)

    monkeypatch.setattr(proposals, "list_public", listing)
    for _ in range(3):
        for path in ("/proposals", "/proposals/bees", "/proposals/none"):
            site.get(path)
    assert asked == ["votes"]
    site.desk.open_vote(slug="new")
    assert site.get("/proposals/new").status_code == 200
    assert asked == ["votes", "votes"]


def test_an_unchanged_page_is_304(site: Site) -> None:
    """The ETag gives 304 until the data change, compressed or not."""
    first = site.get("/proposals", headers={"Accept-Encoding": "br, gzip"})
    etag = first.headers["etag"]
    known = {"Accept-Encoding": "br, gzip", "If-None-Match": etag}
    again = site.get("/proposals", headers=known)
    assert (first.headers["content-encoding"], again.status_code, again.content) == (
        "gzip",
        304,
        b"",
    )
    assert unzipped(first) == site.get("/proposals").text
    site.desk.open_vote(slug="new")

    assert site.get("/proposals", headers=known).status_code == 200


@pytest.mark.parametrize("path", ["/proposals", "/proposals/bees", "/proposals/none", "/faqs"])
def test_head_says_how_long_a_page_is(site: Site, path: str) -> None:
    """HEAD gives the page's length without its body."""
    seen, told = site.get(path), site.client.simulate_head(path)

    assert (told.status_code, told.content) == (seen.status_code, b"")
    assert str(len(seen.content)) == told.headers["content-length"]


def test_readers_of_a_country_share_the_pages_with_its_sign(place: Path) -> None:
    """Canadian dollars are "$" to a browser of Canada, and to no other."""
    site = open_site(place, ("en", "fr"))
    with site.desk.application.context.store.write() as work:
        work.meta.put(BOOKS_CURRENCY, "CAD")
    seen = {
        header: site.page("/proposals/bees", headers={"Accept-Language": header})
        for header in ("en-CA", "en-US", "en,en-CA;q=0.5", "de-CH, en-CA", "fr-CA", "en-CA")
    }

    goals = {
        header: re.findall(r"(?:CA)?\$[0-9,]+", page.plain)[:1] for header, page in seen.items()
    }
    assert goals == {
        "en-CA": ["$5"],
        "en-US": ["CA$5"],
        "en,en-CA;q=0.5": ["$5"],
        "de-CH, en-CA": ["CA$5"],
        "fr-CA": [],
    }
    assert [header for header, page in seen.items() if "data-home-currency" in page.attributes] == [
        "en-CA",
        "en,en-CA;q=0.5",
        "fr-CA",
    ]
    assert "5 $" in " ".join(seen["fr-CA"].plain.split())
