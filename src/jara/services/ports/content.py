"""Port of the site's content: projects, grants, team and other items."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol


class ContentItem(NamedTuple):
    """One item of a kind; ``doc`` has the keys of the kind's readable file."""

    kind: str
    id: str
    slug: str
    position: int
    published: bool
    doc: Mapping[str, Any]


class ContentChange(NamedTuple):
    """The state of an item from an instant on."""

    item: ContentItem
    at: datetime


class ContentRepository(Protocol):
    """Content items and the history of their changes."""

    def all(self, kind: str, *, published_only: bool = False) -> list[ContentItem]:
        """Return the items of a kind in their order."""
        ...

    def find(self, kind: str, text: str) -> ContentItem:
        """Return the item with that id or slug, or with a unique prefix of either.

        Raises:
            NotFound: no item matches.
            Conflict: several items match.
        """
        ...

    def put(self, item: ContentItem, *, at: datetime) -> None:
        """Store an item and add it to its history."""
        ...

    def history(self, kind: str) -> list[ContentChange]:
        """Return every state of the items of a kind, oldest first."""
        ...
