"""Cards and badges that other sites show in a frame or as an image."""

from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from jara.files.preview_program import PaintingProgram
from jara.services.content import edit_item
from jara_webapi.pages.cards import EMBED_POLICY
from tests.webapi.pages.site_world import PICTURE, SITE, Site, open_site


@pytest.fixture
def site(place: Path) -> Site:
    """A website with two projects and an open vote."""
    return open_site(place)


def vote(site: Site) -> None:
    """Cast a member's yes."""
    number = site.api("/user/get-proposals")[0]["id"]
    token = site.desk.join()
    assert site.desk.post(
        "/user/votes", {"id": number, "voteType": "upvote"}, token=token
    ).status_code == 200  # fmt: skip


class _Shown(HTMLParser):
    """A parser that collects a card's text, links and loaded resources."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.links: list[dict[str, str | None]] = []
        self.loads: list[str | None] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        if tag == "a":
            self.links.append(given)
        if "src" in given:
            self.loads.append(given["src"])

    def handle_data(self, data: str) -> None:
        self.words.append(data.strip())


def shown(site: Site, path: str) -> _Shown:
    """Parse a card."""
    answer = site.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return _Shown(answer.text)


def test_a_votes_card_shows_the_needed_votes(site: Site) -> None:
    """The card follows each vote and says when voting is over."""
    before = shown(site, "/embed/proposals/bees")
    vote(site)
    after = shown(site, "/embed/proposals/bees")
    site.desk.clock.set(datetime.fromisoformat("2026-12-02T00:00:00+00:00"))
    over = shown(site, "/embed/proposals/bees")

    assert "Bees & hives" in before.words
    assert "Proposal to vote on, by Monday, 30 November, 23:59 UTC" in before.words
    assert "Yes votes still needed: 0." in after.words
    assert "Voting closed" in over.words
    assert {(link["href"], link["target"], link["rel"]) for link in before.links} == {
        (f"{SITE}/proposals/bees", "_blank", "noopener")
    }


def test_a_projects_card_shows_the_paid_money(site: Site) -> None:
    """A photo on this site is shown; a photo of another site is replaced by a drawing."""
    card = shown(site, "/embed/projects/school")
    edit_item(site.desk.application.context, "projects", "school", {"imageUrl": "https://a.b/c"})
    other = shown(site, "/embed/projects/school")

    assert {"A school", "Project · In Progress", "$0 paid so far"} <= set(card.words)
    assert (card.loads, other.loads) == ([PICTURE], ["/assets/art-1/school.svg"])


@pytest.mark.parametrize("path", ["/embed/proposals/bees", "/embed/projects/school"])
def test_a_card_runs_nothing_and_any_site_may_frame_it(site: Site, path: str) -> None:
    """Cards have no scripts and any site may frame them; other pages refuse frames."""
    answer = site.get(path)

    assert answer.headers["content-security-policy"] == EMBED_POLICY
    assert "frame-ancestors *" in EMBED_POLICY
    assert "script" not in EMBED_POLICY
    assert not {"script", "form", "iframe"} & _Shown(answer.text).tags
    assert "main" in _Shown(answer.text).tags
    assert "set-cookie" not in answer.headers
    assert "frame-ancestors 'none'" in site.get("/").headers["content-security-policy"]
    assert '<meta name="robots" content="noindex">' in answer.text


def test_a_badge_is_an_image_with_the_same_words(site: Site) -> None:
    """The text is scaled to its box, whatever the font, and a title cannot inject markup."""
    context = site.desk.application.context
    edit_item(context, "projects", "school", {"title": 'Reading & "writing" <b>'})
    answer = site.get("/embed/projects/school.svg")
    badge = ET.fromstring(answer.text)  # noqa: S314 - our own

    assert answer.headers["content-type"] == "image/svg+xml; charset=utf-8"
    assert badge.attrib["aria-label"] == 'Reading & "writing" <b>: $0 paid so far'
    texts = [one for one in badge.iter() if one.tag.endswith("}text")]
    assert [one.text for one in texts] == ["Project", "$0 paid so far"]
    ends = [float(one.attrib["x"]) + float(one.attrib["textLength"]) for one in texts]
    assert ends[0] < float(texts[1].attrib["x"])
    assert ends[1] < float(badge.attrib["width"])


@pytest.mark.parametrize(
    "path",
    [
        "/embed/projects/none",
        "/embed/projects/hidden",
        "/embed/proposals/draft",
        "/embed/members/ada",
        "/embed/proposals/none.svg",
        "/previews/projects/hidden.png",
        "/previews/reports/2031.png",
    ],
)
def test_hidden_items_have_no_card(site: Site, path: str) -> None:
    """Drafts and hidden projects have no card."""
    assert site.get(path).status_code == 404


def test_a_report_has_a_preview_of_its_own(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of a period names that period's image, which shows its figures."""
    monkeypatch.setattr(PaintingProgram, "paint", lambda _, preview: preview.title.encode())
    site.desk.join()
    for wanted, image, title in (
        ("", "year", "2026"),
        ("?period=all", "all", "2026"),
        ("?period=2026", "2026", "2026"),
    ):
        page = site.get(f"/impact{wanted}")
        preview = site.get(f"/previews/reports/{image}.png")

        assert f"{SITE}/previews/reports/{image}.png" in page.text
        assert title in preview.text
        assert "received" in preview.text
    assert f"{SITE}/share.png" in site.get("/impact?period=2031").text
