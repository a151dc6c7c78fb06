"""Audit log facts about an import, used to list and undo it."""

from __future__ import annotations

from typing import Any

from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

IMPORT_ACTION = "ledger.import"
BANK_IMPORT_ACTION = "bank.import"
UNDO_ACTION = "ledger.undo"
"""The approval action that undoes an import."""

IMPORT, FIRST, NEXT = "import", "firstIndex", "nextIndex"
"""Keys of the audit row: the import's id, and the log indexes of its entries."""


def new_import_id(context: Context) -> str:
    """Return the id of a new import."""
    return context.new_key("imp_")


def import_facts(imported: str, work: UnitOfWork, *, first: int) -> dict[str, Any]:
    """Return the facts that identify an import whose entries start at a log index."""
    return {IMPORT: imported, FIRST: first, NEXT: work.log.size()}


class DryRun(Exception):
    """Rolls back the transaction of a dry run."""


def require_real(*, dry_run: bool) -> None:
    """Roll back a dry run.

    Raises:
        DryRun: `dry_run` is true.
    """
    if dry_run:
        raise DryRun
