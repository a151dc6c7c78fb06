"""No hostile markup and no private data get into a page."""

from pathlib import Path

import pytest

from jara.services.content import import_items
from tests.webapi.pages.site_world import SCHOOL, Page, Site, open_site

LIVE = ("/", "/projects", "/donations", "/proposals", "/ledger", "/impact")


@pytest.fixture
def site(place: Path) -> Site:
    """A website over an organisation with an open vote, a draft and a hidden project."""
    return open_site(place)


HOSTILE = (
    '</title></script></noscript><script>alert(1)</script>"><img src=x onerror=alert(2)>-->{t}'
)


def test_hostile_texts_stay_texts(site: Site) -> None:
    """Hostile texts are escaped in the head, the plain part and the embedded answers."""
    trap = '<p>Hi<a href="/x" title="</noscript><img src=x onerror=alert(3)>">there</a></p>'
    site.desk.open_vote(slug="evil", title=HOSTILE, summary=HOSTILE, storySections=trap)
    for path in ("/proposals/evil", "/proposals"):
        page = site.page(path)
        assert "img" not in page.tags
        assert "onerror" not in page.attributes
        assert page.answer.text.count("</noscript>") == 1
        assert "<script>" not in page.answer.text
        shown = next(one for one in page.live["/user/get-proposals"] if one["slug"] == "evil")
        assert shown["title"] == HOSTILE
    assert site.page("/proposals/evil").title == f"{HOSTILE} — Jara"


def test_a_hostile_project_stays_a_text(site: Site) -> None:
    """Title, steps and news of a project are escaped."""
    context = site.desk.application.context
    step = {"id": "a", "date": "2026-05-01", "title": HOSTILE, "costCents": 1}
    news = {"id": "n", "title": HOSTILE, "author": HOSTILE, "date": "2026-04-01", "content": "x"}
    changed = {"slug": "evil", "title": HOSTILE, "summary": HOSTILE}
    hostile = {**SCHOOL, **changed, "milestones": [step], "updates": [news]}
    import_items(context, "projects", [hostile])
    for path in ("/projects/evil", "/projects"):
        page = site.page(path)
        assert "img" not in page.tags
        assert "<script>" not in page.answer.text
        assert page.answer.text.count("</noscript>") == 1


def test_no_page_names_members(site: Site) -> None:
    """Pages name no members, with or without a token."""
    token = site.desk.join(firstname="Yaa", lastname="Quartey", email="yaa@example.org")
    for path in (*LIVE, "/proposals/bees", "/projects/school"):
        answer = site.get(path, headers={"token": token})
        for secret in ("Quartey", "yaa@", "userVote", "Only drafted", "Not yet shown", '"funds":'):
            assert secret not in answer.text.replace(_split(answer.text), "")
        assert Page(answer).live == site.page(path).live


def _split(text: str) -> str:
    """Return the public report's fund split from a page."""
    start = text.find('"/impact":')
    return text[start:] if start >= 0 else "\0"
