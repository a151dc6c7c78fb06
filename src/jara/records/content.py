"""Items of the site's content, and their history."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from jara.domain.content.fields import Document, with_empty
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

    @property
    def account(self) -> str:
        """The account that pays a project, a grant or a donation."""
        return str(self.doc.get("account") or f"{kind_of(self.kind).account}:{self.slug}")

    @property
    def is_namesake(self) -> bool:
        """Whether that account is named after the item."""
        return self.account == f"{kind_of(self.kind).account}:{self.slug}"

    def read_in(self, language: Language) -> Document:
        """Return the document as a reader of a language sees it, with what it leaves out."""
        fields = kind_of(self.kind).fields
        return with_empty(fields, in_language(fields, self.doc, language))

    def for_reader(self, language: Language) -> "ContentItem":
        """Return the item with its document as a reader of a language sees it."""
        return self._replace(doc=in_language(kind_of(self.kind).fields, self.doc, language))


def by_account(items: Iterable[ContentItem]) -> dict[str, ContentItem]:
    """Return the item that each account pays; the one that an account is named after goes first."""
    named: dict[str, ContentItem] = {}
    for item in sorted(items, key=lambda item: not item.is_namesake):
        named.setdefault(item.account, item)
    return named


class ContentChange(NamedTuple):
    """The state of an item from an instant on."""

    item: ContentItem
    at: datetime
