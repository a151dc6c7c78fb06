"""The links with codes of emails that wait to be sent, encrypted."""

from __future__ import annotations

STATEMENTS = ("ALTER TABLE outbox ADD COLUMN sealed TEXT",)

APPEND_ONLY: tuple[str, ...] = ()

WITHOUT_ROWID: frozenset[str] = frozenset()
