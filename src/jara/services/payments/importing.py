"""Importing the payment provider's movements: all or nothing, each movement once.

The books are the same whether movements come from the provider's API or its files, however often
and in any order: a row that comes before what it undoes waits for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from jara.domain.books.provider_row import ProviderRow, unified, where
from jara.domain.giving.payment_way import PaymentProof
from jara.services.audit import record_act
from jara.services.authority import read_control
from jara.services.books import imports
from jara.services.books.imports import DryRun, ImportOutcome, Progress, Rejected, RejectedAsWhole
from jara.services.context import Context
from jara.services.payments.listing import note_lost_disputes
from jara.services.payments.movement_booking import ROW_FAULTS, MovementBooker

COLLECTED_AT = "provider.collected_at"
OVERLAP = timedelta(days=7)
"""How far back movements are fetched again, since they may appear late."""

_BATCH_ROWS = 1000
_SKIPPED, _POSTED, _REJECTED = range(3)


def book_rows(
    context: Context,
    rows: Iterable[ProviderRow],
    *,
    faults: Sequence[Rejected] = (),
    partial: bool = False,
    progress: Progress | None = None,
    act: str | None = None,
    dry_run: bool = False,
    is_file: bool = False,
) -> ImportOutcome:
    """Book movements of the provider in one transaction.

    Args:
        rows: the movements in order of time; must not be fetched from the gateway lazily.
        faults: items that the reader of a file rejected; it may add to this while rows are read.
        partial: book the valid rows even if others are rejected.
        progress: called with the number of rows done.
        act: the action's name in the audit log, if an operator does it.
        dry_run: try it, and store nothing.
        is_file: whether an operator's file says so, not the provider; once operators have keys,
            what its rows take out counts against the limits.

    Returns:
        The outcome; unless `partial`, one rejected item means that nothing is posted.

    Raises:
        Refused: an operator does it, and only other operators are listed.
    """
    batches = _batches(rows)
    first = next(batches, [])  # a file is read and sorted before the books are locked
    count = _Count()
    try:
        with context.store.write() as work:
            log_size = work.log.size()
            is_limited = is_file and read_control(context, work).needs_keys
            proof = None if is_file else PaymentProof.PROVIDER
            booker = MovementBooker(context, work, proof=proof, is_limited=is_limited)
            batch = first
            while batch:
                booker.load(batch)
                for row in batch:
                    _book(booker, row, count)
                if progress is not None:
                    progress(len(batch))
                batch = next(batches, [])
            booker.save()
            waiting = booker.waiting
            imports.require_whole([*count.rejected, *faults], partial=partial)
            imports.require_real(dry_run=dry_run)
            if act is not None:
                imported = imports.new_import_id(context)
                facts = {**count.facts, **imports.import_facts(imported, work, first=log_size)}
                record_act(context, work, act, imports.FROM_PROVIDER, facts=facts)
    except DryRun:
        pass
    except RejectedAsWhole:
        return count.outcome(faults, is_accepted=False)
    return count.outcome(faults, is_accepted=True)._replace(waiting=waiting)


def collect_movements(context: Context) -> ImportOutcome:
    """Fetch and book the new movements since a week before the last run; note lost disputes."""
    with context.store.read() as work:
        last = work.meta.get(COLLECTED_AT)
    since = None if last is None else datetime.fromisoformat(last) - OVERLAP
    began = context.now()
    outcome = book_rows(context, list(context.gateway.rows(since=since)), partial=True)
    with context.store.write() as work:
        work.meta.put(COLLECTED_AT, began.isoformat())
    note_lost_disputes(context)
    return outcome


class _Count:
    """Counts items of the source; in the Payments file a refund belongs to its charge's item."""

    def __init__(self) -> None:
        self.rejected: list[Rejected] = []
        self._posted = 0
        self._skipped = 0
        self._lines = bytearray()
        """The outcome of the charge on each line of the Payments file."""

    def outcome(self, faults: Sequence[Rejected], *, is_accepted: bool) -> ImportOutcome:
        rejected = [*self.rejected, *faults]
        return ImportOutcome(
            read=self._posted + self._skipped + len(rejected),
            posted=self._posted if is_accepted else 0,
            skipped=self._skipped if is_accepted else 0,
            rejected=tuple(sorted(rejected, key=lambda item: item.line)),
        )

    @property
    def facts(self) -> dict[str, int]:
        """The figures for the audit log."""
        return {"posted": self._posted, "skipped": self._skipped, "rejected": len(self.rejected)}

    def is_rejected(self, row: ProviderRow) -> bool:
        """Return whether the charge of a cumulated refund was rejected, and with it the item."""
        return row.cumulative is not None and self._state(row.line) == _REJECTED

    def add(self, row: ProviderRow, *, posted: bool) -> None:
        if row.cumulative is not None:
            if not posted or self._state(row.line) == _POSTED:
                return
            self._skipped -= 1  # its charge was booked, so the item was skipped
        self._posted += posted
        self._skipped += not posted
        self._note(row, _POSTED if posted else _SKIPPED)

    def reject(self, row: ProviderRow, message: str) -> None:
        if row.cumulative is not None:
            self._posted -= self._state(row.line) == _POSTED
            self._skipped -= self._state(row.line) == _SKIPPED
        self.rejected.append(Rejected(row.line, message))
        self._note(row, _REJECTED)

    def _state(self, line: int) -> int:
        return self._lines[line] if line < len(self._lines) else _SKIPPED

    def _note(self, row: ProviderRow, state: int) -> None:
        if row.txn_id is None:
            self._lines.extend(bytes(max(0, row.line + 1 - len(self._lines))))
            self._lines[row.line] = state


def _book(booker: MovementBooker, row: ProviderRow, count: _Count) -> None:
    if count.is_rejected(row):
        return
    try:
        count.add(row, posted=booker.book(row))
    except ROW_FAULTS as error:
        place = f"{where(row)}: " if row.line else ""
        count.reject(row, error.message.removeprefix(place))


def _batches(rows: Iterable[ProviderRow]) -> Iterator[list[ProviderRow]]:
    source = map(unified, rows)
    while batch := list(islice(source, _BATCH_ROWS)):
        yield batch
