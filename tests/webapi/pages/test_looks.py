"""The organisation's identity appears in the pages immediately, and never as code."""

import json
from html import unescape
from pathlib import Path

import pytest

from jara.domain.organisation import IdentityPart, Logo
from jara.services.legal.changing import change_values
from tests.webapi.pages.site_world import FILES, SITE, Site, open_site

LOGO = Logo(f"/media/{'b' * 64}.svg", 260, 80)
HOSTILE = '"><script>{{site_url}}{{first.title}}</script>'
SLOTTED = (
    '<!doctype html><html data-site="{{site_url}}"{{identity}} lang="en"><head>'
    "<title>Questions — {{organisation}}</title>"
    '<link rel="icon" href="/art/mark.svg" type="image/svg+xml"><script type="application/ld+json">'
    '{"name":"{{organisation_json}}","logo":"{{site_url}}/art/mark.svg"}</script></head>'
    "<body><p>{{organisations}} books</p><h2>The {{ORGANISATION}} way</h2>"
    "<footer>{{statement}}</footer></body></html>"
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site whose questions page has every slot."""
    monkeypatch.setitem(FILES, "faqs/index.html", SLOTTED)
    return open_site(tmp_path)


def name_it(site: Site, **parts: str) -> None:
    """Set parts of the identity while the server runs."""
    change_values(
        site.desk.application.context, {IdentityPart[key.upper()]: parts[key] for key in parts}
    )


def test_without_an_identity_pages_are_as_they_were_drawn(site: Site) -> None:
    """The slots hold the software's name and statement, and <html> is unchanged."""
    text = site.get("/faqs").text

    assert f'<html data-site="{SITE}" lang="en">' in text
    assert "<title>Questions — Jara</title>" in text
    assert "Jara&#x27;s books" in text
    assert "The JARA way" in text
    assert "Jara is a not-for-profit corporation registered in Canada." in text
    assert '"name":"Jara"' in text


def test_a_change_is_on_the_next_page(site: Site) -> None:
    """After a change, the browser's old ETag no longer matches, and it gets the new page."""
    before = site.get("/faqs").headers["ETag"]
    name_it(site, name="Sankofa Givers", legal_name="Baobab Inc.", colour="#7a1f3d")
    after = site.get("/faqs", headers={"If-None-Match": before})
    change_values(site.desk.application.context, {}, removed=list(IdentityPart))

    assert after.status_code == 200
    assert 'data-name="Sankofa Givers" data-imprint="Baobab Inc"' in after.text
    assert "--brand:#7a1f3d;" in after.text
    assert "Sankofa Givers&#x27; books" in after.text
    assert "The Sankofa Givers way" in after.text
    assert "Baobab Inc. All amounts in US dollars." in after.text
    assert site.get("/faqs").headers["ETag"] == before


def test_the_logo_replaces_the_initial(site: Site) -> None:
    """The logo is used in the header, as icon and for search engines, with its size."""
    name_it(site, logo=LOGO.text())
    text = site.get("/faqs").text

    assert f"--logo:url({LOGO.path});--logo-ratio:3.250" in text
    assert 'data-logo="wide"' in text
    assert f'<link rel="icon" href="{LOGO.path}">' in text
    assert f'"logo":"{SITE}{LOGO.path}"' in text


def test_the_initial_is_shown_beside_the_name(site: Site) -> None:
    """A square logo is shown with the name beside it."""
    name_it(site, logo=Logo(LOGO.path, 200, 200).text())

    assert 'data-logo="mark"' in site.get("/faqs").text


def test_a_name_is_never_code_or_placeholder(site: Site) -> None:
    """A name is escaped in attributes, elements, JSON and the head."""
    name_it(site, name=HOSTILE, address=HOSTILE)
    for path in ("/faqs", "/projects/school", "/projects/nowhere", "/embed/projects/school"):
        text = site.get(path).text
        assert "<script>{" not in text
    drawn = site.get("/faqs").text
    data = drawn.partition('ld+json">')[2].partition("</script>")[0]

    assert json.loads(data)["name"] == HOSTILE
    assert unescape(drawn.partition("<title>")[2].partition("</")[0]) == f"Questions — {HOSTILE}"


def test_rendered_pages_and_previews_have_the_name(site: Site) -> None:
    """The name is in server-written heads, plain texts and legal texts."""
    name_it(site, name="Sankofa", legal_name="Baobab Inc.", contact="hello@sankofa.example")
    project, missing = site.page("/projects/school"), site.page("/projects/nowhere")
    config = site.api("/config")

    assert project.title == "A school — Sankofa"
    assert project.metas["og:site_name"] == "Sankofa"
    assert missing.title.endswith("— Sankofa")
    assert (config["organisation"], config["legalName"], config["contactEmail"]) == (
        "Sankofa",
        "Baobab Inc.",
        "hello@sankofa.example",
    )
    assert "<p>Baobab Inc.</p>\n<p>Email: hello@sankofa.example." in site.get("/terms").text
    assert "<title>Sankofa</title>" in site.api_text("/feed.xml")
    assert "NAME:Sankofa votes and events" in site.api_text("/votes.ics")
