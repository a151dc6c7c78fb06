"""The laws of the trace, on random histories and against a model of single cents."""

from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import pairwise

from hypothesis import given

from jara.domain.books import trace
from jara.domain.books.journal import JournalEntry
from jara.domain.books.trace import Incoming, Operation, Outgoing, Traced, trace_of_lot
from jara.domain.books.trace_rows import Label, Lot, MemoryTrace, Pool
from jara.domain.checks.entries import check_trace
from tests.domain.books.trace_histories import MOVES, Move, entries_of, net_assets

Books = dict[Pool, MemoryTrace]


@given(MOVES)
def test_the_laws_hold_after_every_entry(moves: list[Move]) -> None:
    """Whatever happens, every cent of every lot and of every use is accounted for."""
    history: list[JournalEntry] = []
    books: Books = {pool: MemoryTrace() for pool in Pool}
    for index, entry in entries_of(moves):
        history.append(entry)
        for operation in _operations(history, index):
            rows = books[operation.pool]
            before = _paid_of_each_lot(rows)
            trace.apply_operation(rows, operation)
            _check_that_others_only_gain(rows, operation, before)
        for pool, rows in books.items():
            _check_axis(rows)
            _check_lots(rows)
            _check_uses(rows)
            assert net_assets(history, pool) == _standing(rows)
        _check_members(books)
        _check_entries(books, history)


@given(MOVES)
def test_building_the_books_again_gives_the_same_rows(moves: list[Move]) -> None:
    """Rebuilding the derived tables from the entries gives the same rows."""
    history: list[JournalEntry] = []
    books: Books = {pool: MemoryTrace() for pool in Pool}
    for index, entry in entries_of(moves):
        history.append(entry)
        for operation in _operations(history, index):
            trace.apply_operation(books[operation.pool], operation)
    built = trace.build_trace(enumerate(history))
    for pool in Pool:
        assert list(check_trace(pool, books[pool], built[pool])) == []


@given(MOVES)
def test_the_trace_without_reversals_equals_moving_single_cents(moves: list[Move]) -> None:
    """The axis of cents gives the same result as moving single cents first in, first out."""
    history: list[JournalEntry] = []
    books: Books = {pool: MemoryTrace() for pool in Pool}
    models = {pool: CentModel() for pool in Pool}
    for index, entry in entries_of([move for move in moves if move[0] != "reversal"]):
        history.append(entry)
        for operation in _operations(history, index):
            trace.apply_operation(books[operation.pool], operation)
            models[operation.pool].apply(operation)
        for pool, rows in books.items():
            _check_against(models[pool], rows)


@dataclass
class CentLot:
    """A lot as a row of cents: waiting (None), taken back (-1), or the entry it paid."""

    entry: int
    restores: int | None
    cells: list[int | None] = field(default_factory=list)


@dataclass
class CentModel:
    """A pool that moves each cent separately."""

    lots: list[CentLot] = field(default_factory=list)
    debts: deque[int] = field(default_factory=deque)

    def apply(self, operation: Operation) -> None:
        """Apply the operation cent by cent."""
        left = operation.cents
        if isinstance(operation, Outgoing):
            for lot in self.lots_of(operation.refunds):
                left -= self.take_back(lot, left)
            for _ in range(left):
                self.spend(operation.entry)
            return
        for lot in self.lots_of(operation.restores):
            number = self.lots.index(lot)
            given_back = sum(len(other.cells) for other in self.lots if other.restores == number)
            cents = min(left, lot.cells.count(-1) - given_back)
            if cents:
                self.receive(operation.entry, cents, number)
                left -= cents
        if left:
            self.receive(operation.entry, left, None)

    def lots_of(self, entry: int | None) -> list[CentLot]:
        """Return the lots of a payment and those that restored them."""
        numbers: list[int] = []
        for number, lot in enumerate(self.lots):
            if entry is not None and (lot.entry == entry or lot.restores in numbers):
                numbers.append(number)
        return [self.lots[number] for number in numbers]

    def receive(self, entry: int, cents: int, restores: int | None) -> None:
        """Add a lot, which first pays what is owed."""
        cells = [self.debts.popleft() if self.debts else None for _ in range(cents)]
        self.lots.append(CentLot(entry, restores, cells))

    def spend(self, entry: int) -> None:
        """Take the oldest waiting cent, or owe one."""
        for lot in self.lots:
            if None in lot.cells:
                lot.cells[lot.cells.index(None)] = entry
                return
        self.debts.append(entry)

    def take_back(self, lot: CentLot, cents: int) -> int:
        """Take the last waiting cents of a lot, then its last used ones."""
        places = list(reversed(range(len(lot.cells))))
        waiting = [place for place in places if lot.cells[place] is None]
        used = [place for place in places if lot.cells[place] not in {None, -1}]
        taken = (waiting + used)[:cents]
        displaced = [lot.cells[place] for place in taken]
        for place in taken:
            lot.cells[place] = -1
        for entry in displaced:
            if entry is not None:
                self.spend(entry)
        return len(taken)


def _operations(history: list[JournalEntry], index: int) -> list[Operation]:
    entry = history[index]
    undone = None if entry.reverses is None else history[entry.reverses]
    return trace.operations(entry, index, undone=undone)


def _lots(rows: MemoryTrace) -> list[Lot]:
    return list(rows.lots_between(1, rows.lot_count))


def _paid_of_each_lot(rows: MemoryTrace) -> dict[int, dict[int, int]]:
    return {lot.seq: dict(trace_of_lot(rows, lot.seq).paid) for lot in _lots(rows)}


def _check_that_others_only_gain(
    rows: MemoryTrace, operation: Operation, before: dict[int, dict[int, int]]
) -> None:
    """A refund shrinks only the trace of its payment; a receipt or use shrinks none."""
    if isinstance(operation, Incoming) and operation.frees is not None:
        return
    touched: set[int] = set()
    for lot in _lots(rows):
        refunds = operation.refunds if isinstance(operation, Outgoing) else None
        if refunds is not None and (lot.entry == refunds or lot.restores in touched):
            touched.add(lot.seq)
    after = _paid_of_each_lot(rows)
    for seq, paid in before.items():
        if seq not in touched:
            assert all(after[seq].get(entry, 0) >= cents for entry, cents in paid.items())


def _check_axis(rows: MemoryTrace) -> None:
    """The segments partition [0, D), the lots [0, E), and the tree sums the holes."""
    segments = list(rows.segments_between(0, rows.used_cents))
    assert [*(s.start for s in segments), rows.used_cents] == [0, *(s.stop for s in segments)]
    assert all(segment.cents > 0 for segment in segments)
    lots = _lots(rows)
    ends = [0, *(trace.end_of_lot(rows, lot) for lot in lots)]
    assert [lot.width for lot in lots] == [stop - start for start, stop in pairwise(ends)]
    assert sum(lot.cents for lot in lots) == rows.total_cents


def _check_lots(rows: MemoryTrace) -> None:
    """Per lot: paid + waiting + refunded = received, and none is below zero."""
    for lot in _lots(rows):
        traced = trace_of_lot(rows, lot.seq)
        paid = sum(cents for _, cents in traced.paid)
        assert traced.received_cents == paid + traced.waiting_cents + traced.refunded_cents
        assert min(traced.received_cents, traced.waiting_cents, traced.refunded_cents) >= 0


def _check_uses(rows: MemoryTrace) -> None:
    """Both directions of the trace agree: from lots to entries and from entries to lots."""
    uses = Counter[int]()
    for segment in rows.segments_between(0, rows.used_cents):
        if segment.entry is not None:
            uses[segment.entry] += segment.cents
    by_lot = {
        (lot.seq, entry): cents
        for lot in _lots(rows)
        for entry, cents in trace_of_lot(rows, lot.seq).paid
    }
    by_entry = Counter[tuple[int, int]]()
    for entry, cents in uses.items():
        payers = trace.payers_of_entry(rows, entry)
        assert cents == payers.uncovered_cents + sum(payer.cents for payer in payers.paid)
        for payer in payers.paid:
            by_entry[payer.seq, entry] += payer.cents
    assert by_lot == by_entry


def _check_members(books: Books) -> None:
    """A member's trace is the sum of the traces of that member's lots."""
    for member in ("ann", "bob", "cy"):
        for pool, traced in trace.trace_of_member(books, member).items():
            rows = books[pool]
            lots = [trace_of_lot(rows, lot.seq) for lot in _lots(rows) if lot.member == member]
            paid = Counter[int]()
            for lot in lots:
                paid.update(dict(lot.paid))
            assert traced.received_cents == sum(lot.received_cents for lot in lots)
            assert traced.refunded_cents == sum(lot.refunded_cents for lot in lots)
            assert traced.waiting_cents == sum(lot.waiting_cents for lot in lots)
            assert dict(traced.paid) == paid


def _check_entries(books: Books, history: list[JournalEntry]) -> None:
    """The trace of entries together is the sum of their lots' and of those that restored them."""
    for rows in books.values():
        for entries in ({0}, set(range(len(history))), set(range(0, len(history), 2))):
            own: set[int] = set()
            for lot in _lots(rows):
                if lot.entry in entries or lot.restores in own:
                    own.add(lot.seq)
            lots = [trace_of_lot(rows, seq) for seq in own]
            paid = Counter[int]()
            for traced in lots:
                paid.update(dict(traced.paid))
            assert trace.trace_of_entries(rows, entries) == Traced(
                sum(traced.received_cents for traced in lots),
                sum(traced.refunded_cents for traced in lots),
                sum(traced.waiting_cents for traced in lots),
                tuple(sorted(paid.items())),
            )
        assert trace.trace_of_entries(rows, ()) == Traced(0, 0, 0, ())


def _standing(rows: MemoryTrace) -> int:
    """Return the lots net of refunds, less the uses net of reversals."""
    kept = sum(lot.cents - lot.hole - lot.cut for lot in _lots(rows))
    segments = rows.segments_between(0, rows.used_cents)
    return kept - sum(s.cents for s in segments if s.label is Label.USED)


def _check_against(model: CentModel, rows: MemoryTrace) -> None:
    stored = [
        (lot.entry, lot.restores, lot.hole + lot.cut, dict(trace_of_lot(rows, lot.seq).paid))
        for lot in _lots(rows)
    ]
    expected = []
    for lot in model.lots:
        paid = Counter(cell for cell in lot.cells if cell not in {None, -1})
        restores = None if lot.restores is None else lot.restores + 1
        expected.append((lot.entry, restores, lot.cells.count(-1), dict(paid)))
    assert stored == expected
    uncovered = sum(
        trace.payers_of_entry(rows, entry).uncovered_cents for entry in set(model.debts)
    )
    assert len(model.debts) == uncovered
