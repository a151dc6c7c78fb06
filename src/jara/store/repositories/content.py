"""Content items and their history."""

from __future__ import annotations

from datetime import datetime

from jara.domain.content.kinds import kind_of
from jara.domain.lookup import beginning_with, choose_one
from jara.records.content import ContentChange, ContentItem
from jara.store.sql.codecs import document_text, instant_text, read_document, read_instant
from jara.store.sql.connection import Row, Sql

_COLUMNS = "kind, id, slug, position, published, doc"


class ContentRepository:
    """Projects, grants, team and other content items, and the history of their changes."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def all(self, kind: str, *, published_only: bool = False) -> list[ContentItem]:
        """Return the items of a kind in their order."""
        where = "kind = :kind AND published = 1" if published_only else "kind = :kind"
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM content WHERE {where} ORDER BY position, id", {"kind": kind}
        )
        return [_item(row) for row in rows]

    def find(self, kind: str, text: str) -> ContentItem:
        """Return the item with this id or slug, or a unique prefix of either.

        Raises:
            NotFound: no item matches.
            Conflict: several items match.
        """
        rows = self._sql.all(
            f"SELECT {_COLUMNS} FROM content WHERE kind = :kind AND "
            "((id >= :text AND id < :high) OR (slug >= :text AND slug < :high)) "
            "ORDER BY CASE WHEN id = :text OR slug = :text THEN 0 ELSE 1 END, slug LIMIT 7",
            {"kind": kind, "text": text, "high": text + "~"},
        )
        found = [_item(row) for row in rows]
        return choose_one(
            text,
            found or beginning_with(text, self.all(kind), _title_of),
            kinds=f"of the {kind}",
            label=lambda item: item.slug,
            missing=f"There is no item '{text}' among the {kind}; see "
            f"`jara {kind_of(kind).command} list`.",
            names=lambda item: (item.id, item.slug),
        )

    def put(self, item: ContentItem, *, at: datetime) -> None:
        """Save an item and add it to its history."""
        params = {
            "kind": item.kind,
            "id": item.id,
            "slug": item.slug,
            "position": item.position,
            "published": int(item.published),
            "doc": document_text(item.doc),
        }
        self._sql.run(
            f"INSERT INTO content ({_COLUMNS}) VALUES (:kind, :id, :slug, :position, "
            ":published, :doc) ON CONFLICT (kind, id) DO UPDATE SET slug = excluded.slug, "
            "position = excluded.position, published = excluded.published, doc = excluded.doc",
            params,
        )
        self._sql.run(
            "INSERT INTO content_changes (seq, kind, id, at, published, doc) VALUES "
            "((SELECT COALESCE(MAX(seq), 0) + 1 FROM content_changes), :kind, :id, :at, "
            ":published, :doc)",
            {**params, "at": instant_text(at)},
        )

    def history(self, kind: str) -> list[ContentChange]:
        """Return every state of the items of a kind, oldest first."""
        rows = self._sql.all(
            "SELECT c.kind, c.id, i.slug, i.position, c.published, c.doc, c.at "
            "FROM content_changes c JOIN content i ON i.kind = c.kind AND i.id = c.id "
            "WHERE c.kind = :kind ORDER BY c.seq",
            {"kind": kind},
        )
        return [ContentChange(_item(row[:6]), read_instant(row[6])) for row in rows]


def _item(row: Row) -> ContentItem:
    kind, item_id, slug, position, published, doc = row
    return ContentItem(kind, item_id, slug, position, bool(published), read_document(doc))


def _title_of(item: ContentItem) -> tuple[str, ...]:
    return tuple(str(item.doc[key]) for key in ("title", "name", "question") if key in item.doc)
