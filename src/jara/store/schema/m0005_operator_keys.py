"""Operators' keys and signed acts.

The keys and limits in force are computed from the public log. The tables hold what the log must
not contain: the names and the signed acts.
"""

from __future__ import annotations

STATEMENTS = (
    """CREATE TABLE operator_keys (
        fingerprint TEXT PRIMARY KEY,
        operator TEXT NOT NULL)""",
    """CREATE TABLE signed_acts (
        nonce TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        operator TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        statement TEXT NOT NULL,
        signature TEXT NOT NULL,
        approval TEXT)""",
    "CREATE INDEX signed_acts_by_approval ON signed_acts (approval) WHERE approval IS NOT NULL",
    """CREATE INDEX log_control ON log (idx)
        WHERE type IN ('jara/v1/operator_key', 'jara/v1/control_policy')""",
)

APPEND_ONLY = ("operator_keys", "signed_acts")

WITHOUT_ROWID = frozenset({"operator_keys", "signed_acts"})
