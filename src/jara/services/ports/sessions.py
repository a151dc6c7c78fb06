"""Port of sessions: one row for each device where a member is signed in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple, Protocol


class StoredSession(NamedTuple):
    """A session as the database knows it.

    Args:
        name: a hash of the session's id; nobody makes a token of it.
        owner: a keyed hash of the member's id.
        device: browser and system, such as ``Firefox on Windows``.
        used_on: the last day of use; never more than a day, so that no row tells when.
    """

    name: str
    owner: str
    device: str
    used_on: date


class SessionRepository(Protocol):
    """The sessions; a token without its row is dead."""

    def add(self, session: StoredSession) -> None:
        """Store a new session."""
        ...

    def of_owner(self, owner: str) -> list[StoredSession]:
        """Return a member's sessions, the last used first."""
        ...

    def use(self, names: Iterable[str], day: date) -> None:
        """Store the last day of use of some sessions."""
        ...

    def end(self, owner: str, beginning: str) -> int:
        """End the sessions of an owner whose names begin so; return how many."""
        ...

    def end_owner(self, owner: str) -> None:
        """End every session of an owner."""
        ...

    def end_all(self) -> None:
        """End every session of everybody."""
        ...

    def forget_unused(self, before: date) -> int:
        """Delete the sessions that were last used before a day; return how many."""
        ...
