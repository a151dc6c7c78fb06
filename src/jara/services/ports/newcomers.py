"""Port of members imported from a file of another program."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol


class MemberImport(NamedTuple):
    """An import of a file of people, identified by the file's digest."""

    id: str
    file: str
    form: str
    digest: str
    operator: str
    started_at: datetime


class MemberImportLine(NamedTuple):
    """An import in the list: how many of its members remain, and how many were invited."""

    of: MemberImport
    undone_at: datetime | None
    members: int
    invited: int


class ImportedMember(NamedTuple):
    """An imported member; a confirmed address means that they have set a password."""

    id: str
    key: str
    email: str
    email_confirmed: bool


class NewcomerRepository(Protocol):
    """Imports of people, and the members they created."""

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
        """Record which import created a member."""
        ...

    def imports(self) -> list[MemberImportLine]:
        """Return every import, newest first, with its remaining members."""
        ...

    def members_of(self, import_id: str, *, after: str, limit: int) -> list[ImportedMember]:
        """Return members of an import in order of id, after a given id."""
        ...

    def to_invite(self, *, import_id: str | None, limit: int) -> list[ImportedMember]:
        """Return never-invited members without a password, in order of id."""
        ...

    def invited(self, member_id: str, *, at: datetime) -> None:
        """Record that an imported member was invited; do nothing for other members."""
        ...

    def end(self, import_id: str, *, at: datetime) -> None:
        """Mark an import as undone."""
        ...
