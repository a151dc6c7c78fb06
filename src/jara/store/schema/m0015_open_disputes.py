"""An index of the payments in dispute."""

from __future__ import annotations

STATEMENTS = ("CREATE INDEX payments_in_dispute ON payments (entry) WHERE dispute = 'open'",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
