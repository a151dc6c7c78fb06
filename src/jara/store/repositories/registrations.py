"""Registrations in progress, and members imported from a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from jara.records.people import ImportedMember, MemberImport, MemberImportLine, PendingRegistration
from jara.store.sql.codecs import (
    chunks,
    document_text,
    in_list,
    instant_text,
    optional_instant,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_COLUMNS = "id, email, member_id, member_key, started_at, doc"


class RegistrationRepository:
    """Registrations in progress, at most one for each address; an ended one is deleted."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def put(self, pending: PendingRegistration) -> None:
        """Add or update a registration.

        Raises:
            Conflict: another registration with this address is in progress.
        """
        self._sql.run(
            f"INSERT INTO registrations ({_COLUMNS}, email_key) VALUES (:id, :email, :member_id, "
            ":member_key, :started_at, :doc, :email_key) ON CONFLICT (id) DO UPDATE SET "
            "email = excluded.email, email_key = excluded.email_key, doc = excluded.doc",
            {
                "id": pending.id,
                "email": pending.email,
                "email_key": pending.email.strip().casefold(),
                "member_id": pending.member_id,
                "member_key": pending.member_key,
                "started_at": instant_text(pending.started_at),
                "doc": document_text(pending.form),
            },
        )

    def get(self, registration_id: str) -> PendingRegistration | None:
        """Return a registration."""
        return self._one("id = :value", registration_id)

    def by_email(self, email: str) -> PendingRegistration | None:
        """Return the registration in progress for an address, ignoring case."""
        return self._one("email_key = :value", email.strip().casefold())

    def by_member(self, member_id: str) -> PendingRegistration | None:
        """Return the registration that creates a member."""
        return self._one("member_id = :value", member_id)

    def remove(self, registration_id: str) -> None:
        """Remove a finished or abandoned registration."""
        self._sql.run("DELETE FROM registrations WHERE id = :id", {"id": registration_id})

    def all(self) -> list[PendingRegistration]:
        """Return every registration in progress, oldest first."""
        rows = self._sql.all(f"SELECT {_COLUMNS} FROM registrations ORDER BY started_at, id")
        return [_pending(row) for row in rows]

    def _one(self, condition: str, value: str) -> PendingRegistration | None:
        row = self._sql.one(
            f"SELECT {_COLUMNS} FROM registrations WHERE {condition}", {"value": value}
        )
        return None if row is None else _pending(row)


def _pending(row: Row) -> PendingRegistration:
    return PendingRegistration(
        id=row[0],
        email=row[1],
        member_id=row[2],
        member_key=row[3],
        started_at=read_instant(row[4]),
        form=read_document(row[5]),
    )


class NewcomerRepository:
    """Imports of people, and the members they created; erasing a member deletes the row."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def known_emails(self, emails: Sequence[str]) -> set[str]:
        """Return which of these addresses, in lower case, have a member."""
        known: set[str] = set()
        for piece in chunks(emails):
            names, params = in_list("e", piece)
            rows = self._sql.all(
                f"SELECT email_key FROM members WHERE email_key IN {names}", params
            )
            known.update(row[0] for row in rows)
        return known

    def start(self, new: MemberImport) -> None:
        """Save an import."""
        self._sql.run(
            "INSERT INTO member_imports (id, file, form, digest, operator, started_at) "
            "VALUES (:id, :file, :form, :digest, :operator, :at)",
            {
                "id": new.id,
                "file": new.file,
                "form": new.form,
                "digest": new.digest,
                "operator": new.operator,
                "at": instant_text(new.started_at),
            },
        )

    def of_digest(self, digest: str) -> str | None:
        """Return the id of a file's import, unless it was undone."""
        row = self._sql.one(
            "SELECT id FROM member_imports WHERE digest = :digest AND undone_at IS NULL",
            {"digest": digest},
        )
        return None if row is None else str(row[0])

    def add(self, member_id: str, import_id: str) -> None:
        """Record which import created a member."""
        self._sql.run(
            "INSERT INTO imported_members (member_id, import) VALUES (:member, :import)",
            {"member": member_id, "import": import_id},
        )

    def imports(self) -> list[MemberImportLine]:
        """Return every import, newest first, with the number of its members and invited members."""
        rows = self._sql.all(
            "SELECT i.id, i.file, i.form, i.digest, i.operator, i.started_at, i.undone_at, "
            "COUNT(m.member_id), COUNT(m.invited_at) FROM member_imports i "
            "LEFT JOIN imported_members m ON m.import = i.id "
            "GROUP BY i.id, i.file, i.form, i.digest, i.operator, i.started_at, i.undone_at "
            "ORDER BY i.started_at DESC, i.id DESC"
        )
        return [
            MemberImportLine(
                MemberImport(row[0], row[1], row[2], row[3], row[4], read_instant(row[5])),
                undone_at=optional_instant(row[6]),
                members=int(row[7]),
                invited=int(row[8]),
            )
            for row in rows
        ]

    def members_of(self, import_id: str, *, after: str, limit: int) -> list[ImportedMember]:
        """Return members of an import in order of id, after a given id."""
        rows = self._sql.all(
            "SELECT m.id, m.member_key, m.email, m.email_confirmed FROM imported_members i "
            "JOIN members m ON m.id = i.member_id "
            "WHERE i.import = :import AND i.member_id > :after ORDER BY i.member_id LIMIT :limit",
            {"import": import_id, "after": after, "limit": limit},
        )
        return [ImportedMember(row[0], row[1], row[2], bool(row[3])) for row in rows]

    def to_invite(self, *, import_id: str | None, limit: int) -> list[ImportedMember]:
        """Return never-invited members without a password, in order of id.

        Their address is unconfirmed: whoever sets a password confirms it.
        """
        of_import = "" if import_id is None else "AND i.import = :import "
        params: dict[str, object] = {"limit": limit}
        rows = self._sql.all(
            "SELECT m.id, m.member_key, m.email, m.email_confirmed FROM imported_members i "
            "JOIN members m ON m.id = i.member_id "
            f"WHERE i.invited_at IS NULL AND m.email_confirmed = 0 {of_import}"
            "ORDER BY i.member_id LIMIT :limit",
            params if import_id is None else {**params, "import": import_id},
        )
        return [ImportedMember(row[0], row[1], row[2], bool(row[3])) for row in rows]

    def invited(self, member_id: str, *, at: datetime) -> None:
        """Record that an imported member was invited; do nothing for other members."""
        self._sql.run(
            "UPDATE imported_members SET invited_at = :at WHERE member_id = :member",
            {"at": instant_text(at), "member": member_id},
        )

    def end(self, import_id: str, *, at: datetime) -> None:
        """Mark an import as undone."""
        self._sql.run(
            "UPDATE member_imports SET undone_at = :at WHERE id = :import",
            {"at": instant_text(at), "import": import_id},
        )
