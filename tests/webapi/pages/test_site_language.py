"""The site's own language is that of whoever has chosen none; it is a setting."""

import pytest

from tests.webapi.pages.site_world import SITE, Site, asking, open_site

BOTH = ("en", "fr")


@pytest.fixture(scope="module")
def site(new_place: object, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """A site in English and French, whose own language is French."""
    return open_site(new_place(), BOTH, own="fr")  # type: ignore[operator] # a fixture that makes places


@pytest.mark.parametrize(
    ("header", "cookie", "asked", "expected"),
    [
        ("", "", "", "fr"),
        ("pt-BR, de;q=0.5", "", "", "fr"),
        ("*", "", "", "fr"),
        ("en-CA, fr;q=0.2", "", "", "en"),
        ("", "en", "", "en"),
        ("fr", "fr", "en", "en"),
    ],
)
def test_the_site_language_is_the_default(
    site: Site, header: str, cookie: str, asked: str, expected: str
) -> None:
    """Pages, answers and errors: address, cookie and browser go before it."""
    more = asking(header, cookie=cookie, query=asked)

    assert site.get("/proposals", **more).headers["content-language"] == expected
    if not cookie:  # calls of the API know the language of their page by its address
        for path in ("/api/projects", "/api/nothing"):
            assert site.get(path, **more).headers["content-language"] == expected, path


def test_search_engines_find_each_language_at_its_own_address(site: Site) -> None:
    """The bare address is French here, so English has one with a choice, on every page."""
    text = site.get("/projects/school").text
    english = site.page("/projects/school", params={"lang": "en"})

    assert f'hreflang="x-default" href="{SITE}/projects/school">' in text
    assert f'hreflang="en" href="{SITE}/projects/school?lang=en">' in text
    assert f'hreflang="fr" href="{SITE}/projects/school?lang=fr">' in text
    assert english.links["canonical"] == f"{SITE}/projects/school?lang=en"
    assert site.page("/", params={"lang": "en"}).metas["og:url"] == f"{SITE}/?lang=en"
    assert f"{SITE}/api/feed.xml?lang=en" in site.get("/api/feed.xml?lang=en").text
