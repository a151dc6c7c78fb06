"""Announcements."""

from __future__ import annotations

from jara.records.announcements import Announcement
from jara.store.rows import Repository, Rows

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
