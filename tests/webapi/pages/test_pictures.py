"""Where no photo was uploaded, the API names a drawing; a photo stays as it is."""

import json
from pathlib import Path
from typing import Any

import pytest

from jara_webapi.calls.scenes import NO_SCENES, Scenes

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
