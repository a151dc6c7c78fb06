"""Queries of the trace: how a member's money was used, and who paid for an entry."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from jara.domain.books.trace import cents_of, end_of_lot
from jara.domain.books.trace_rows import Label, Lot, Pool, Segment, TraceRows


class Traced(NamedTuple):
    """How the money of a lot or a member in one pool was used.

    `paid` pairs the log index of each entry with the cents it received, in log order;
    received = waiting + refunded + the sum of `paid`.
    """

    received_cents: int
    refunded_cents: int
    waiting_cents: int
    paid: tuple[tuple[int, int], ...]


class Payer(NamedTuple):
    """A lot that paid for an entry; `payment` is the log index of the lot's own entry."""

    seq: int
    member: str | None
    payment: int
    cents: int


class Payers(NamedTuple):
    """The lots that paid for an entry in one pool, and the uncovered amount."""

    paid: tuple[Payer, ...]
    uncovered_cents: int


def trace_of_lot(rows: TraceRows, seq: int) -> Traced:
    """Return how one lot was used; restored money counts for the restoring lot.

    Raises:
        NotFound: the pool has no such lot.
    """
    return _trace(rows, [rows.lot(seq)], cents_of(rows.lots_restoring(seq)))


def trace_of_member(books: Mapping[Pool, TraceRows], member: str) -> dict[Pool, Traced]:
    """Return how a member's money was used in every pool."""
    traced = {}
    for pool, rows in books.items():
        lots = rows.lots_of_member(member)
        restored = cents_of(lot for lot in lots if lot.restores is not None)
        traced[pool] = _trace(rows, lots, restored)
    return traced


def trace_of_entries(rows: TraceRows, entries: Iterable[int]) -> Traced:
    """Return how the money of some entries was used, with what was taken back and restored."""
    lots = rows.lots_of_entries(entries)
    for lot in lots:  # the list grows during iteration: a restoring lot may be restored too
        if lot.hole or lot.cut:
            lots += rows.lots_restoring(lot.seq)
    own = {lot.seq: lot for lot in lots}
    restored = cents_of(lot for lot in own.values() if lot.restores in own)
    return _trace(rows, [own[seq] for seq in sorted(own)], restored)


def last_used_lot(rows: TraceRows) -> Lot | None:
    """Return the newest lot whose money was used; None while nothing was."""
    if not rows.used_cents or not rows.lot_count:
        return None
    return rows.lot(min(_lot_at(rows, rows.used_cents - 1), rows.lot_count))


def payers_of_entry(rows: TraceRows, entry: int) -> Payers:
    """Return the payers of an entry, in the order of their lots."""
    paid: list[Payer] = []
    uncovered = 0
    for segment in rows.segments_of_entry(entry):
        payers = _payers_of_segment(rows, segment)
        uncovered += segment.cents - sum(payer.cents for payer in payers)
        paid += payers
    return Payers(tuple(paid), uncovered)


def _trace(rows: TraceRows, lots: Iterable[Lot], restored: int) -> Traced:
    """Add up the traces of lots, of which some restored money that others lost."""
    paid: defaultdict[int, int] = defaultdict(int)
    received = refunded = waiting = 0
    for run in _runs(lots):
        received += cents_of(run)
        refunded += sum(lot.hole + lot.cut for lot in run)
        start, stop = end_of_lot(rows, run[0]) - run[0].width, end_of_lot(rows, run[-1])
        waiting += max(0, stop - max(start, rows.used_cents))
        for segment in rows.segments_between(start, stop):
            cents = min(segment.stop, stop) - max(segment.start, start)
            if segment.entry is not None:
                paid[segment.entry] += cents
            elif segment.label is Label.FREE:
                waiting += cents
    return Traced(
        received_cents=received - restored,
        refunded_cents=refunded - restored,
        waiting_cents=waiting,
        paid=tuple(sorted(paid.items())),
    )


def _runs(lots: Iterable[Lot]) -> Iterator[list[Lot]]:
    """Split lots where they do not follow each other; each run is one piece of the axis."""
    run: list[Lot] = []
    for lot in lots:
        if run and lot.seq != run[-1].seq + 1:
            yield run
            run = []
        run.append(lot)
    if run:
        yield run


def _payers_of_segment(rows: TraceRows, segment: Segment) -> list[Payer]:
    first = _lot_at(rows, segment.start)
    last = _lot_at(rows, segment.stop - 1)
    stop = end_of_lot(rows, rows.lot(first - 1)) if first > 1 else 0
    payers = []
    for lot in rows.lots_between(first, min(last, rows.lot_count)):
        start, stop = stop, stop + lot.width
        cents = min(stop, segment.stop) - max(start, segment.start)
        if cents > 0:
            payers.append(Payer(lot.seq, lot.member, lot.entry, cents))
    return payers


def _lot_at(rows: TraceRows, position: int) -> int:
    """Return the number of the lot at a position on the axis; past the end, the next number."""
    low, high = 1, rows.lot_count + 1
    while low < high:
        middle = (low + high) // 2
        if end_of_lot(rows, rows.lot(middle)) > position:
            high = middle
        else:
            low = middle + 1
    return low
