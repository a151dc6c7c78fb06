"""Port of sessions: one row for each device where a member is signed in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple, Protocol


class StoredSession(NamedTuple):
    """A session as stored in the database.

    Args:
        name: a hash of the session's id; no token can be made from it.
        owner: a keyed hash of the member's id.
        device: browser and system, such as ``Firefox on Windows``.
        used_on: the last day of use; only the day, so that no row reveals the time.
    """

    name: str
    owner: str
    device: str
    used_on: date


class SessionRepository(Protocol):
    """The sessions; a token without a row is invalid."""

    def add(self, session: StoredSession) -> None:
        """Store a new session."""
        ...

    def of_owner(self, owner: str) -> list[StoredSession]:
        """Return a member's sessions, most recently used first."""
        ...

    def use(self, names: Iterable[str], day: date) -> None:
        """Store the last day of use of some sessions."""
        ...

    def end(self, owner: str, beginning: str) -> int:
        """End an owner's sessions with a name prefix; return how many."""
        ...

    def end_owner(self, owner: str) -> None:
        """End every session of an owner."""
        ...

    def end_all(self) -> None:
        """End all sessions."""
        ...

    def forget_unused(self, before: date) -> int:
        """Delete the sessions last used before a day; return how many."""
        ...
