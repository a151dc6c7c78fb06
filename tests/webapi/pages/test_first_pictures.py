"""The head preloads the page's largest picture, so that it need not wait for a script."""

import json
from pathlib import Path

import pytest

from jara_webapi.calls.scenes import Scenes
from tests.webapi.pages.site_world import PICTURE, open_site

SOURCE = Path(__file__).parents[3] / "webui" / "src"
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
