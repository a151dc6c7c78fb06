"""Chooses the drawing for a project or a proposal, by the same rules as the browser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any


class Scenes:
    """The drawings of the site."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        """Use the rules of the build: by title first, then by category."""
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
        return (
            image or f"{self._folder}/{self._name_of(document['title'], document['category'])}.svg"
        )

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

    def _name_of(self, title: str, category: str) -> str:
        special = (name for pattern, name in self._by_subject if pattern.search(title))
        return next(special, self._by_category.get(category, self._otherwise))
