"""Registrations whose first payment or card is not confirmed yet."""

from __future__ import annotations

from jara.services.ports.people import PendingRegistration
from jara.store.sql.codecs import document_text, instant_text, read_document, read_instant
from jara.store.sql.connection import Row, Sql

_COLUMNS = "id, email, member_id, member_key, started_at, doc"


class SqlRegistrations:
    """Registrations in progress; finishing or abandoning one deletes the row."""

    def __init__(self, sql: Sql) -> None:
        """Work inside a transaction."""
        self._sql = sql

    def put(self, pending: PendingRegistration) -> None:
        """Save a registration.

        Raises:
            Conflict: another one with this address is under way.
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
        """Return the registration that a member is made by."""
        return self._one("member_id = :value", member_id)

    def remove(self, registration_id: str) -> None:
        """Delete a registration: it is finished or abandoned."""
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
