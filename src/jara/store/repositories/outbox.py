"""The outbox: waiting and sent emails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from jara.records.operations import Email
from jara.store.sql.codecs import (
    chunks,
    document_text,
    in_list,
    instant_text,
    optional_instant,
    optional_instant_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_LETTER = (
    "id, kind, address, doc, created_at, due_at, member_id, once_key, attempts, sent_at, failure"
)
_ADD_EMAIL = (
    f"INSERT INTO outbox ({_LETTER}) VALUES (:id, :kind, :address, :doc, :created_at, :due_at, "
    ":member_id, :once_key, :attempts, :sent_at, :failure)"
)


class OutboxRepository:
    """The email queue; emails are added in the transaction that causes them."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def add(self, email: Email) -> bool:
        """Add an email; return False if its once-key was used before."""
        names = _LETTER.split(", ")
        params = dict(zip(names, _email_row(email), strict=True))
        return bool(self._sql.run(f"{_ADD_EMAIL} ON CONFLICT (once_key) DO NOTHING", params))

    def add_new(self, emails: Iterable[Email]) -> int:
        """Add the emails with unused once-keys; return how many."""
        added = 0
        for piece in chunks(emails):
            names, params = in_list("k", [email.once_key for email in piece])
            rows = self._sql.all(f"SELECT once_key FROM outbox WHERE once_key IN {names}", params)
            used = {row[0] for row in rows}
            for email in piece:
                if email.once_key not in used:
                    self._sql.append(_ADD_EMAIL, _email_row(email))
                    added += 1
        return added

    def lease(self, *, now: datetime, until: datetime, limit: int) -> Sequence[Email]:
        """Lease due emails, so that no other process sends them."""
        rows = self._sql.all(
            f"SELECT {_LETTER} FROM outbox WHERE sent_at IS NULL AND due_at <= :now "
            "AND (leased_until IS NULL OR leased_until <= :now) "
            "ORDER BY due_at, id LIMIT :limit",
            {"now": instant_text(now), "limit": limit},
        )
        self._sql.run_many(
            "UPDATE outbox SET leased_until = :until WHERE id = :id",
            [{"until": instant_text(until), "id": row[0]} for row in rows],
        )
        return [_email(row) for row in rows]

    def sent(self, email_id: str, *, at: datetime) -> None:
        """Mark an email as sent."""
        self._sql.run(
            "UPDATE outbox SET sent_at = :at, leased_until = NULL, failure = NULL, "
            "attempts = attempts + 1 WHERE id = :id",
            {"at": instant_text(at), "id": email_id},
        )

    def failed(self, email_id: str, *, reason: str, due_at: datetime) -> None:
        """Record why sending an email failed, and when to retry."""
        self._sql.run(
            "UPDATE outbox SET failure = :reason, due_at = :due_at, leased_until = NULL, "
            "attempts = attempts + 1 WHERE id = :id",
            {"reason": reason, "due_at": instant_text(due_at), "id": email_id},
        )

    def all(self, *, waiting_only: bool = False) -> list[Email]:
        """Return the emails, newest first."""
        where = "sent_at IS NULL" if waiting_only else "1 = 1"
        rows = self._sql.all(
            f"SELECT {_LETTER} FROM outbox WHERE {where} ORDER BY created_at DESC, id DESC"
        )
        return [_email(row) for row in rows]

    def count_waiting(self) -> int:
        """Return the number of waiting emails."""
        row = self._sql.one("SELECT COUNT(*) FROM outbox WHERE sent_at IS NULL")
        return 0 if row is None else int(row[0])

    def of_member(self, member_id: str) -> list[Email]:
        """Return the emails to a member, newest first."""
        rows = self._sql.all(
            f"SELECT {_LETTER} FROM outbox WHERE member_id = :id ORDER BY created_at DESC, id DESC",
            {"id": member_id},
        )
        return [_email(row) for row in rows]

    def erase_member(self, member_id: str) -> None:
        """Remove every email to a member."""
        self._sql.run("DELETE FROM outbox WHERE member_id = :id", {"id": member_id})

    def remove(self, email_id: str) -> None:
        """Remove an email, with its address."""
        self._sql.run("DELETE FROM outbox WHERE id = :id", {"id": email_id})

    def withdraw(self, once_key: str, *, now: datetime) -> bool:
        """Remove an email unless it is sent or being sent; return whether one was removed."""
        return bool(
            self._sql.run(
                "DELETE FROM outbox WHERE once_key = :key AND sent_at IS NULL "
                "AND (leased_until IS NULL OR leased_until <= :now)",
                {"key": once_key, "now": instant_text(now)},
            )
        )

    def count(self, once_keys: Iterable[str]) -> int:
        """Return the number of emails with these once-keys, sent or not."""
        found = 0
        for piece in chunks(once_keys):
            names, params = in_list("k", piece)
            row = self._sql.one(f"SELECT COUNT(*) FROM outbox WHERE once_key IN {names}", params)
            found += 0 if row is None else int(row[0])
        return found

    def erase_before(self, at: datetime) -> int:
        """Delete the emails written before an instant, sent or not; return how many."""
        return self._sql.run("DELETE FROM outbox WHERE created_at < :at", {"at": instant_text(at)})


def _email_row(email: Email) -> Row:
    return (
        email.id,
        email.kind,
        email.address,
        document_text(email.doc),
        instant_text(email.created_at),
        instant_text(email.due_at),
        email.member_id,
        email.once_key,
        email.attempts,
        optional_instant_text(email.sent_at),
        email.failure,
    )


def _email(row: Row) -> Email:
    return Email(
        id=row[0],
        kind=row[1],
        address=row[2],
        doc=read_document(row[3]),
        created_at=read_instant(row[4]),
        due_at=read_instant(row[5]),
        member_id=row[6],
        once_key=row[7],
        attempts=row[8],
        sent_at=optional_instant(row[9]),
        failure=row[10],
    )
