"""Stored events of the payment provider, and whether they are done."""

from __future__ import annotations

from datetime import datetime

from jara.records.payments import ProviderEvent, StoredEvent
from jara.store.sql.codecs import document_text, instant_text, read_document, read_instant
from jara.store.sql.connection import Row, Sql

_WAITS = "done_at IS NULL AND due_at <= :now AND (leased_until IS NULL OR leased_until <= :now)"


class ProviderEventRepository:
    """Stored events, each once, and whether they are processed."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

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
        row = self._sql.one(
            f"SELECT 1 FROM provider_events WHERE {_WAITS} LIMIT 1", {"now": instant_text(now)}
        )
        return row is not None

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
        return [_heard(row) for row in rows]

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
        return [_heard(row) for row in rows]

    def erase_before(self, at: datetime) -> int:
        """Delete the events received before an instant; return how many."""
        return self._sql.run(
            "DELETE FROM provider_events WHERE received_at < :at", {"at": instant_text(at)}
        )


def _heard(row: Row) -> StoredEvent:
    document = read_document(row[1])
    created_at = read_instant(document.pop("created_at"))
    return StoredEvent(
        event=ProviderEvent(**document, created_at=created_at),
        received_at=read_instant(row[2]),
        attempts=row[3],
        failure=row[4],
    )
