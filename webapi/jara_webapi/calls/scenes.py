"""The drawings that stand where no photo was uploaded: scenes for works, tiles for people.

They are files of the build. The browser chooses scenes by the same rules.
"""

import re
from collections.abc import Mapping
from typing import Any

from jara.documents import Document
from jara.domain.content.translations import original_text

_MOTIFS, _PALETTES = 12, 8
_FACES = 8
"""How many tiles and invented faces the build draws: ``webui/src/art/files.ts``."""


class Scenes:
    """The drawings of the site; without a build there are none."""

    def __init__(self, rules: Mapping[str, Any] | None) -> None:
        """Use the rules of the build: by title first, then by category."""
        rules = rules or {"bySubject": {}, "byCategory": {}, "otherwise": "", "folder": ""}
        self._by_subject = [
            (re.compile(pattern, re.IGNORECASE | re.ASCII), name)
            for pattern, name in rules["bySubject"].items()
        ]
        self._by_category: Mapping[str, str] = rules["byCategory"]
        self._otherwise: str = rules["otherwise"]
        self._folder: str = rules["folder"]

    def picture_of(self, document: Mapping[str, Any]) -> str:
        """Return the address of its photo, or of the drawing used instead."""
        image: str | None = document.get("imageUrl")
        return image or self.scene_of(original_text(document, "title"), document["category"]) or ""

    @property
    def default(self) -> str:
        """The address of the default drawing."""
        return f"{self._folder}/{self._otherwise}.svg"

    def own_picture_of(self, document: Mapping[str, Any]) -> str:
        """Like `picture_of`, but replace a photo on another site by a drawing."""
        image: str = document.get("imageUrl") or ""
        return self.picture_of(
            document if image.startswith("/") else {**document, "imageUrl": None}
        )

    def scene_of(self, title: str, category: str) -> str | None:
        """Return the address of the scene of a work, by its original title."""
        special = (name for pattern, name in self._by_subject if pattern.search(title))
        name = next(special, self._by_category.get(category, self._otherwise))
        return f"{self._folder}/{name}.svg" if self._folder else None

    def with_picture(self, document: Document, *, title: str = "title") -> Document:
        """Return a project or a grant, and its milestones, with the addresses of their pictures.

        `title` is the key of its title.
        """
        category = document["category"]
        drawn = document.get("imageUrl") or self.scene_of(original_text(document, title), category)
        filled = {**document, "imageUrl": drawn} if drawn else {**document}
        if "milestones" in document:
            filled["milestones"] = [
                {**one, "images": one.get("images") or self._scenes_of(one, category)}
                for one in document["milestones"]
            ]
        return filled

    def with_faces(self, proposal: Document) -> Document:
        """Return a proposal with the picture of each partner; only invented ones have a face."""
        faces = [
            {**one, "image": one["image"] or self._face_of(one["name"], place, proposal)}
            for place, one in enumerate(proposal["submitters"])
        ]
        return {**proposal, "submitters": faces}

    def _scenes_of(self, milestone: Document, category: str) -> list[str]:
        scene = self.scene_of(original_text(milestone, "title"), category)
        return [] if scene is None else [scene]

    def _face_of(self, name: str, place: int, proposal: Document) -> str | None:
        if not self._folder:
            return None
        if proposal.get("sample"):
            return f"{self._folder}/person-{place % _FACES + 1}.svg"
        code = _hash(name)
        return f"{self._folder}/tile-{code % _MOTIFS}-{(code >> 8) % _PALETTES}.svg"


NO_SCENES = Scenes(None)


def _hash(text: str) -> int:
    """Hash a name as the browser does for a person's tile (FNV-1a with a final mix)."""
    code = 2166136261
    for character in text:
        code = (code ^ ord(character)) * 16777619 & 0xFFFFFFFF
    code = (code ^ code >> 15) * 2246822519 & 0xFFFFFFFF
    return code ^ code >> 13
