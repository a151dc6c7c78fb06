"""Pages contain their styles, and the browser applies only the build's styles."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from falcon import testing

from jara_webapi.app import create_app
from jara_webapi.middleware.security_headers import POLICY
from jara_webapi.pages.website import Website
from tests.webapi.desk import Desk, open_desk

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
