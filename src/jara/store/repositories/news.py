"""News and announcements."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from jara.records.operations import Announcement, NewsItem
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


ANNOUNCEMENTS = Rows("announcements", Announcement)


class AnnouncementRepository(Repository):
    """What was written to many at once."""

    def put(self, announcement: Announcement) -> None:
        """Add or update an announcement."""
        ANNOUNCEMENTS.put(self._sql, announcement)

    def get(self, announcement_id: str) -> Announcement | None:
        """Return an announcement by its id."""
        return ANNOUNCEMENTS.one(self._sql, "WHERE id = :id", id=announcement_id)

    def all(self) -> list[Announcement]:
        """Return every announcement, newest first."""
        return ANNOUNCEMENTS.all(self._sql, "ORDER BY at DESC, id")

    def same(self, digest: str) -> Announcement | None:
        """Return the newest announcement with the same texts that is not withdrawn."""
        return ANNOUNCEMENTS.one(
            self._sql,
            "WHERE digest = :digest AND withdrawn_at IS NULL ORDER BY at DESC, id LIMIT 1",
            digest=digest,
        )
