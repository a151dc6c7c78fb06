"""Facts, operators, audit log and approvals."""

from jara.records.operations import Approval, AuditRow, Operator, SignedAct
from jara.store.rows import Repository, Rows

OPERATORS = Rows("operators", Operator)
SIGNED = Rows("signed_acts", SignedAct, key="fingerprint")
AUDIT = Rows("audit", AuditRow, before="before_doc", after="after_doc")
APPROVALS = Rows("approvals", Approval)


class MetaRepository(Repository):
    """Small facts about the organisation itself."""

    def get(self, key: str) -> str | None:
        """Return a fact, or None."""
        return self._value(str, "SELECT value FROM meta WHERE key = :key", key=key)

    def put(self, key: str, value: str) -> None:
        """Save a fact."""
        self._put("meta", {"key": key}, {"value": value})

    def count_up(self, key: str) -> None:
        """Increment a numeric fact; a missing one becomes 1."""
        self._sql.run(
            "INSERT INTO meta (key, value) VALUES (:key, '1') ON CONFLICT (key) DO UPDATE "
            "SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)",
            {"key": key},
        )


class OperationsRepository(Repository):
    """Operators, the audit log, and approvals."""

    operators = OPERATORS.lister("ORDER BY name")  # ever added
    put_operator = OPERATORS.putter()
    add_signed = SIGNED.new_adder()
    put_approval = APPROVALS.putter()
    signed_for = SIGNED.lister_by("approval", "ORDER BY at, nonce")

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

    def record(self, row: AuditRow) -> None:
        """Append an act to the audit log."""
        AUDIT.add_next(self._sql, row)

    def audit(self, *, subject: str | None = None, action: str | None = None) -> list[AuditRow]:
        """Return the acts, oldest first, optionally of one subject or action."""
        wanted = {"subject": subject, "action": action}
        params = {name: text for name, text in wanted.items() if text is not None}
        where = " AND ".join(f"{name} = :{name}" for name in params) or "1 = 1"
        return AUDIT.all(self._sql, f"WHERE {where} ORDER BY seq", **params)

    def approvals(self, *, waiting_only: bool) -> list[Approval]:
        """Return the waiting approvals, or all, oldest first."""
        where = "state IN ('waiting', 'carrying_out')" if waiting_only else "1 = 1"
        return APPROVALS.all(self._sql, f"WHERE {where} ORDER BY prepared_at, id")
