"""Queues: emails that wait to be sent, and the provider's events that wait to be processed.

Several processes work on a queue: each leases what it takes, for a time. Emails that came back
stand beside them.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from jara.domain.returned_email import ReturnedEmail
from jara.records.operations import Email
from jara.records.payments import ProviderEvent, StoredEvent
from jara.store.rows import Repository, Rows, counter, remover
from jara.store.sql.codecs import (
    chunks,
    document_text,
    in_list,
    instant_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row

EMAILS = Rows("outbox", Email, "once_key")
_UNSENT = "sent_at IS NULL AND refused_at IS NULL"
_BEGINS = "once_key >= :first AND once_key < :end"
_LAST = "\U0010ffff"
_WAITS = "done_at IS NULL AND due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)"
"""The condition that an event waits and is not leased."""


class OutboxRepository(Repository):
    """The email queue; emails are added in the transaction that causes them."""

    get = EMAILS.finder("id")
    add = EMAILS.new_adder()
    of_member = EMAILS.lister_by("member_id", "ORDER BY created_at DESC, id DESC")
    of_reader = EMAILS.lister_by("address", "AND member_id IS NULL")
    count_waiting = counter(f"SELECT COUNT(*) FROM outbox WHERE {_UNSENT}")
    count_refused = counter(
        "SELECT COUNT(*) FROM outbox WHERE refused_at IS NOT NULL AND address NOT IN "
        "(SELECT address FROM returned_emails WHERE cleared_at IS NULL)"
    )
    erase_member = remover("outbox", "member_id")
    remove = remover("outbox", "id")

    def add_new(self, emails: Iterable[Email]) -> int:
        """Add the emails with unused once-keys; return how many."""
        added = 0
        for piece in chunks(emails):
            names, params = in_list("k", [email.once_key for email in piece])
            query = f"SELECT once_key FROM outbox WHERE once_key IN {names}"
            used = set(self._column(query, **params))
            for email in piece:
                if email.once_key not in used:
                    EMAILS.append(self._sql, email)
                    added += 1
        return added

    def lease(
        self, *, now: datetime, until: datetime, limit: int, besides: Collection[str] = ()
    ) -> list[Email]:
        """Lease due emails of all kinds besides some, so that no other process sends them."""
        names, params = in_list("k", sorted(besides))
        emails = EMAILS.all(
            self._sql,
            f"WHERE {_UNSENT} AND due_at <= :now "
            f"{f'AND kind NOT IN {names} ' if besides else ''}"
            "AND (leased_until IS NULL OR leased_until <= :now) ORDER BY due_at, id LIMIT :limit",
            now=now,
            limit=max(limit, 0),
            **params,
        )
        self._sql.run_many(
            "UPDATE outbox SET leased_until = :until WHERE id = :id",
            [{"until": instant_text(until), "id": email.id} for email in emails],
        )
        return emails

    def sent(self, email_id: str, *, at: datetime) -> None:
        """Mark an email as sent; its link is deleted."""
        self._sql.run(
            "UPDATE outbox SET sent_at = :at, sealed = NULL, leased_until = NULL, failure = NULL, "
            "attempts = attempts + 1 WHERE id = :id",
            {"at": instant_text(at), "id": email_id},
        )

    def rewrite(self, email: Email) -> None:
        """Replace the values and the link of an email."""
        self._update("outbox", {"id": email.id}, {"doc": email.doc, "sealed": email.sealed})

    def failed(self, email_id: str, *, reason: str, due_at: datetime) -> None:
        """Record why sending an email failed, and when to retry."""
        self._sql.run(
            "UPDATE outbox SET failure = :reason, due_at = :due_at, leased_until = NULL, "
            "attempts = attempts + 1 WHERE id = :id",
            {"reason": reason, "due_at": instant_text(due_at), "id": email_id},
        )

    def refused(self, email_id: str, *, reason: str, at: datetime) -> None:
        """Give an email up, with the reason."""
        self._sql.run(
            "UPDATE outbox SET failure = :reason, refused_at = :at, leased_until = NULL, "
            "attempts = attempts + 1 WHERE id = :id",
            {"reason": reason, "at": instant_text(at), "id": email_id},
        )

    def retry_refused(self, *, at: datetime) -> int:
        """Make the emails that were given up due again; return how many."""
        return self._sql.run(
            "UPDATE outbox SET refused_at = NULL, due_at = :at WHERE refused_at IS NOT NULL",
            {"at": instant_text(at)},
        )

    def all(self, *, unsent_only: bool = False) -> list[Email]:
        """Return the emails, newest first."""
        where = "WHERE sent_at IS NULL " if unsent_only else ""
        return EMAILS.all(self._sql, f"{where}ORDER BY created_at DESC, id DESC")

    def sent_keys(self, prefix: str) -> dict[str, datetime]:
        """Return when each sent email was sent whose once-key begins with a prefix, by its key."""
        rows = self._sql.each(
            f"SELECT once_key, sent_at FROM outbox WHERE sent_at IS NOT NULL AND {_BEGINS}",
            {"first": prefix, "end": f"{prefix}{_LAST}"},
        )
        return {key: read_instant(at) for key, at in rows}

    def remove_to(self, address: str, kind: str) -> None:
        """Remove the emails of a kind to an address."""
        self._delete("outbox", {"address": address, "kind": kind})

    def withdraw(self, once_key: str, *, now: datetime) -> bool:
        """Remove an email unless it is sent or being sent; return whether one was removed."""
        return bool(
            self._sql.run(
                "DELETE FROM outbox WHERE once_key = :key AND sent_at IS NULL "
                "AND (leased_until IS NULL OR leased_until <= :now)",
                {"key": once_key, "now": instant_text(now)},
            )
        )

    def withdraw_all(self, prefix: str, *, now: datetime) -> int:
        """Remove the emails whose once-key begins so, unless they are sent or being sent."""
        return self._sql.run(
            f"DELETE FROM outbox WHERE {_BEGINS} AND {_UNSENT} "
            "AND (leased_until IS NULL OR leased_until <= :now)",
            {"first": prefix, "end": f"{prefix}{_LAST}", "now": instant_text(now)},
        )

    def count_keys(self, prefix: str, *, waiting_only: bool = False) -> int:
        """Return the number of emails whose once-key begins so."""
        waiting = f" AND {_UNSENT}" if waiting_only else ""
        return self._number(
            f"SELECT COUNT(*) FROM outbox WHERE {_BEGINS}{waiting}",
            {"first": prefix, "end": f"{prefix}{_LAST}"},
        )

    def count(self, once_keys: Iterable[str]) -> int:
        """Return the number of emails with these once-keys, sent or not."""
        number = 0
        for piece in chunks(once_keys):
            names, params = in_list("k", piece)
            number += self._number(f"SELECT COUNT(*) FROM outbox WHERE once_key IN {names}", params)
        return number

    def erase_before(self, at: datetime) -> int:
        """Delete the emails written before an instant, sent or not; return how many."""
        return self._sql.run("DELETE FROM outbox WHERE created_at < :at", {"at": instant_text(at)})


class ProviderEventRepository(Repository):
    """Stored events, each once, and whether they are processed."""

    def add(self, event: ProviderEvent, *, at: datetime) -> bool:
        """Store an event; return False if it is stored already."""
        created_at = instant_text(event.created_at)
        added = self._sql.run(
            "INSERT INTO provider_events (id, type, doc, received_at, due_at) "
            "VALUES (:id, :type, :doc, :at, :at) ON CONFLICT (id) DO NOTHING",
            {
                "id": event.event_id,
                "type": event.type,
                "doc": document_text({**event._asdict(), "created_at": created_at}),
                "at": instant_text(at),
            },
        )
        return bool(added)

    def retry_now(self, event_id: str, *, at: datetime) -> None:
        """Make an event that waits for its next attempt due now."""
        self._sql.run(
            "UPDATE provider_events SET due_at = :at "
            "WHERE id = :id AND done_at IS NULL AND due_at > :at",
            {"id": event_id, "at": instant_text(at)},
        )

    def any_due(self, now: datetime) -> bool:
        """Return whether an event is due."""
        due = f"SELECT 1 FROM provider_events WHERE {_WAITS} LIMIT 1"
        return bool(self._column(due, now=now))

    def lease(self, *, now: datetime, until: datetime, limit: int) -> list[StoredEvent]:
        """Lease due events, so that no other process works on them."""
        rows = self._sql.all(
            "SELECT id, doc, received_at, attempts, failure FROM provider_events "
            f"WHERE {_WAITS} ORDER BY due_at, id LIMIT :limit",
            {"now": instant_text(now), "limit": limit},
        )
        self._sql.run_many(
            "UPDATE provider_events SET leased_until = :until WHERE id = :id",
            [{"until": instant_text(until), "id": row[0]} for row in rows],
        )
        return [_stored_event(row) for row in rows]

    def done(self, event_id: str, *, at: datetime) -> None:
        """Mark an event as processed, and delete its content."""
        self._sql.run(
            "UPDATE provider_events SET done_at = :at, doc = '{}', leased_until = NULL, "
            "failure = NULL, attempts = attempts + 1 WHERE id = :id",
            {"id": event_id, "at": instant_text(at)},
        )

    def postpone(self, event_id: str, *, due_at: datetime, failure: str | None) -> None:
        """Record when to retry, and the failure, if there was one."""
        self._sql.run(
            "UPDATE provider_events SET due_at = :due_at, failure = :failure, "
            "leased_until = NULL, attempts = attempts + 1 WHERE id = :id",
            {"id": event_id, "due_at": instant_text(due_at), "failure": failure},
        )

    def failures(self) -> list[StoredEvent]:
        """Return the failed events that are not processed yet, oldest first."""
        rows = self._sql.all(
            "SELECT id, doc, received_at, attempts, failure FROM provider_events "
            "WHERE done_at IS NULL AND failure IS NOT NULL ORDER BY received_at, id"
        )
        return [_stored_event(row) for row in rows]

    def erase_before(self, at: datetime) -> int:
        """Delete the events received before an instant; return how many."""
        return self._sql.run(
            "DELETE FROM provider_events WHERE received_at < :at", {"at": instant_text(at)}
        )


def _stored_event(row: Row) -> StoredEvent:
    document = read_document(row[1])
    created_at = read_instant(document.pop("created_at"))
    return StoredEvent(
        event=ProviderEvent(**document, created_at=created_at),
        received_at=read_instant(row[2]),
        attempts=row[3],
        failure=row[4],
    )


RETURNED = Rows("returned_emails", ReturnedEmail)


class ReturnedEmailRepository(Repository):
    """The returned emails, each once."""

    add = RETURNED.new_adder()
    all = RETURNED.lister("WHERE cleared_at IS NULL ORDER BY address, at, email_id")
    of_address = RETURNED.lister_by("address", "AND cleared_at IS NULL")

    def clear(self, address: str, *, at: datetime) -> int:
        """End the effect of the emails that did not reach an address; return how many."""
        return self._sql.run(
            "UPDATE returned_emails SET cleared_at = :at "
            "WHERE address = :address AND cleared_at IS NULL",
            {"address": address, "at": instant_text(at)},
        )

    def erase_before(self, at: datetime) -> int:
        """Delete the soft and the cleared ones of emails written before an instant."""
        return self._sql.run(
            "DELETE FROM returned_emails "
            "WHERE at < :at AND (is_hard = 0 OR cleared_at IS NOT NULL)",
            {"at": instant_text(at)},
        )
