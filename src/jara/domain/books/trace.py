"""The trace: whose dollars paid for what, first in, first out, to the cent.

Money coming into a pool is a lot; money going out is a use. In every pool:
paid + waiting + refunded = received, for each lot, each member and in total, and
paid + uncovered = uses - reversals.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

from jara.domain.books.account import AccountType
from jara.domain.books.journal import EntryKind
from jara.domain.books.trace_rows import (
    CONTRIBUTIONS,
    Label,
    Lot,
    MemoryTrace,
    Nets,
    Pool,
    Segment,
    TraceRows,
)

_INCOME = frozenset({CONTRIBUTIONS, str(AccountType.INCOME)})


class TracedEntry(Protocol):
    """The fields of an entry that the trace reads: a domain value, or checked rows."""

    @property
    def kind(self) -> str:
        """The kind."""

    @property
    def nets(self) -> Nets:
        """The net amounts in each pool."""

    @property
    def member_key(self) -> str | None:
        """The key of the contributor."""

    @property
    def reverses(self) -> int | None:
        """Log index of the entry it undoes."""

    @property
    def of(self) -> int | None:
        """Log index of the payment it is about."""


class Incoming(NamedTuple):
    """Money coming into a pool.

    It first frees money used by the entry `frees`, then restores money taken from the
    lots of the entry `restores`; the rest is a new lot.
    """

    pool: Pool
    entry: int
    cents: int
    member: str | None = None
    frees: int | None = None
    restores: int | None = None


class Outgoing(NamedTuple):
    """Money going out of a pool.

    It is first taken from the lots of the entry `refunds`; the rest is a use, paid by
    the oldest waiting money.
    """

    pool: Pool
    entry: int
    cents: int
    refunds: int | None = None


Operation = Incoming | Outgoing


def operations(entry: TracedEntry, index: int, *, undone: TracedEntry | None) -> list[Operation]:
    """Return an entry's operations on the trace, money in before money out.

    Postings are netted by pool and group (see `net`). A net credit is incoming, a net
    debit outgoing.

    * Contributions become a lot of the entry's member, if it has one.
    * Grants and other income, opening balances, transfers from another pool, and
      expenses credited by anything but a reversal or a return become a lot without a member.
    * Expenses and transfers to another pool are uses labelled with the entry.
    * Movements between projects and committed net to nothing, since they are one pool.
    * Assets and liabilities have no effect: money in suspense counts as received when it
      moves to income.
    * With `of` (refund, dispute): debited income is taken back from the payment's lots;
      credited income (refund failed, dispute won) restores them.
    * With `of` (a payee returned a payment): credited expenses free the money it used.
    * Debited income without `of` (the payment is unknown) is a use labelled with the
      entry.
    * With `reverses`: incoming money frees the money that entry used, and then restores
      the lots it took from; outgoing money is taken back from that entry's lots.
    * Any excess over the money to take back, free or restore is a plain use or lot, so
      that the trace always agrees with the fund.

    `index` is the entry's place in the public log, `undone` the entry that `reverses` names, if
    any.
    """
    frees = entry.of if entry.kind == EntryKind.RETURN else entry.reverses
    restored = None if undone is None else _first(undone.of, undone.reverses)
    incoming: list[Incoming] = []
    outgoing: list[Outgoing] = []
    for (pool, group), cents in entry.nets.items():
        member = entry.member_key if group == CONTRIBUTIONS else None
        of = entry.of if group in _INCOME else None
        if cents < 0:
            restores = _first(of, restored)
            incoming.append(Incoming(pool, index, -cents, member, frees, restores))
        elif cents > 0:
            outgoing.append(Outgoing(pool, index, cents, _first(of, entry.reverses)))
    # Refunds first, so that a use is not paid with refunded money.
    outgoing.sort(key=lambda operation: operation.refunds is None)
    return [*incoming, *outgoing]


def _first(one: int | None, other: int | None) -> int | None:
    return other if one is None else one


_HOLES_SIZE = 1 << 32
"""The capacity of the Fenwick tree, in lots; a read touches one node per bit."""


def record_entry(
    books: Mapping[Pool, TraceRows], entry: TracedEntry, index: int, *, undone: TracedEntry | None
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
