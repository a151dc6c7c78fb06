"""Items of the site's content, and their history."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple


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
