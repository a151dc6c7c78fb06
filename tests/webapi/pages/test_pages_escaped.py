"""No hostile markup and no private data get into a page."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from falcon import testing

from jara.services.content import import_items
from jara_webapi.app import create_app
from jara_webapi.middleware.security_headers import POLICY
from jara_webapi.pages.website import Website
from tests.webapi.desk import Desk, open_desk
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


STYLES = "p{content:'é'}\n"
HASH = f"'sha256-{b64encode(sha256(STYLES.encode()).digest()).decode()}'"
NAMED = POLICY.replace("style-src 'self'", f"style-src 'self' {HASH}")


@pytest.fixture
def desk(place: Path) -> Desk:
    """An organisation whose website has a page with styles and one without."""
    page = f"<html><head><style>{STYLES}</style></head><body>{{{{site_url}}}}</body></html>"
    for name, text in (("index.html", page), ("shell.html", "<html></html>"), ("a.css", "p{}")):
        path = place / "dist" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    desk = open_desk(place)
    desk.client = testing.TestClient(create_app(desk.application, website=Website(place / "dist")))
    return desk


def policy_of(answer: testing.Result) -> str:
    """Return the content security policy of an answer."""
    policy: str = answer.headers["content-security-policy"]
    return policy


def test_a_page_names_the_styles_of_the_build_by_their_hash(desk: Desk) -> None:
    """Every answer for a page, also a 304, allows exactly the hashes of its styles."""
    first = desk.client.simulate_get("/")
    known = desk.client.simulate_get("/", headers={"If-None-Match": first.headers["etag"]})

    assert (first.status_code, policy_of(first)) == (200, NAMED)
    assert (known.status_code, policy_of(known)) == (304, NAMED)
    assert STYLES in first.text
    assert "'unsafe-inline'" not in NAMED.partition("style-src-attr")[0]


@pytest.mark.parametrize("path", ["/a.css", "/api/config", "/api/none", "/healthz"])
def test_only_pages_allow_style_hashes(desk: Desk, path: str) -> None:
    """Answers other than pages allow no style hashes."""
    assert policy_of(desk.client.simulate_get(path)) == POLICY
