"""Content items and their history, and the versions of the legal texts."""

from datetime import datetime

from jara.domain.content.kinds import kind_of
from jara.domain.legal.versions import LegalChange, LegalText
from jara.domain.lookup import beginning_with, choose_one
from jara.records.content import ContentChange, ContentItem
from jara.store.rows import Repository, Rows, stored
from jara.store.sql.codecs import read_instant

ITEMS = Rows("content", ContentItem, "kind, id")


class ContentRepository(Repository):
    """Projects, grants, team and other content items, and the history of their changes."""

    def all(self, kind: str, *, published_only: bool = False) -> list[ContentItem]:
        """Return the items of a kind in their order."""
        published = "AND published = 1 " if published_only else ""
        return ITEMS.all(
            self._sql, f"WHERE kind = :kind {published}ORDER BY position, id", kind=kind
        )

    def get(self, kind: str, name: str) -> ContentItem | None:
        """Return the item with this id or slug, if there is one."""
        return ITEMS.one(
            self._sql,
            "WHERE kind = :kind AND (id = :name OR slug = :name) "
            "ORDER BY CASE WHEN id = :name THEN 0 ELSE 1 END LIMIT 1",
            kind=kind,
            name=name,
        )

    def find(self, kind: str, text: str) -> ContentItem:
        """Return the item with this id or slug, or a unique prefix of either.

        Raises:
            NotFound: no item matches.
            Conflict: several items match.
        """
        items = ITEMS.all(
            self._sql,
            "WHERE kind = :kind AND "
            "((id >= :text AND id < :high) OR (slug >= :text AND slug < :high)) "
            "ORDER BY CASE WHEN id = :text OR slug = :text THEN 0 ELSE 1 END, slug LIMIT 7",
            kind=kind,
            text=text,
            high=text + "~",
        )
        return choose_one(
            text,
            items or beginning_with(text, self.all(kind), _title_of),
            kinds=f"of the {kind}",
            label=lambda item: item.slug,
            missing=f"There is no item '{text}' among the {kind}; see "
            f"`jara {kind_of(kind).command} list`.",
            names=lambda item: (item.id, item.slug),
            near=lambda: {
                name: item for item in self.all(kind) for name in (item.slug, *_title_of(item))
            },
        )

    def put(self, item: ContentItem, *, at: datetime) -> None:
        """Save an item and add it to its history."""
        ITEMS.put(self._sql, item)
        self._add_change(item, at)

    def remove(self, item: ContentItem, *, at: datetime) -> None:
        """Remove an item; its history stays, and ends with it hidden."""
        self._add_change(item._replace(published=False), at)
        self._delete("content", {"kind": item.kind, "id": item.id})

    def _add_change(self, item: ContentItem, at: datetime) -> None:
        change = {name: getattr(item, name) for name in ("kind", "id", "published", "doc")}
        self._sql.run(
            "INSERT INTO content_changes (seq, kind, id, at, published, doc) VALUES "
            "((SELECT COALESCE(MAX(seq), 0) + 1 FROM content_changes), :kind, :id, :at, "
            ":published, :doc)",
            stored({**change, "at": at}),
        )

    def history(self, kind: str) -> list[ContentChange]:
        """Return every state of the items of a kind, oldest first, also of removed ones."""
        rows = self._sql.all(
            "SELECT c.at, c.kind, c.id, c.id, COALESCE(i.position, 0), c.published, c.doc "
            "FROM content_changes c LEFT JOIN content i ON i.kind = c.kind AND i.id = c.id "
            "WHERE c.kind = :kind ORDER BY c.seq",
            {"kind": kind},
        )
        changes = [ContentChange(ITEMS.read(item), read_instant(at)) for at, *item in rows]
        return [
            one._replace(item=one.item._replace(slug=str(one.item.doc.get("slug", one.item.id))))
            for one in changes
        ]


def _title_of(item: ContentItem) -> tuple[str, ...]:
    return tuple(str(item.doc[key]) for key in ("title", "name", "question") if key in item.doc)


VERSIONS = Rows("legal_versions", LegalChange, "text, number", values="place_values")


class LegalRepository(Repository):
    """Every version that was made; a withdrawn one stays."""

    put = VERSIONS.putter()

    def versions(self, text: LegalText) -> list[LegalChange]:
        """Return the versions of a text by number."""
        return VERSIONS.all(self._sql, "WHERE text = :text ORDER BY number", text=text.value)
