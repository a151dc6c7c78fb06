"""The trace: whose dollars paid for what, first in, first out, to the cent.

Money coming into a pool is a lot; money going out is a use. In every pool:
paid + waiting + refunded = received, for each lot, each member and in total, and
paid + uncovered = uses - reversals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jara.domain.books.trace_operations import Operation, Outgoing, TracedEntry, operations
from jara.domain.books.trace_rows import Label, Lot, MemoryTrace, Pool, Segment, TraceRows

_HOLES_SIZE = 1 << 32
"""The capacity of the Fenwick tree, in lots; a read touches one node per bit."""


def record_entry(
    books: Mapping[Pool, TraceRows],
    entry: TracedEntry,
    index: int,
    *,
    undone: TracedEntry | None,
) -> None:
    """Update the trace of every pool with an entry (see `operations`)."""
    for operation in operations(entry, index, undone=undone):
        apply_operation(books[operation.pool], operation)


def build_trace(entries: Iterable[tuple[int, TracedEntry]]) -> dict[Pool, MemoryTrace]:
    """Build the trace in memory from entries with their log indexes, in log order."""
    books = {pool: MemoryTrace() for pool in Pool}
    referring: dict[int, TracedEntry] = {}
    for index, entry in entries:
        undone = None if entry.reverses is None else referring.get(entry.reverses)
        record_entry(books, entry, index, undone=undone)
        if entry.of is not None or entry.reverses is not None:
            referring[index] = entry
    return books


def apply_operation(rows: TraceRows, operation: Operation) -> None:
    """Move money into or out of a pool's trace."""
    left = operation.cents
    if isinstance(operation, Outgoing):
        if operation.refunds is not None:
            left = _refund(rows, operation.refunds, left)
        _spend(rows, operation.entry, left)
        return
    if operation.frees is not None:
        left = _free(rows, operation.frees, left)
    if operation.restores is not None:
        left = _restore(rows, operation.restores, operation.entry, left)
    if left:
        _receive(rows, operation.member, operation.entry, left)


def end_of_lot(rows: TraceRows, lot: Lot) -> int:
    """Return where a lot ends on the axis: E(i) = the total up to it less the holes."""
    nodes = []
    node = lot.seq
    while node:
        nodes.append(node)
        node &= node - 1
    return lot.total - rows.sum_holes(nodes)


def cents_of(lots: Iterable[Lot]) -> int:
    """Return the sum of some lots."""
    return sum(lot.cents for lot in lots)


def _receive(
    rows: TraceRows, member: str | None, entry: int, cents: int, restores: int | None = None
) -> None:
    total = rows.total_cents + cents
    rows.add_lot(Lot(rows.lot_count + 1, member, entry, cents, total, 0, 0, restores))


def _spend(rows: TraceRows, entry: int, cents: int) -> None:
    """Fill free segments, oldest first; append the rest at the end of the used money."""
    left = cents
    while left and (free := rows.first_free()) is not None:
        taken = min(left, free.cents)
        _relabel(rows, free, Segment(free.start, free.start + taken, Label.USED, entry))
        left -= taken
    if left:
        start = rows.used_cents
        rows.add_segment(Segment(start, start + left, Label.USED, entry))


def _free(rows: TraceRows, entry: int, cents: int) -> int:
    """Free the last cents that an entry used; return the rest that it never used."""
    left = cents
    for segment in reversed(rows.segments_of_entry(entry)):
        taken = min(left, segment.cents)
        if taken:
            _relabel(rows, segment, Segment(segment.stop - taken, segment.stop, Label.FREE))
            left -= taken
    return left


def _restore(rows: TraceRows, payment: int, entry: int, cents: int) -> int:
    """Restore money taken from a payment's lots; return the rest that was never taken."""
    left = cents
    for lot in _lots_of_payment(rows, payment):
        taken = lot.hole + lot.cut - cents_of(rows.lots_restoring(lot.seq))
        given = min(left, taken)
        if given:
            _receive(rows, lot.member, entry, given, restores=lot.seq)
            left -= given
    return left


def _refund(rows: TraceRows, payment: int, cents: int) -> int:
    """Take cents from a payment's lots; return the rest that they did not hold."""
    left = cents
    for lot in _lots_of_payment(rows, payment):
        if left:
            left -= _take_back(rows, lot, left)
    return left


def _lots_of_payment(rows: TraceRows, payment: int) -> list[Lot]:
    """Return the lots of a payment and the lots that restored them, oldest first."""
    lots = rows.lots_of_entries([payment])
    for lot in lots:  # the list grows during iteration: a restoring lot may be restored too
        lots += rows.lots_restoring(lot.seq)
    return sorted(lots, key=lambda lot: lot.seq)


def _take_back(rows: TraceRows, lot: Lot, cents: int) -> int:
    """Take money from a lot, unused money first; return the amount taken."""
    stop = end_of_lot(rows, lot)
    start = stop - lot.width
    hole = max(0, min(cents, stop - max(start, rows.used_cents)))
    if hole:
        _dig(rows, lot.seq, hole)
    cut, displaced = _cut(rows, start, stop - hole, cents - hole)
    if hole or cut:
        rows.change_lot(lot._replace(hole=lot.hole + hole, cut=lot.cut + cut))
    for entry, used in displaced:
        _spend(rows, entry, used)
    return hole + cut


def _dig(rows: TraceRows, seq: int, cents: int) -> None:
    """Make a hole in a lot; all later lots, which are unused, move down by its size."""
    nodes = []
    node = seq
    while node <= _HOLES_SIZE:
        nodes.append(node)
        node += node & -node
    rows.add_holes(nodes, cents)


def _cut(rows: TraceRows, start: int, stop: int, cents: int) -> tuple[int, list[tuple[int, int]]]:
    """Cut cents out of [start, stop), free pieces before used ones, the last first.

    Returns:
        The amount cut, and the amount each entry lost.
    """
    displaced: list[tuple[int, int]] = []
    left = cents
    pieces = [piece for piece in rows.segments_between(start, stop) if piece.label is not Label.CUT]
    pieces.sort(key=lambda piece: (piece.label is Label.FREE, piece.start), reverse=True)
    for piece in pieces:
        end = min(piece.stop, stop)
        taken = min(left, end - max(piece.start, start))
        if taken:
            _relabel(rows, piece, Segment(end - taken, end, Label.CUT))
            left -= taken
            if piece.entry is not None:
                displaced.append((piece.entry, taken))
    return cents - left, displaced


def _relabel(rows: TraceRows, segment: Segment, part: Segment) -> None:
    """Relabel a part of a segment; the rest of the segment is unchanged."""
    before = segment._replace(stop=part.start)
    after = segment._replace(start=part.stop)
    rows.split_segment([piece for piece in (before, part, after) if piece.cents])
