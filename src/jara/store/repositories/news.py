"""News and announcements."""

from collections.abc import Iterable
from datetime import datetime

from jara.records.operations import Announcement, NewsItem
from jara.store.rows import Repository, Rows

NEWS = Rows("news", NewsItem)


class NewsRepository(Repository):
    """What happened, each thing once."""

    get = NEWS.finder("id")
    add = NEWS.new_adder()
    put = NEWS.putter()

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

    get = ANNOUNCEMENTS.finder("id")
    put = ANNOUNCEMENTS.putter()
    all = ANNOUNCEMENTS.lister("ORDER BY at DESC, id")

    def same(self, digest: str) -> Announcement | None:
        """Return the newest announcement with the same texts that is not withdrawn."""
        return ANNOUNCEMENTS.one(
            self._sql,
            "WHERE digest = :digest AND withdrawn_at IS NULL ORDER BY at DESC, id LIMIT 1",
            digest=digest,
        )
