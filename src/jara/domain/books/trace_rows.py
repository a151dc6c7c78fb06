"""The rows of the trace: lots of received money, and segments of its uses.

Each pool has one axis of cents: lot i lies on [E(i-1), E(i)), where E(i) is the total of
the lots up to i less their holes. The segments partition [0, D), where D is the end of the
used money. `net` gives the net amounts of an entry in each pool.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeAlias

from jara.domain.books.account import GIFTS, PLEDGES, AccountType, Fund
from jara.domain.errors import NotFound


class Pool(StrEnum):
    """Funds that are traced together: committed money is projects money."""

    PROJECTS = "projects"
    STAFF = "staff"
    MARKETING = "marketing"
    OTHER = "other"


_POOLS = {fund.value: Pool.PROJECTS if fund is Fund.COMMITTED else Pool(fund) for fund in Fund}


def pool_of(fund: str) -> Pool:
    """Return the pool of a fund."""
    return _POOLS[fund]


class Label(StrEnum):
    """The state of a segment of the axis."""

    USED = "used"
    FREE = "free"
    CUT = "cut"


class Lot(NamedTuple):
    """Money received in one entry, from one member or from none."""

    seq: int  # its place among the lots of its pool, from 1, in log order
    member: str | None  # the contributor's key, or None
    entry: int  # log index of its entry
    cents: int
    total: int  # the sum of the lots up to this one
    hole: int = 0  # the amount taken back before it was used
    cut: int = 0  # the amount taken back after it was used or freed
    restores: int | None = None  # the lot whose refund failed or whose dispute was won, or None

    @property
    def width(self) -> int:
        """Its length on the axis, in cents."""
        return self.cents - self.hole


class Segment(NamedTuple):
    """The cents [start, stop) of the axis; `entry` is the entry they paid for, if used."""

    start: int
    stop: int
    label: Label
    entry: int | None = None

    @property
    def cents(self) -> int:
        """Its length."""
        return self.stop - self.start


class TraceRows(Protocol):
    """The rows of one pool; sequences are in axis order."""

    @property
    def lot_count(self) -> int:
        """How many lots there are."""

    @property
    def total_cents(self) -> int:
        """The sum of all lots."""

    @property
    def used_cents(self) -> int:
        """The end of the last segment."""

    def add_lot(self, lot: Lot) -> None:
        """Append the next lot."""

    def change_lot(self, lot: Lot) -> None:
        """Store the hole and the cut of an existing lot."""

    def lot(self, seq: int) -> Lot:
        """Return a lot, or raise NotFound."""

    def lots_between(self, first: int, last: int) -> Iterable[Lot]:
        """Return the lots from `first` to `last`, both included."""

    def lots_of_entries(self, entries: Iterable[int]) -> list[Lot]:
        """Return the lots that entries, given by log index, brought; oldest first."""

    def lots_of_member(self, member: str) -> Sequence[Lot]:
        """Return the lots of a contributor."""

    def lots_restoring(self, seq: int) -> Sequence[Lot]:
        """Return the lots that restore a lot."""

    def sum_holes(self, nodes: Sequence[int]) -> int:
        """Add up nodes of the Fenwick tree of holes."""

    def add_holes(self, nodes: Sequence[int], cents: int) -> None:
        """Add cents to nodes of the Fenwick tree of holes."""

    def hole_nodes(self) -> dict[int, int]:
        """Return every node of the Fenwick tree that is not zero."""

    def add_segment(self, segment: Segment) -> None:
        """Append the segment that begins where the last one ends."""

    def split_segment(self, pieces: Sequence[Segment]) -> None:
        """Replace a segment by pieces that cover it exactly."""

    def first_free(self) -> Segment | None:
        """Return the oldest free segment, if there is one."""

    def segments_between(self, start: int, stop: int) -> Iterable[Segment]:
        """Return the segments that share a cent with [start, stop)."""

    def segments_of_entry(self, entry: int) -> Sequence[Segment]:
        """Return the segments that paid for an entry."""


_entry_of = attrgetter("entry")


class MemoryTrace:
    """The rows of one pool in memory, for past days and for verification."""

    def __init__(self) -> None:
        self._lots: list[Lot] = []
        self._restoring: defaultdict[int, list[int]] = defaultdict(list)
        self._holes: defaultdict[int, int] = defaultdict(int)
        self._starts: list[int] = []
        self._segments: dict[int, Segment] = {}
        self._entry_starts: dict[int, tuple[int, ...]] = {}
        self._free_starts: list[int] = []

    @property
    def lot_count(self) -> int:
        """How many lots there are."""
        return len(self._lots)

    @property
    def total_cents(self) -> int:
        """The sum of all lots."""
        return self._lots[-1].total if self._lots else 0

    @property
    def used_cents(self) -> int:
        """The end of the last segment."""
        return self._segments[self._starts[-1]].stop if self._starts else 0

    def add_lot(self, lot: Lot) -> None:
        """Append the next lot."""
        self._lots.append(lot)
        if lot.restores is not None:
            self._restoring[lot.restores].append(lot.seq)

    def change_lot(self, lot: Lot) -> None:
        """Store the hole and the cut of an existing lot."""
        self._lots[lot.seq - 1] = lot

    def lot(self, seq: int) -> Lot:
        """Return a lot, or raise NotFound."""
        if not 1 <= seq <= len(self._lots):
            raise NotFound(f"The trace has no lot {seq} in this pool.")
        return self._lots[seq - 1]

    def lots_between(self, first: int, last: int) -> Sequence[Lot]:
        """Return the lots from `first` to `last`, both included."""
        return self._lots[first - 1 : last]

    def lots_of_entries(self, entries: Iterable[int]) -> list[Lot]:
        """Return the lots that entries brought; lots lie in the order of their entries."""
        lots: list[Lot] = []
        for entry in sorted(entries):
            start = bisect_left(self._lots, entry, key=_entry_of)
            lots += self._lots[start : bisect_right(self._lots, entry, lo=start, key=_entry_of)]
        return lots

    def lots_of_member(self, member: str) -> Sequence[Lot]:
        """Return the lots of a contributor."""
        return [lot for lot in self._lots if lot.member == member]

    def lots_restoring(self, seq: int) -> Sequence[Lot]:
        """Return the lots that restore a lot."""
        return [self.lot(other) for other in self._restoring.get(seq, ())]

    def sum_holes(self, nodes: Sequence[int]) -> int:
        """Add up nodes of the Fenwick tree of holes."""
        return sum(self._holes.get(node, 0) for node in nodes)

    def add_holes(self, nodes: Sequence[int], cents: int) -> None:
        """Add cents to nodes of the Fenwick tree of holes."""
        for node in nodes:
            self._holes[node] += cents

    def hole_nodes(self) -> dict[int, int]:
        """Return every node of the Fenwick tree that is not zero."""
        return dict(self._holes)

    def add_segment(self, segment: Segment) -> None:
        """Append the segment that begins where the last one ends."""
        self._starts.append(segment.start)
        self._index(segment)

    def split_segment(self, pieces: Sequence[Segment]) -> None:
        """Replace a segment by pieces that cover it exactly."""
        segment = self._segments[pieces[0].start]
        if segment.entry is not None:
            starts = self._entry_starts[segment.entry]
            self._entry_starts[segment.entry] = tuple(at for at in starts if at != segment.start)
        if segment.label is Label.FREE:
            del self._free_starts[bisect_left(self._free_starts, segment.start)]
        place = bisect_left(self._starts, segment.start)
        self._starts[place : place + 1] = [piece.start for piece in pieces]
        for piece in pieces:
            self._index(piece)

    def first_free(self) -> Segment | None:
        """Return the oldest free segment, if there is one."""
        return self._segments[self._free_starts[0]] if self._free_starts else None

    def segments_between(self, start: int, stop: int) -> Sequence[Segment]:
        """Return the segments that share a cent with [start, stop)."""
        if start >= min(stop, self.used_cents):
            return []
        first = bisect_right(self._starts, start) - 1
        last = bisect_left(self._starts, stop)
        return [self._segments[at] for at in self._starts[first:last]]

    def segments_of_entry(self, entry: int) -> Sequence[Segment]:
        """Return the segments that paid for an entry."""
        return [self._segments[at] for at in sorted(self._entry_starts.get(entry, ()))]

    def _index(self, segment: Segment) -> None:
        self._segments[segment.start] = segment
        if segment.entry is not None:
            starts = self._entry_starts.get(segment.entry, ())
            self._entry_starts[segment.entry] = (*starts, segment.start)
        if segment.label is Label.FREE:
            insort(self._free_starts, segment.start)


CONTRIBUTIONS = "contributions"
"""The group of pledges and gifts, which belong to a member."""

Nets: TypeAlias = Mapping[tuple[Pool, str], int]
"""Cents by pool and group; a net credit is incoming, a net debit outgoing."""

_HELD = frozenset({str(AccountType.ASSETS), str(AccountType.LIABILITIES)})


def net(postings: Iterable[tuple[str, str, int]]) -> Nets:
    """Net postings (account, fund, cents) by pool and group.

    The groups are contributions (pledges and gifts), other income, equity, and each expense
    account. Assets and liabilities are left out.

    Raises:
        KeyError: there is no such fund.
    """
    nets: defaultdict[tuple[Pool, str], int] = defaultdict(int)
    for account, fund, cents in postings:
        cell = _cell(fund, account)
        if cell is not None:
            nets[cell] += cents
    return nets


@lru_cache(maxsize=4096)
def _cell(fund: str, account: str) -> tuple[Pool, str] | None:
    """Return a posting's pool and group; cached, since the same accounts recur."""
    kind = account.partition(":")[0]
    if kind in _HELD:
        return None
    if kind == AccountType.EXPENSES:
        return pool_of(fund), account
    return pool_of(fund), CONTRIBUTIONS if account in {PLEDGES, GIFTS} else kind
