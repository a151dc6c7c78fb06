"""Items of the site's content, and their history."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from jara.domain.content.fields import Document
from jara.domain.content.kinds import kind_of
from jara.domain.content.translations import in_language
from jara.domain.language import Language


class ContentItem(NamedTuple):
    """One item of a kind; ``doc`` has the keys of the kind's readable file, in all languages."""

    kind: str
    id: str
    slug: str
    position: int
    published: bool
    doc: Mapping[str, Any]

    def read_in(self, language: Language) -> Document:
        """Return the document as a reader of a language sees it."""
        return in_language(kind_of(self.kind).fields, self.doc, language)

    def for_reader(self, language: Language) -> ContentItem:
        """Return the item with its document as a reader of a language sees it."""
        return self._replace(doc=self.read_in(language))


class ContentChange(NamedTuple):
    """The state of an item from an instant on."""

    item: ContentItem
    at: datetime
