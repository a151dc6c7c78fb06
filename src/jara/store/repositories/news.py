"""News items, and how far each is fanned out."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from jara.records.news import NewsItem
from jara.store.rows import Repository, Rows

NEWS = Rows("news", NewsItem)


class NewsRepository(Repository):
    """What happened, each thing once."""

    def add(self, item: NewsItem) -> bool:
        """Add an item; return False if there is one with its id."""
        return NEWS.add_new(self._sql, item)

    def put(self, item: NewsItem) -> None:
        """Save an item."""
        NEWS.put(self._sql, item)

    def get(self, item_id: str) -> NewsItem | None:
        """Return an item by its id."""
        return NEWS.one(self._sql, "WHERE id = :id", id=item_id)

    def waiting(self, *, since: datetime) -> list[NewsItem]:
        """Return the items since an instant that are not fanned out to everybody, oldest first."""
        return NEWS.all(
            self._sql, "WHERE done_at IS NULL AND at >= :since ORDER BY at, id", since=since
        )

    def between(self, first: datetime, end: datetime) -> list[NewsItem]:
        """Return the items from an instant on and before another, oldest first."""
        return NEWS.all(
            self._sql, "WHERE at >= :first AND at < :end ORDER BY at, id", first=first, end=end
        )

    def among(self, ids: Iterable[str]) -> list[NewsItem]:
        """Return the items with one of these ids."""
        return list(NEWS.among(self._sql, "id", ids))
