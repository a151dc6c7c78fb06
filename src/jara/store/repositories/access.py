"""Access of members and readers: sessions, passkeys, emailed codes, rate limits, newsletters."""

from collections.abc import Iterable
from datetime import date, datetime

from jara.domain.errors import Conflict
from jara.records.access import (
    AddressChange,
    Agreement,
    MailedCode,
    Passkey,
    PendingAddress,
    Reader,
    Remembered,
    StoredSession,
    UndoCode,
)
from jara.store.rows import Repository, Rows, remover
from jara.store.sql.codecs import instant_text, read_instant

CODES = Rows("mailed_codes", MailedCode, code_hash="hash")
CHANGES = Rows("address_changes", AddressChange)
PENDING = Rows("pending_addresses", PendingAddress)
UNDOS = Rows("undo_codes", UndoCode, code_hash="hash")
READERS = Rows("newsletter_readers", Reader)
REQUESTS = Rows("idempotency_keys", Remembered)
SESSIONS = Rows("sessions", StoredSession, name="hash")
PASSKEYS = Rows("passkeys", Passkey)

_EXPIRING = (
    ("limit_uses", "until"),
    ("mailed_codes", "expires_at"),
    ("idempotency_keys", "until"),
    ("known_devices", "until"),
    ("pending_addresses", "expires_at"),
    ("undo_codes", "expires_at"),
)


class AccessRepository(Repository):
    """Idempotency keys, rate limits, known devices, mailed codes and subscribers."""

    reader = READERS.finder("email")
    put_code = CODES.adder()
    put_undo = UNDOS.adder()
    readers = READERS.lister("ORDER BY asked_at, email")
    put_reader = READERS.putter()
    remember = REQUESTS.putter()
    remove_use = remover("limit_uses", "id")
    remove_uses = remover("limit_uses", "bucket")
    remove_devices = remover("known_devices", "owner")
    remove_all_codes = remover("mailed_codes", "subject")
    remove_pending_address = remover("pending_addresses", "member_id")

    def uses(self, bucket: str, *, now: datetime) -> list[datetime]:
        """Return when each use that still counts expires, soonest first."""
        query = "SELECT until FROM limit_uses WHERE bucket = :bucket AND until > :now ORDER BY 1"
        return [*map(read_instant, self._column(query, bucket=bucket, now=now))]

    def add_use(self, use_id: str, bucket: str, *, at: datetime, until: datetime) -> None:
        """Count one use of a limit."""
        # Each use deletes expired ones, so that a flood leaves no rows behind.
        self._sql.run("DELETE FROM limit_uses WHERE until <= :now", {"now": instant_text(at)})
        self._insert("limit_uses", {"id": use_id, "bucket": bucket, "until": until})

    def knows_device(self, device_hash: str, *, now: datetime) -> bool:
        """Return whether a device is known and has not expired."""
        query = "SELECT 1 FROM known_devices WHERE hash = :hash AND until > :now"
        return bool(self._column(query, hash=device_hash, now=now))

    def put_device(self, device_hash: str, *, owner: str, until: datetime) -> None:
        """Remember a device until an instant."""
        self._sql.run(
            "INSERT INTO known_devices (hash, owner, until) VALUES (:hash, :owner, :until) "
            "ON CONFLICT (hash) DO UPDATE SET until = excluded.until",
            {"hash": device_hash, "owner": owner, "until": instant_text(until)},
        )

    def code(self, code_hash: str, *, now: datetime) -> MailedCode | None:
        """Return a code that has not expired."""
        return CODES.one(
            self._sql, "WHERE hash = :hash AND expires_at > :now", hash=code_hash, now=now
        )

    def codes_for(self, *purposes: str, now: datetime) -> list[MailedCode]:
        """Return the codes of some purposes that have not expired."""
        codes = CODES.all(self._sql, "WHERE expires_at > :now ORDER BY hash", now=now)
        return [one for one in codes if one.purpose in purposes]

    def remove_codes(self, purpose: str, subject: str) -> None:
        """Remove the codes of a purpose and subject."""
        self._delete("mailed_codes", {"purpose": purpose, "subject": subject})

    def put_pending_address(self, pending: PendingAddress) -> None:
        """Store an unconfirmed address; it replaces the member's earlier one."""
        self.remove_pending_address(pending.member_id)
        PENDING.add(self._sql, pending)

    def pending_address(self, member_id: str, *, now: datetime) -> PendingAddress | None:
        """Return a member's unconfirmed address."""
        return self._pending("member_id", member_id, now)

    def pending_by_code(self, code_hash: str, *, now: datetime) -> PendingAddress | None:
        """Return the unconfirmed address that a code belongs to."""
        return self._pending("code_hash", code_hash, now)

    def _pending(self, column: str, value: str, now: datetime) -> PendingAddress | None:
        return PENDING.one(
            self._sql, f"WHERE {column} = :value AND expires_at > :now", value=value, now=now
        )

    def next_undo(self, member_id: str) -> int:
        """Return the number of a member's next change."""
        return self._number(
            "SELECT COALESCE(MAX(seq), 0) + 1 FROM undo_codes WHERE member_id = :id",
            {"id": member_id},
        )

    def undo(self, code_hash: str, *, now: datetime) -> UndoCode | None:
        """Return the state of an account before the change that a code undoes."""
        return UNDOS.one(
            self._sql, "WHERE hash = :hash AND expires_at > :now", hash=code_hash, now=now
        )

    def remove_undos(self, member_id: str, *, since: int) -> None:
        """Remove a member's undo codes from change number ``since`` on."""
        self._sql.run(
            "DELETE FROM undo_codes WHERE member_id = :id AND seq >= :seq",
            {"id": member_id, "seq": since},
        )

    def readers_after(self, email: str, *, limit: int) -> list[Reader]:
        """Return the next confirmed readers in the order of their addresses."""
        return READERS.all(
            self._sql,
            "WHERE email > :email AND confirmed_at IS NOT NULL ORDER BY email LIMIT :limit",
            email=email,
            limit=limit,
        )

    def remove_reader(self, email: str) -> None:
        """Delete a newsletter subscription, and the emails to it."""
        if not email:
            return
        self._delete("newsletter_readers", {"email": email})
        self._sql.run(
            "DELETE FROM outbox WHERE address = :email AND member_id IS NULL "
            "AND once_key LIKE 'news:%'",
            {"email": email},
        )

    def forget_unconfirmed(self, before: datetime) -> int:
        """Delete unconfirmed newsletter subscriptions from before a time; return how many."""
        return self._sql.run(
            "DELETE FROM newsletter_readers WHERE confirmed_at IS NULL AND asked_at < :at",
            {"at": instant_text(before)},
        )

    def remembered(self, key: str, *, now: datetime) -> Remembered | None:
        """Return an unexpired request by its idempotency key."""
        return REQUESTS.one(self._sql, "WHERE key = :key AND until > :now", key=key, now=now)

    def forget_attempt(self, key: str, attempt: str) -> None:
        """Delete a request that this attempt did not answer, so that it can be tried again."""
        statement = (
            "DELETE FROM idempotency_keys "
            "WHERE key = :key AND attempt = :attempt AND answer IS NULL"
        )
        self._sql.run(statement, {"key": key, "attempt": attempt})

    def forget_person(self, member_id: str, email: str) -> None:
        """Delete all codes, addresses, subscriptions and emails of a member or address."""
        whose = {"id": member_id, "email": email or member_id}  # what has no address stays
        self._sql.run("DELETE FROM mailed_codes WHERE subject IN (:id, :email)", whose)
        self.remove_pending_address(member_id)
        self.remove_undos(member_id, since=0)
        self._sql.run("UPDATE address_changes SET email = '' WHERE member_id = :id", whose)
        self._delete("newsletter_readers", {"email": email})
        for table in ("outbox", "returned_emails"):
            self._sql.run(f"DELETE FROM {table} WHERE address = :email", {"email": email})

    def forget_expired(self, now: datetime) -> int:
        """Delete expired rows; return how many."""
        return sum(
            self._sql.run(f"DELETE FROM {table} WHERE {column} <= :now", {"now": instant_text(now)})
            for table, column in _EXPIRING
        )


_FIRST_ADDRESS = (
    "state = 'waiting' AND email = '' AND EXISTS "
    "(SELECT 1 FROM members WHERE id = member_id AND closed_at IS NULL)"
)
"""The condition for a change of somebody who had no address; those of erased members are empty."""


class AddressChangeRepository(Repository):
    """The addresses that operators changed; a row stays when the member leaves."""

    by_code = CHANGES.finder("code_hash")
    add = CHANGES.adder()
    first_addresses = CHANGES.lister(f"WHERE {_FIRST_ADDRESS} ORDER BY changed_at, code_hash")
    of_member = CHANGES.lister_by("member_id", "ORDER BY changed_at, code_hash")
    waiting = CHANGES.lister_by("member_id", "AND state = 'waiting' ORDER BY changed_at, code_hash")

    def since(self, at: datetime) -> list[AddressChange]:
        """Return the changes at or after an instant, oldest first."""
        where = "WHERE changed_at >= :at ORDER BY changed_at, code_hash"
        return CHANGES.all(self._sql, where, at=at)

    def agree(self, change: AddressChange, by: Agreement) -> None:
        """Save who agreed to a change."""
        CHANGES.put(self._sql, change._replace(state=by))

    def undo(self, member_id: str, *, since: int) -> None:
        """Let the changes wait no more that a member's undo codes from ``since`` on undo."""
        self._sql.run(
            "UPDATE address_changes SET state = 'owner' WHERE undo_hash IN "
            "(SELECT hash FROM undo_codes WHERE member_id = :id AND seq >= :seq)",
            {"id": member_id, "seq": since},
        )

    def forget(self, before: datetime) -> int:
        """Delete the changes before an instant, but for waiting first addresses; count them."""
        return self._sql.run(
            f"DELETE FROM address_changes WHERE changed_at < :at AND NOT ({_FIRST_ADDRESS})",
            {"at": instant_text(before)},
        )


class SessionRepository(Repository):
    """The sessions; a token without a row is invalid."""

    add = SESSIONS.adder()
    of_owner = SESSIONS.lister_by("owner", "ORDER BY used_on DESC, hash")

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

    def end_owner(self, owner: str, *, but: str | None = None) -> None:
        """End every session of an owner, except the one named ``but``."""
        self._sql.run(
            "DELETE FROM sessions WHERE owner = :owner AND hash <> :but",
            {"owner": owner, "but": but or ""},
        )

    def end_all(self) -> None:
        """End all sessions of all members."""
        self._sql.run("DELETE FROM sessions")

    def forget_unused(self, before: date) -> int:
        """Delete the sessions last used before a day; return how many."""
        return self._sql.run(
            "DELETE FROM sessions WHERE used_on < :day", {"day": before.isoformat()}
        )


class PasskeyRepository(Repository):
    """The passkeys."""

    get = PASSKEYS.finder("id")
    of_member = PASSKEYS.lister_by("member_id", "ORDER BY name, id")
    remove_all = remover("passkeys", "member_id")

    def add(self, passkey: Passkey) -> None:
        """Save a passkey.

        Raises:
            Conflict: it is stored already.
        """
        if self.get(passkey.id) is not None:
            raise Conflict("This passkey is stored already.")
        PASSKEYS.add(self._sql, passkey)

    def remove(self, member_id: str, passkey_id: str) -> int:
        """Remove a passkey of a member; return how many."""
        return self._delete("passkeys", {"member_id": member_id, "id": passkey_id})
