"""A member's square of the cloth can be shared by its address."""

from pathlib import Path

import pytest

from jara.files.preview_program import PaintingProgram
from jara_webapi.pages.drawings import Squares
from tests.webapi.pages.site_world import SITE, SQUARES, Site, open_site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return a website in both languages."""
    return open_site(tmp_path, ("en", "fr"))


def test_a_shared_square_is_the_preview_of_the_home_page(site: Site) -> None:
    """The page has image, title, text and address for social networks."""
    shared, home = site.page("/?square=3-1-2"), site.page("/")

    assert shared.metas["og:image"] == f"{SITE}/previews/squares/3-1-2.png"
    assert shared.metas["og:title"] == "A square of this cloth is mine"
    assert shared.metas["og:url"] == f"{SITE}/?square=3-1-2"
    assert (home.metas["og:title"], home.metas["og:image"]) == ("Home", f"{SITE}/share.png")
    assert shared.title == home.title


def test_a_shared_square_greets_first(site: Site) -> None:
    """The page opens on the square and says how many wove; the vote in progress is not on it."""
    shared = site.get("/?square=3-1-2").text

    assert '<svg><g transform="rotate(180 50 50)"><b/></g></svg>' in shared
    assert "<p>A changemaker wove this one.</p>" in shared
    assert "/#square" not in site.get("/").text


def test_a_shared_square_is_in_the_language_of_the_address(site: Site) -> None:
    """Text and image use the language in the address."""
    shared = site.page("/?square=3-1-2&lang=fr")

    assert shared.metas["og:url"] == f"{SITE}/?square=3-1-2&lang=fr"
    assert shared.metas["og:title"] == "Un carré de cette étoffe est à moi"


@pytest.mark.parametrize("code", ["", "3-1", "3-1-4", "9-9-0", '"><script>', "3-1-2-1", "3-1-٢"])
def test_an_unknown_square_changes_nothing(site: Site, code: str) -> None:
    """An invalid square gives the plain home page, and its image does not exist."""
    assert site.get("/").content == site.get("/", params={"square": code}).content
    assert site.get(f"/previews/squares/{code or 'x'}.png").status_code == 404


def test_only_the_home_page_shows_squares(site: Site) -> None:
    """Other pages keep their own preview."""
    assert site.get("/faqs").content == site.get("/faqs?square=3-1-2").content


def test_the_image_shows_the_square(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The image shows the cloth with the member's square turned."""
    monkeypatch.setattr(PaintingProgram, "paint", lambda _, preview: preview.picture.encode())
    image = site.get("/previews/squares/3-1-2.png")

    turned = '<svg><g transform="rotate(180 50 50)"><b/></g></svg>'
    assert (image.headers["content-type"], image.text) == ("image/png", turned)


def test_a_build_without_squares_has_none() -> None:
    """An older build without squares is served unchanged."""
    assert Squares(None).draw("3-1-2") is None
    assert Squares(SQUARES).draw("3-1-2") is not None
