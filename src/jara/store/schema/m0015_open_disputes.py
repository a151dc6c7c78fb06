"""Payments in dispute are found without reading all of them."""

from __future__ import annotations

STATEMENTS = ("CREATE INDEX payments_in_dispute ON payments (entry) WHERE dispute = 'open'",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
