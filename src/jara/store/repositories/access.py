"""Rate limits, known devices, emailed codes and newsletter readers."""

from __future__ import annotations

from datetime import datetime

from jara.records.access import MailedCode, PendingAddress, Reader, Remembered, UndoCode
from jara.store.sql.codecs import (
    document_text,
    instant_text,
    optional_instant,
    optional_instant_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Sql

_EXPIRING = (
    ("limit_uses", "until"),
    ("mailed_codes", "expires_at"),
    ("idempotency_keys", "until"),
    ("known_devices", "until"),
    ("pending_addresses", "expires_at"),
    ("undo_codes", "expires_at"),
)


class AccessRepository:
    """Idempotency keys, rate limits, known devices, mailed codes and subscribers."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def uses(self, bucket: str, *, now: datetime) -> list[datetime]:
        """Return when each use that still counts expires, soonest first."""
        rows = self._sql.all(
            "SELECT until FROM limit_uses WHERE bucket = :bucket AND until > :now ORDER BY until",
            {"bucket": bucket, "now": instant_text(now)},
        )
        return [read_instant(row[0]) for row in rows]

    def add_use(self, use_id: str, bucket: str, *, at: datetime, until: datetime) -> None:
        """Count one use of a limit."""
        # Each use deletes expired ones, so that a flood leaves no rows behind.
        self._sql.run("DELETE FROM limit_uses WHERE until <= :now", {"now": instant_text(at)})
        self._sql.run(
            "INSERT INTO limit_uses (id, bucket, until) VALUES (:id, :bucket, :until)",
            {"id": use_id, "bucket": bucket, "until": instant_text(until)},
        )

    def remove_use(self, use_id: str) -> None:
        """Undo one use."""
        self._sql.run("DELETE FROM limit_uses WHERE id = :id", {"id": use_id})

    def remove_uses(self, bucket: str) -> None:
        """Remove every use in a bucket."""
        self._sql.run("DELETE FROM limit_uses WHERE bucket = :bucket", {"bucket": bucket})

    def knows_device(self, device_hash: str, *, now: datetime) -> bool:
        """Return whether a device is known and has not expired."""
        row = self._sql.one(
            "SELECT 1 FROM known_devices WHERE hash = :hash AND until > :now",
            {"hash": device_hash, "now": instant_text(now)},
        )
        return row is not None

    def put_device(self, device_hash: str, *, owner: str, until: datetime) -> None:
        """Remember a device until an instant."""
        self._sql.run(
            "INSERT INTO known_devices (hash, owner, until) VALUES (:hash, :owner, :until) "
            "ON CONFLICT (hash) DO UPDATE SET until = excluded.until",
            {"hash": device_hash, "owner": owner, "until": instant_text(until)},
        )

    def remove_devices(self, owner: str) -> None:
        """Forget the devices of an owner."""
        self._sql.run("DELETE FROM known_devices WHERE owner = :owner", {"owner": owner})

    def put_code(self, code: MailedCode) -> None:
        """Save a code; it replaces all others of its purpose and subject."""
        self.remove_codes(code.purpose, code.subject)
        self._sql.run(
            "INSERT INTO mailed_codes (hash, purpose, subject, expires_at) "
            "VALUES (:hash, :purpose, :subject, :expires_at)",
            {
                "hash": code.code_hash,
                "purpose": code.purpose,
                "subject": code.subject,
                "expires_at": instant_text(code.expires_at),
            },
        )

    def code(self, code_hash: str, purpose: str, *, now: datetime) -> MailedCode | None:
        """Return a code that has not expired."""
        row = self._sql.one(
            "SELECT hash, purpose, subject, expires_at FROM mailed_codes "
            "WHERE hash = :hash AND purpose = :purpose AND expires_at > :now",
            {"hash": code_hash, "purpose": purpose, "now": instant_text(now)},
        )
        return None if row is None else MailedCode(row[0], row[1], row[2], read_instant(row[3]))

    def remove_codes(self, purpose: str, subject: str) -> None:
        """Remove the codes of a purpose and subject; each is used once."""
        self._sql.run(
            "DELETE FROM mailed_codes WHERE purpose = :purpose AND subject = :subject",
            {"purpose": purpose, "subject": subject},
        )

    def remove_all_codes(self, subject: str) -> None:
        """Remove all codes of a subject."""
        self._sql.run("DELETE FROM mailed_codes WHERE subject = :subject", {"subject": subject})

    def put_pending_address(self, pending: PendingAddress) -> None:
        """Store an unconfirmed address; it replaces the member's earlier one."""
        self.remove_pending_address(pending.member_id)
        self._sql.run(
            "INSERT INTO pending_addresses (member_id, email, code_hash, expires_at) "
            "VALUES (:member, :email, :code, :expires)",
            {
                "member": pending.member_id,
                "email": pending.email,
                "code": pending.code_hash,
                "expires": instant_text(pending.expires_at),
            },
        )

    def pending_address(self, member_id: str, *, now: datetime) -> PendingAddress | None:
        """Return a member's unconfirmed address."""
        return self._pending("member_id", member_id, now)

    def pending_by_code(self, code_hash: str, *, now: datetime) -> PendingAddress | None:
        """Return the unconfirmed address that a code belongs to."""
        return self._pending("code_hash", code_hash, now)

    def _pending(self, column: str, value: str, now: datetime) -> PendingAddress | None:
        row = self._sql.one(
            "SELECT member_id, email, code_hash, expires_at FROM pending_addresses "
            f"WHERE {column} = :value AND expires_at > :now",
            {"value": value, "now": instant_text(now)},
        )
        return None if row is None else PendingAddress(row[0], row[1], row[2], read_instant(row[3]))

    def remove_pending_address(self, member_id: str) -> None:
        """Delete a member's unconfirmed address."""
        self._sql.run("DELETE FROM pending_addresses WHERE member_id = :id", {"id": member_id})

    def next_undo(self, member_id: str) -> int:
        """Return the number of a member's next change."""
        row = self._sql.one(
            "SELECT COALESCE(MAX(seq), 0) + 1 FROM undo_codes WHERE member_id = :id",
            {"id": member_id},
        )
        return 1 if row is None else int(row[0])

    def put_undo(self, undo: UndoCode) -> None:
        """Save the state of an account before a change."""
        self._sql.run(
            "INSERT INTO undo_codes (hash, member_id, seq, email, email_confirmed, "
            "password_hash, expires_at) VALUES (:hash, :member, :seq, :email, :confirmed, "
            ":password, :expires)",
            {
                "hash": undo.code_hash,
                "member": undo.member_id,
                "seq": undo.seq,
                "email": undo.email,
                "confirmed": int(undo.email_confirmed),
                "password": undo.password_hash,
                "expires": instant_text(undo.expires_at),
            },
        )

    def undo(self, code_hash: str, *, now: datetime) -> UndoCode | None:
        """Return the state of an account before the change that a code undoes."""
        row = self._sql.one(
            "SELECT hash, member_id, seq, email, email_confirmed, password_hash, expires_at "
            "FROM undo_codes WHERE hash = :hash AND expires_at > :now",
            {"hash": code_hash, "now": instant_text(now)},
        )
        if row is None:
            return None
        return UndoCode(
            code_hash=row[0],
            member_id=row[1],
            seq=row[2],
            email=row[3],
            email_confirmed=bool(row[4]),
            password_hash=row[5],
            expires_at=read_instant(row[6]),
        )

    def remove_undos(self, member_id: str, *, since: int) -> None:
        """Remove a member's undo codes from change number ``since`` on."""
        self._sql.run(
            "DELETE FROM undo_codes WHERE member_id = :id AND seq >= :seq",
            {"id": member_id, "seq": since},
        )

    def reader(self, email: str) -> Reader | None:
        """Return the newsletter subscription of an address."""
        row = self._sql.one(
            "SELECT email, wording, source, asked_at, confirmed_at FROM newsletter_readers "
            "WHERE email = :email",
            {"email": email},
        )
        if row is None:
            return None
        return Reader(row[0], row[1], row[2], read_instant(row[3]), optional_instant(row[4]))

    def put_reader(self, reader: Reader) -> None:
        """Add or update a newsletter subscription."""
        self._sql.run(
            "INSERT INTO newsletter_readers (email, wording, source, asked_at, confirmed_at) "
            "VALUES (:email, :wording, :source, :asked_at, :confirmed_at) "
            "ON CONFLICT (email) DO UPDATE SET wording = excluded.wording, "
            "source = excluded.source, asked_at = excluded.asked_at, "
            "confirmed_at = excluded.confirmed_at",
            {
                "email": reader.email,
                "wording": reader.wording,
                "source": reader.source,
                "asked_at": instant_text(reader.asked_at),
                "confirmed_at": optional_instant_text(reader.confirmed_at),
            },
        )

    def remove_reader(self, email: str) -> None:
        """Delete a newsletter subscription."""
        self._sql.run("DELETE FROM newsletter_readers WHERE email = :email", {"email": email})

    def forget_unconfirmed(self, before: datetime) -> int:
        """Delete unconfirmed newsletter subscriptions from before a time; return how many."""
        return self._sql.run(
            "DELETE FROM newsletter_readers WHERE confirmed_at IS NULL AND asked_at < :at",
            {"at": instant_text(before)},
        )

    def remembered(self, key: str, *, now: datetime) -> Remembered | None:
        """Return an unexpired request by its idempotency key."""
        row = self._sql.one(
            "SELECT key, body_mark, begun_at, until, answer FROM idempotency_keys "
            "WHERE key = :key AND until > :now",
            {"key": key, "now": instant_text(now)},
        )
        if row is None:
            return None
        answer = None if row[4] is None else read_document(row[4])
        return Remembered(row[0], row[1], read_instant(row[2]), read_instant(row[3]), answer)

    def remember(self, request: Remembered) -> None:
        """Save a request."""
        self._sql.run(
            "INSERT INTO idempotency_keys (key, body_mark, begun_at, until, answer) "
            "VALUES (:key, :body_mark, :begun_at, :until, :answer) "
            "ON CONFLICT (key) DO UPDATE SET body_mark = excluded.body_mark, "
            "begun_at = excluded.begun_at, until = excluded.until, answer = excluded.answer",
            {
                "key": request.key,
                "body_mark": request.body_mark,
                "begun_at": instant_text(request.begun_at),
                "until": instant_text(request.until),
                "answer": None if request.answer is None else document_text(request.answer),
            },
        )

    def forget(self, key: str) -> None:
        """Delete a request, so that it can be tried again."""
        self._sql.run("DELETE FROM idempotency_keys WHERE key = :key", {"key": key})

    def forget_person(self, member_id: str, email: str) -> None:
        """Delete all codes, addresses, subscriptions and emails of a member or address."""
        whose = {"id": member_id, "email": email}
        self._sql.run("DELETE FROM mailed_codes WHERE subject IN (:id, :email)", whose)
        self.remove_pending_address(member_id)
        self.remove_undos(member_id, since=0)
        self._sql.run("DELETE FROM newsletter_readers WHERE email = :email", {"email": email})
        self._sql.run("DELETE FROM outbox WHERE address = :email", {"email": email})

    def forget_expired(self, now: datetime) -> int:
        """Delete expired rows; return how many."""
        return sum(
            self._sql.run(f"DELETE FROM {table} WHERE {column} <= :now", {"now": instant_text(now)})
            for table, column in _EXPIRING
        )
