"""Reading the keys, limits and ways in also reads the approvals, which use up signatures."""

from __future__ import annotations

STATEMENTS = (
    "DROP INDEX log_control",
    """CREATE INDEX log_control ON log (idx)
        WHERE type IN ('jara/v1/operator_key', 'jara/v1/control_policy', 'jara/v1/ways_in',
            'jara/v1/approval')""",
)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
