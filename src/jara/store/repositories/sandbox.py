"""Stores the sandbox gateway's objects, outside every unit of work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import date, datetime

from jara.store.sql.codecs import document_text, instant_text, optional_day_text, read_document
from jara.store.sql.connection import Sql
from jara.store.sql.database import Database


class SqlSandboxState:
    """Documents and balance transactions of the sandbox.

    Each act of the sandbox is its own transaction, like a call to a real provider;
    ``batch`` joins several.

    Args:
        database: where they are.
        admit: refuses a real organisation, before each read and transaction.
    """

    def __init__(self, database: Database, admit: Callable[[], None] = lambda: None) -> None:
        self._database = database
        self._admit = admit
        self._local = threading.local()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Run the calls in the block as one transaction; a nested batch joins the outer one."""
        if self._batch is not None:
            yield
            return
        with self._transaction() as sql:
            self._local.batch = sql
            try:
                yield
            finally:
                self._local.batch = None

    def get(self, kind: str, object_id: str) -> dict[str, object] | None:
        """Return an object's document."""
        row = self._reading().one(
            "SELECT doc FROM sandbox_objects WHERE kind = :kind AND id = :id",
            {"kind": kind, "id": object_id},
        )
        return None if row is None else read_document(row[0])

    def put(
        self, kind: str, object_id: str, doc: dict[str, object], *, due_on: date | None = None
    ) -> None:
        """Store an object."""
        with self._open() as sql:
            sql.run(
                "INSERT INTO sandbox_objects (kind, id, doc, due_on) "
                "VALUES (:kind, :id, :doc, :due_on) ON CONFLICT (kind, id) DO UPDATE SET "
                "doc = excluded.doc, due_on = excluded.due_on",
                {
                    "kind": kind,
                    "id": object_id,
                    "doc": document_text(doc),
                    "due_on": optional_day_text(due_on),
                },
            )

    def delete(self, kind: str, object_id: str) -> None:
        """Remove an object."""
        with self._open() as sql:
            sql.run(
                "DELETE FROM sandbox_objects WHERE kind = :kind AND id = :id",
                {"kind": kind, "id": object_id},
            )

    def due(self, kind: str, on: date) -> list[dict[str, object]]:
        """Return the objects of a kind that are due on or before a day, by due day."""
        rows = self._reading().all(
            "SELECT doc FROM sandbox_objects WHERE kind = :kind AND due_on <= :due "
            "ORDER BY due_on, id",
            {"kind": kind, "due": on.isoformat()},
        )
        return [read_document(row[0]) for row in rows]

    def all(self, kind: str) -> list[dict[str, object]]:
        """Return every object of a kind, by id."""
        rows = self._reading().all(
            "SELECT doc FROM sandbox_objects WHERE kind = :kind ORDER BY id", {"kind": kind}
        )
        return [read_document(row[0]) for row in rows]

    def append_row(self, row_id: str, created_at: datetime, doc: dict[str, object]) -> None:
        """Append a balance transaction."""
        with self._open() as sql:
            sql.run(
                "INSERT INTO sandbox_rows (seq, id, created_at, doc) VALUES ((SELECT "
                "COALESCE(MAX(seq), 0) + 1 FROM sandbox_rows), :id, :created_at, :doc)",
                {"id": row_id, "created_at": instant_text(created_at), "doc": document_text(doc)},
            )

    def rows(self, *, since: datetime | None = None) -> list[dict[str, object]]:
        """Return the balance transactions since an instant, in insertion order."""
        rows = self._reading().all(
            "SELECT doc, payout_id FROM sandbox_rows WHERE created_at >= :since "
            "ORDER BY created_at, seq",
            {"since": "" if since is None else instant_text(since)},
        )
        return [{**read_document(doc), "payout_id": payout} for doc, payout in rows]

    def unpaid_rows(self, before: datetime) -> list[dict[str, object]]:
        """Return the rows before an instant that are not part of a payout yet."""
        rows = self._reading().all(
            "SELECT doc FROM sandbox_rows WHERE payout_id IS NULL AND created_at < :before "
            "ORDER BY seq",
            {"before": instant_text(before)},
        )
        return [read_document(row[0]) for row in rows]

    def set_payout(self, row_ids: list[str], payout_id: str) -> None:
        """Mark rows as part of a payout."""
        with self._open() as sql:
            sql.run_many(
                "UPDATE sandbox_rows SET payout_id = :payout WHERE id = :id",
                [{"payout": payout_id, "id": row_id} for row_id in row_ids],
            )

    @property
    def _batch(self) -> Sql | None:
        # Each thread has its own connection, and so its own batch.
        batch: Sql | None = getattr(self._local, "batch", None)
        return batch

    def _reading(self) -> Sql:
        """Return the batch, or an interface for one query; never inside a unit of work."""
        if self._batch is not None:
            return self._batch
        self._admit()
        sql = self._database.read_once()
        if sql.is_open:
            raise RuntimeError("A unit of work is open in this thread already.")
        return sql

    @contextmanager
    def _open(self) -> Iterator[Sql]:
        if self._batch is not None:
            yield self._batch
            return
        with self._transaction() as sql:
            yield sql

    def _transaction(self) -> AbstractContextManager[Sql]:
        self._admit()
        return self._database.transaction(write=True)
