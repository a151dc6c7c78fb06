"""Sessions: one row for each device where a member is signed in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from jara.records.access import StoredSession
from jara.store.sql.connection import Sql


class SessionRepository:
    """The sessions; a token without a row is invalid."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def add(self, session: StoredSession) -> None:
        """Save a new session."""
        self._sql.run(
            "INSERT INTO sessions (hash, owner, device, used_on) "
            "VALUES (:name, :owner, :device, :day)",
            {
                "name": session.name,
                "owner": session.owner,
                "device": session.device,
                "day": session.used_on.isoformat(),
            },
        )

    def of_owner(self, owner: str) -> list[StoredSession]:
        """Return a member's sessions, most recently used first."""
        rows = self._sql.all(
            "SELECT hash, owner, device, used_on FROM sessions WHERE owner = :owner "
            "ORDER BY used_on DESC, hash",
            {"owner": owner},
        )
        return [StoredSession(row[0], row[1], row[2], date.fromisoformat(row[3])) for row in rows]

    def use(self, names: Iterable[str], day: date) -> None:
        """Save the last day of use of some sessions."""
        self._sql.run_many(
            "UPDATE sessions SET used_on = :day WHERE hash = :name",
            [{"day": day.isoformat(), "name": name} for name in names],
        )

    def end(self, owner: str, beginning: str) -> int:
        """End an owner's sessions with a name prefix; return how many."""
        return self._sql.run(
            "DELETE FROM sessions WHERE owner = :owner AND hash >= :low AND hash < :high",
            {"owner": owner, "low": beginning, "high": beginning + "~"},
        )

    def end_owner(self, owner: str) -> None:
        """End every session of an owner."""
        self._sql.run("DELETE FROM sessions WHERE owner = :owner", {"owner": owner})

    def end_all(self) -> None:
        """End all sessions of all members."""
        self._sql.run("DELETE FROM sessions")

    def forget_unused(self, before: date) -> int:
        """Delete the sessions last used before a day; return how many."""
        return self._sql.run(
            "DELETE FROM sessions WHERE used_on < :day", {"day": before.isoformat()}
        )
