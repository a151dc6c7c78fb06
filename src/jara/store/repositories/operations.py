"""Facts, operators, audit log and approvals."""

from __future__ import annotations

from jara.records.operations import Approval, AuditRow, Operator, SignedAct
from jara.store.sql.codecs import (
    document_text,
    instant_text,
    optional_instant,
    optional_instant_text,
    read_document,
    read_instant,
)
from jara.store.sql.connection import Row, Sql

_APPROVAL = "id, action, payload, why, state, prepared_by, prepared_at, decided_by, decided_at"
_SIGNED = "nonce, at, operator, fingerprint, statement, signature, approval"


class MetaRepository:
    """Small facts about the organisation itself."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def get(self, key: str) -> str | None:
        """Return a fact, or None."""
        row = self._sql.one("SELECT value FROM meta WHERE key = :key", {"key": key})
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        """Save a fact."""
        self._sql.run(
            "INSERT INTO meta (key, value) VALUES (:key, :value) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            {"key": key, "value": value},
        )

    def count_up(self, key: str) -> None:
        """Increment a numeric fact; a missing one becomes 1."""
        self._sql.run(
            "INSERT INTO meta (key, value) VALUES (:key, '1') ON CONFLICT (key) DO UPDATE "
            "SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)",
            {"key": key},
        )


class OperationsRepository:
    """Operators, the audit log, and approvals."""

    def __init__(self, sql: Sql) -> None:
        """Use an open transaction."""
        self._sql = sql

    def operators(self) -> list[Operator]:
        """Return every operator ever added, by name."""
        rows = self._sql.all("SELECT name, added_at, removed_at FROM operators ORDER BY name")
        return [
            Operator(name, read_instant(added), optional_instant(removed))
            for name, added, removed in rows
        ]

    def put_operator(self, operator: Operator) -> None:
        """Add or change an operator."""
        self._sql.run(
            "INSERT INTO operators (name, added_at, removed_at) "
            "VALUES (:name, :added_at, :removed_at) ON CONFLICT (name) DO UPDATE SET "
            "added_at = excluded.added_at, removed_at = excluded.removed_at",
            {
                "name": operator.name,
                "added_at": instant_text(operator.added_at),
                "removed_at": optional_instant_text(operator.removed_at),
            },
        )

    def key_names(self) -> dict[str, str]:
        """Return the name of the operator of each key, by fingerprint."""
        rows = self._sql.all("SELECT fingerprint, operator FROM operator_keys")
        return {str(fingerprint): str(operator) for fingerprint, operator in rows}

    def name_key(self, fingerprint: str, operator: str) -> None:
        """Store the owner of a key, which never changes; the log contains no names."""
        self._sql.run(
            "INSERT INTO operator_keys (fingerprint, operator) VALUES (:fingerprint, :operator) "
            "ON CONFLICT (fingerprint) DO NOTHING",
            {"fingerprint": fingerprint, "operator": operator},
        )

    def add_signed(self, act: SignedAct) -> bool:
        """Save a signed act; return False if its nonce was used before."""
        return bool(
            self._sql.run(
                f"INSERT INTO signed_acts ({_SIGNED}) VALUES (:nonce, :at, :operator, "
                ":fingerprint, :statement, :signature, :approval) ON CONFLICT (nonce) DO NOTHING",
                {
                    "nonce": act.nonce,
                    "at": instant_text(act.at),
                    "operator": act.operator,
                    "fingerprint": act.key,
                    "statement": act.statement,
                    "signature": act.signature,
                    "approval": act.approval,
                },
            )
        )

    def signed_for(self, approval: str) -> list[SignedAct]:
        """Return the signed acts for an approval, oldest first."""
        rows = self._sql.all(
            f"SELECT {_SIGNED} FROM signed_acts WHERE approval = :approval ORDER BY at, nonce",
            {"approval": approval},
        )
        return [SignedAct(row[0], read_instant(row[1]), *row[2:]) for row in rows]

    def record(self, row: AuditRow) -> None:
        """Append an act to the audit log."""
        self._sql.run(
            "INSERT INTO audit (seq, at, operator, action, subject, why, before_doc, after_doc) "
            "VALUES ((SELECT COALESCE(MAX(seq), 0) + 1 FROM audit), :at, :operator, :action, "
            ":subject, :why, :before, :after)",
            {
                "at": instant_text(row.at),
                "operator": row.operator,
                "action": row.action,
                "subject": row.subject,
                "why": row.why,
                "before": document_text(row.before),
                "after": document_text(row.after),
            },
        )

    def audit(self, *, subject: str | None = None, action: str | None = None) -> list[AuditRow]:
        """Return the acts, oldest first, optionally of one subject or action."""
        wanted = {"subject": subject, "action": action}
        params = {name: text for name, text in wanted.items() if text is not None}
        where = " AND ".join(f"{name} = :{name}" for name in params) or "1 = 1"
        rows = self._sql.all(
            "SELECT at, operator, action, subject, why, before_doc, after_doc "
            f"FROM audit WHERE {where} ORDER BY seq",
            params,
        )
        return [
            AuditRow(
                at=read_instant(row[0]),
                operator=row[1],
                action=row[2],
                subject=row[3],
                why=row[4],
                before=read_document(row[5]),
                after=read_document(row[6]),
            )
            for row in rows
        ]

    def approvals(self, *, waiting_only: bool) -> list[Approval]:
        """Return the waiting approvals, or all, oldest first."""
        where = "state IN ('waiting', 'carrying_out')" if waiting_only else "1 = 1"
        rows = self._sql.all(
            f"SELECT {_APPROVAL} FROM approvals WHERE {where} ORDER BY prepared_at, id"
        )
        return [_approval(row) for row in rows]

    def put_approval(self, approval: Approval) -> None:
        """Add or update an approval."""
        self._sql.run(
            f"INSERT INTO approvals ({_APPROVAL}) VALUES (:id, :action, :payload, :why, :state, "
            ":prepared_by, :prepared_at, :decided_by, :decided_at) ON CONFLICT (id) DO UPDATE SET "
            "state = excluded.state, decided_by = excluded.decided_by, "
            "decided_at = excluded.decided_at",
            {
                "id": approval.id,
                "action": approval.action,
                "payload": document_text(approval.payload),
                "why": approval.why,
                "state": approval.state,
                "prepared_by": approval.prepared_by,
                "prepared_at": instant_text(approval.prepared_at),
                "decided_by": approval.decided_by,
                "decided_at": optional_instant_text(approval.decided_at),
            },
        )


def _approval(row: Row) -> Approval:
    return Approval(
        id=row[0],
        action=row[1],
        payload=read_document(row[2]),
        why=row[3],
        state=row[4],
        prepared_by=row[5],
        prepared_at=read_instant(row[6]),
        decided_by=row[7],
        decided_at=optional_instant(row[8]),
    )
