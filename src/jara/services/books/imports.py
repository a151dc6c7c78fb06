"""Imports: their outcome, rejected items, and the audit log facts that list and undo them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

Progress = Callable[[int], None]
"""Called with the number of items done since the last call."""


class Rejected(NamedTuple):
    """An item that was not read or not booked: its line (0 outside files), and why."""

    line: int
    message: str


class ImportOutcome(NamedTuple):
    """The outcome of an import, counted in items of the source.

    Each item read is posted, skipped (booked already, or not our money) or rejected;
    if the whole file was rejected, nothing is posted or skipped. ``waiting`` lists the
    skipped refunds, disputes and returned payouts whose cause is not booked yet.
    """

    read: int
    posted: int
    skipped: int
    rejected: tuple[Rejected, ...] = ()
    waiting: tuple[str, ...] = ()


class RejectedAsWhole(Exception):
    """Rolls back the transaction of an import with rejected items."""


def require_whole(faults: Sequence[object], *, partial: bool) -> None:
    """Roll back when an item was rejected, unless a partial import was asked for.

    Raises:
        RejectedAsWhole: an item was rejected, and `partial` is false.
    """
    if faults and not partial:
        raise RejectedAsWhole


IMPORT_ACTION = "ledger.import"
BANK_IMPORT_ACTION = "bank.import"
DIGEST = "digest"
"""Key of the audit row of a bank import: the hash of what it brought; 0.2.0 stored none."""
UNDO_ACTION = "ledger.undo"
"""The approval action that undoes an import."""

FROM_PROVIDER = "provider"
"""The subject of the audit row of an import of the payment provider's files."""

REDO_ACTION = "ledger.redo"
"""In audit rows of 0.2.0: an import that was undone was posted again."""

_BANK = "bank:"
"""The prefix of the external ids of bank lines."""

IMPORT, FIRST, NEXT = "import", "firstIndex", "nextIndex"
"""Keys of the audit row: the import's id, and the log indexes of its entries."""


def new_import_id(context: Context) -> str:
    """Return the id of a new import."""
    return context.new_key("imp_")


def import_facts(imported: str, work: UnitOfWork, *, first: int) -> dict[str, Any]:
    """Return the facts that identify an import whose entries start at a log index."""
    return {IMPORT: imported, **range_facts(work, first=first)}


def range_facts(work: UnitOfWork, *, first: int) -> dict[str, int]:
    """Return the facts that name the entries of an act, which start at a log index."""
    return {FIRST: first, NEXT: work.log.size()}


def free_name(work: UnitOfWork, name: str) -> str:
    """Return the external id for an entry that is posted again: it has a number."""
    number = 1
    while _named(work, name, number) is not None:
        number += 1
    return _numbered(name, number)


def _named(work: UnitOfWork, name: str, number: int) -> int | None:
    numbered = _numbered(name, number)
    return work.journal.known_external_ids([numbered]).get(numbered)


def _numbered(name: str, number: int) -> str:
    """Add a number to an external id, as bank lines have it or as other entries do."""
    is_bank = name.startswith(_BANK)
    name = _BANK + name.removeprefix(_BANK).partition(":")[0] if is_bank else name.partition("~")[0]
    if number == 1:
        return name
    return f"{name}:{number}" if is_bank else f"{name}~{number}"


class DryRun(Exception):
    """Rolls back the transaction of a dry run."""


def require_real(*, dry_run: bool) -> None:
    """Roll back a dry run.

    Raises:
        DryRun: `dry_run` is true.
    """
    if dry_run:
        raise DryRun
