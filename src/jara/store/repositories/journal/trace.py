"""The trace in the database: the rows of a pool behind the domain's `TraceRows`.

The tables are derived from the entries; `verify` builds them again and compares.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from jara.domain.books.trace_rows import Label, Lot, Pool, Segment
from jara.domain.errors import NotFound
from jara.store.rows import Repository
from jara.store.sql.codecs import chunks, in_list
from jara.store.sql.connection import Row, Sql

_LOT = "SELECT seq, member, entry, cents, total, hole, cut, restores FROM trace_lot"
_ADD_LOT = (
    "INSERT INTO trace_lot (pool, seq, member, entry, cents, total, hole, cut, restores) "
    "VALUES (:pool, :seq, :member, :entry, :cents, :total, :hole, :cut, :restores)"
)
_MAKE_LOT = partial(tuple.__new__, Lot)
"""Builds a lot from a row, four times as fast as the class itself."""
_LABELS = {label.value: label for label in Label}
_SEGMENT = "SELECT start, stop, label, entry FROM trace_use"
_SEGMENTS_BETWEEN = (
    "SELECT start, stop, label, entry FROM trace_use "
    "WHERE pool = :pool AND stop > :start AND start < :stop AND start >= coalesce("
    "(SELECT max(start) FROM trace_use WHERE pool = :pool AND start <= :start), 0) ORDER BY start"
)
_ADD_SEGMENT = (
    "INSERT INTO trace_use (pool, start, stop, label, entry) "
    "VALUES (:pool, :start, :stop, :label, :entry)"
)


class PoolRows:
    """The rows of one pool within one transaction.

    It remembers the ends of both sequences and whether anything is free, so that money in
    and money out append one buffered row each and read nothing.
    """

    def __init__(self, sql: Sql, pool: Pool) -> None:
        self._sql = sql
        self._pool = str(pool)
        lot = self._one("SELECT seq, total FROM trace_lot WHERE pool = :pool ORDER BY seq DESC")
        use = self._one("SELECT stop FROM trace_use WHERE pool = :pool ORDER BY start DESC")
        self._lot_count = 0 if lot is None else int(lot[0])
        self._total_cents = 0 if lot is None else int(lot[1])
        self._used_cents = 0 if use is None else int(use[0])
        self._may_have_free = True

    @property
    def lot_count(self) -> int:
        """How many lots there are."""
        return self._lot_count

    @property
    def total_cents(self) -> int:
        """The sum of all lots."""
        return self._total_cents

    @property
    def used_cents(self) -> int:
        """The end of the last segment."""
        return self._used_cents

    def add_lot(self, lot: Lot) -> None:
        """Append the next lot."""
        self._sql.append(_ADD_LOT, (self._pool, *lot))
        self._lot_count, self._total_cents = lot.seq, lot.total

    def change_lot(self, lot: Lot) -> None:
        """Update the hole and the cut of an existing lot."""
        self._sql.run(
            "UPDATE trace_lot SET hole = :hole, cut = :cut WHERE pool = :pool AND seq = :seq",
            {"pool": self._pool, "seq": lot.seq, "hole": lot.hole, "cut": lot.cut},
        )

    def lot(self, seq: int) -> Lot:
        """Return a lot, or raise NotFound."""
        row = self._one(f"{_LOT} WHERE pool = :pool AND seq = :seq", seq=seq)
        if row is None:
            raise NotFound(f"The trace has no lot {seq} in the pool '{self._pool}'.")
        return Lot(*row)

    def lots_between(self, first: int, last: int) -> Iterator[Lot]:
        """Return the lots from `first` to `last`, both included."""
        statement = f"{_LOT} WHERE pool = :pool AND seq BETWEEN :first AND :last ORDER BY seq"
        params = {"pool": self._pool, "first": first, "last": last}
        return map(_MAKE_LOT, self._sql.each(statement, params))

    def lots_of_entries(self, entries: Iterable[int]) -> list[Lot]:
        """Return the lots that entries, given by log index, brought; oldest first."""
        lots: list[Lot] = []
        for piece in chunks(sorted(entries)):  # lots lie in the order of their entries
            indexes, params = in_list("i", piece)
            lots += self._lots(f"entry IN {indexes}", **params)
        return lots

    def lots_of_member(self, member: str) -> Sequence[Lot]:
        """Return the lots of a contributor."""
        return self._lots("member = :member", member=member)

    def lots_restoring(self, seq: int) -> Sequence[Lot]:
        """Return the lots that restore a lot."""
        return self._lots("restores = :seq", seq=seq)

    def sum_holes(self, nodes: Sequence[int]) -> int:
        """Add up nodes of the Fenwick tree of holes."""
        names = {f"node{place}": node for place, node in enumerate(nodes)}
        marks = ", ".join(f":{name}" for name in names)
        statement = (
            "SELECT coalesce(sum(cents), 0) FROM trace_hole "
            f"WHERE pool = :pool AND node IN ({marks})"
        )
        row = self._one(statement, **names)
        return 0 if row is None else int(row[0])

    def add_holes(self, nodes: Sequence[int], cents: int) -> None:
        """Add cents to nodes of the Fenwick tree of holes."""
        self._sql.run_many(
            "INSERT INTO trace_hole (pool, node, cents) VALUES (:pool, :node, :cents) "
            "ON CONFLICT (pool, node) DO UPDATE SET cents = trace_hole.cents + excluded.cents",
            [{"pool": self._pool, "node": node, "cents": cents} for node in nodes],
        )

    def hole_nodes(self) -> dict[int, int]:
        """Return every node of the Fenwick tree that is not zero."""
        statement = "SELECT node, cents FROM trace_hole WHERE pool = :pool"
        return {int(row[0]): int(row[1]) for row in self._all(statement)}

    def add_segment(self, segment: Segment) -> None:
        """Append a segment that starts where the last one ends."""
        self._append_segment(segment)
        self._used_cents = segment.stop

    def split_segment(self, pieces: Sequence[Segment]) -> None:
        """Replace a segment with pieces that cover it exactly."""
        first, *rest = pieces
        self._sql.run(
            "UPDATE trace_use SET stop = :stop, label = :label, entry = :entry "
            "WHERE pool = :pool AND start = :start",
            {
                "pool": self._pool,
                "start": first.start,
                "stop": first.stop,
                "label": first.label.value,
                "entry": first.entry,
            },
        )
        for piece in rest:
            self._append_segment(piece)
        self._may_have_free = True

    def first_free(self) -> Segment | None:
        """Return the oldest free segment, if there is one."""
        if not self._may_have_free:
            return None
        row = self._one(f"{_SEGMENT} WHERE pool = :pool AND label = 'free' ORDER BY start")
        self._may_have_free = row is not None
        return None if row is None else _segment(row)

    def segments_between(self, start: int, stop: int) -> Iterator[Segment]:
        """Return the segments that share a cent with [start, stop)."""
        if start >= stop:
            return iter(())
        params = {"pool": self._pool, "start": start, "stop": stop}
        return (_segment(row) for row in self._sql.each(_SEGMENTS_BETWEEN, params))

    def segments_of_entry(self, entry: int) -> Sequence[Segment]:
        """Return the segments that paid for an entry."""
        statement = f"{_SEGMENT} WHERE pool = :pool AND entry = :entry ORDER BY start"
        return [_segment(row) for row in self._all(statement, entry=entry)]

    def _lots(self, condition: str, **params: object) -> list[Lot]:
        # With ORDER BY, SQLite may read the whole pool in that order instead of an index.
        rows = self._all(f"{_LOT} WHERE pool = :pool AND {condition}", **params)
        return sorted(Lot(*row) for row in rows)

    def _one(self, statement: str, **params: object) -> Row | None:
        return self._sql.one(f"{statement} LIMIT 1", {"pool": self._pool, **params})

    def _all(self, statement: str, **params: object) -> list[Row]:
        return self._sql.all(statement, {"pool": self._pool, **params})

    def _append_segment(self, segment: Segment) -> None:
        row = (self._pool, segment.start, segment.stop, segment.label.value, segment.entry)
        self._sql.append(_ADD_SEGMENT, row)


def _segment(row: Row) -> Segment:
    start, stop, label, entry = row
    return Segment(start, stop, _LABELS[label], entry)


class TraceRepository(Repository):
    """Whose dollars paid for what: one set of rows for each pool."""

    def __init__(self, sql: Sql) -> None:
        super().__init__(sql)
        self._pools: dict[Pool, PoolRows] = {}

    def pool(self, name: Pool) -> PoolRows:
        """Return the rows of a pool."""
        if name not in self._pools:
            self._pools[name] = PoolRows(self._sql, name)
        return self._pools[name]
