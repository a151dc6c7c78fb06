"""The log's leaves about ways in, and operators' addresses, which hear of their changes."""

from __future__ import annotations

STATEMENTS = (
    "DROP INDEX log_control",
    """CREATE INDEX log_control ON log (idx)
        WHERE type IN ('jara/v1/operator_key', 'jara/v1/control_policy', 'jara/v1/ways_in')""",
    "ALTER TABLE operators ADD COLUMN email TEXT NOT NULL DEFAULT ''",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
