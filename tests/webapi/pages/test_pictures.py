"""Pictures: photos, drawings in their place, a member's square, and what is loaded first."""

import json
from pathlib import Path
from typing import Any

import pytest

from jara.files.preview_program import PaintingProgram
from jara_webapi.calls.scenes import NO_SCENES, Scenes
from jara_webapi.pages.drawings import Squares
from tests.webapi.pages.site_world import PICTURE, SITE, SQUARES, Site, open_site

SOURCE = Path(__file__).parents[3] / "webui" / "src"
SCENES = Scenes(
    {
        **json.loads((SOURCE / "components" / "scene" / "scenes.json").read_text("utf-8")),
        "folder": "/art",
    }
)
PHOTO = "/media/photo.jpg"
WELL = {"title": "Wells", "category": "water"}


def test_a_project_and_its_milestones_have_pictures() -> None:
    """Photos stay; without a build nothing is drawn."""
    project = {**WELL, "milestones": [{"title": "Bees first"}, {"title": "Dug", "images": [PHOTO]}]}
    filled = SCENES.with_picture(project)

    assert filled["imageUrl"] == "/art/water.svg"
    assert [one["images"] for one in filled["milestones"]] == [["/art/bees.svg"], [PHOTO]]
    assert SCENES.with_picture({**WELL, "imageUrl": PHOTO})["imageUrl"] == PHOTO
    assert "imageUrl" not in NO_SCENES.with_picture(project)


def test_a_grant_is_drawn_by_its_project() -> None:
    """Its title is what it pays for."""
    grant = {"project": "Solar grid", "category": "civic"}

    assert SCENES.with_picture(grant, title="project")["imageUrl"] == "/art/solar.svg"


@pytest.mark.parametrize(
    ("change", "image"),
    [
        ({"sample": True}, "/art/person-1.svg"),
        ({}, "/art/tile-1-6.svg"),
        ({"submitters": [{"name": "Esi", "image": PHOTO}]}, PHOTO),
    ],
)
def test_only_invented_partners_have_a_drawn_face(change: dict[str, Any], image: str) -> None:
    """Other people have the tile of their name, as the website draws it."""
    proposal = {"submitters": [{"name": "Esi", "image": None}], **change}

    assert SCENES.with_faces(proposal)["submitters"][0]["image"] == image
    assert NO_SCENES.with_faces({"submitters": []}) == {"submitters": []}


def test_the_build_draws_every_tile() -> None:
    """A name has one of twelve motifs in one of eight palettes."""
    drawn = {
        SCENES.with_faces({"submitters": [{"name": f"Person {number}", "image": None}]})[
            "submitters"
        ][0]["image"]
        for number in range(5000)
    }

    assert drawn == {f"/art/tile-{motif}-{place}.svg" for motif in range(12) for place in range(8)}


RULES = {
    **json.loads((SOURCE / "components" / "scene" / "scenes.json").read_text("utf-8")),
    "folder": "/assets/art-1",
}


@pytest.mark.parametrize(
    ("title", "category", "image", "picture"),
    [
        ("Wells", "water", None, "/assets/art-1/water.svg"),
        ("A school", "education", "", "/assets/art-1/school.svg"),
        ("Beekeeping kits", "agriculture", None, "/assets/art-1/bees.svg"),
        ("A REEF nursery", "business", None, "/assets/art-1/reef.svg"),
        ("Beetles", "agriculture", None, "/assets/art-1/agriculture.svg"),
        ("Anything", "unheard of", None, "/assets/art-1/civic.svg"),
        ("Bees", "agriculture", PICTURE, PICTURE),
    ],
)
def test_a_picture_goes_by_photo_title_and_category(
    title: str, category: str, image: str | None, picture: str
) -> None:
    """A photo comes first, then a special drawing, then the drawing of the category."""
    document = {"title": title, "category": category, "imageUrl": image}

    assert Scenes(RULES).picture_of(document) == picture


def test_every_drawing_is_made_by_the_build() -> None:
    """The rules name only drawings that the site has."""
    named = {RULES["otherwise"], *RULES["byCategory"].values(), *RULES["bySubject"].values()}
    files = (SOURCE / "art" / "files.ts").read_text("utf-8")

    assert [name for name in sorted(named) if f'"{name}.svg":' not in files] == []


@pytest.mark.parametrize(
    ("path", "picture"),
    [
        ("/proposals", "/assets/art-1/bees.svg"),
        ("/proposals/bees", "/assets/art-1/bees.svg"),
        ("/projects/school", PICTURE),
        ("/proposals/none", None),
        ("/faqs", None),
    ],
)
def test_a_page_names_its_first_picture(place: Path, path: str, picture: str | None) -> None:
    """The first picture is preloaded, and no picture is preloaded that the page does not show."""
    page = open_site(place).page(path)

    assert page.links.get("preload") == picture


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
