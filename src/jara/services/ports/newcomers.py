"""Port of members who moved in from a file of another program."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol


class MemberImport(NamedTuple):
    """An import of a file of people; the digest of the file finds it again."""

    id: str
    file: str
    form: str
    digest: str
    operator: str
    started_at: datetime


class MemberImportLine(NamedTuple):
    """An import in the list: how many of its members are there, and how many were invited."""

    of: MemberImport
    undone_at: datetime | None
    members: int
    invited: int


class ImportedMember(NamedTuple):
    """A member who moved in; with a confirmed address they have set a password."""

    id: str
    key: str
    email: str
    email_confirmed: bool


class NewcomerRepository(Protocol):
    """Imports of people, and the members who came by them."""

    def known_emails(self, emails: Sequence[str]) -> set[str]:
        """Return which of these addresses, in lower case, have a member."""
        ...

    def start(self, new: MemberImport) -> None:
        """Store an import."""
        ...

    def of_digest(self, digest: str) -> str | None:
        """Return the id of the import of a file, if it was not undone."""
        ...

    def add(self, member_id: str, import_id: str) -> None:
        """Store by which import a member came."""
        ...

    def imports(self) -> list[MemberImportLine]:
        """Return every import, newest first, with what is left of it."""
        ...

    def members_of(self, import_id: str, *, after: str, limit: int) -> list[ImportedMember]:
        """Return members of an import by id, from one on."""
        ...

    def to_invite(self, *, import_id: str | None, limit: int) -> list[ImportedMember]:
        """Return members without a password who were never invited, by id."""
        ...

    def invited(self, member_id: str, *, at: datetime) -> None:
        """Store that a member got an invitation; for one who did not move in nothing is stored."""
        ...

    def end(self, import_id: str, *, at: datetime) -> None:
        """Store that an import was undone."""
        ...
