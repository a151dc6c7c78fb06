"""An attacker who links members to ballots by the order of the data in a database.

The attacker has no key, but has the public log with its order of ballots, and copies of the
database: files with their write-ahead log, backups, and on PostgreSQL the system columns and the
pages with dead rows. Every order of members in them is a guess at the order of the ballots; a
guess that is better than chance is a leak.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from jara.services.rate_limits import Limit

Names = Mapping[str, int]
"""The values that identify a voter in a copy, and the log index of the voter's ballot."""
Order = Sequence[int]
"""Log indexes, in the order in which a copy names their voters."""

FEWEST = 8
"""Shorter orders are not significant."""
P_MIN = 0.01
PAGE = 4096
HASH_LENGTH = 64
_HASH = re.compile("[0-9a-f]{64}")
_WORD = re.compile(r"[\w@.-]+")
_HASHES = re.compile(b"[0-9a-f]{64,}")


@dataclass(slots=True)
class Attack:
    """Collects how well each kind of trace agrees with the order of the ballots."""

    agreement: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def try_orders(self, orders: Iterable[tuple[str, Order]]) -> None:
        """Add the orders found in one copy of one vote."""
        for trace, order in orders:
            if len(order) >= FEWEST:
                self.agreement[trace].append(correlation(order) * math.sqrt(len(order) - 1))

    def leaks(self) -> dict[str, float]:
        """Return each trace that agrees better than chance, with its probability by chance.

        The sum of the correlations of n votes is nearly normal with variance n. Among many
        traces, a good one is likely, so the probability is multiplied by their number.
        """
        found = {}
        for trace, scores in self.agreement.items():
            z = abs(sum(scores)) / math.sqrt(len(scores))
            p = math.erfc(z / math.sqrt(2)) * len(self.agreement)
            if p <= P_MIN:
                found[trace] = p
        return found


def correlation(order: Order) -> float:
    """Return Spearman's rank correlation of an order with the order of the log."""
    ranks = {place: rank for rank, place in enumerate(sorted(order))}
    n = len(order)
    squares = sum((at - ranks[place]) ** 2 for at, place in enumerate(order))
    return 1 - 6 * squares / (n * (n * n - 1))


def aliases(identifiers: Mapping[str, int]) -> dict[str, Names]:
    """Return by kind all values that identify a voter without a key."""
    kinds: dict[str, Names] = {"plain": dict(identifiers)}
    for limit in Limit:
        kinds[f"bucket of {limit}"] = {
            sha256(f"{limit}\0{name}".encode()).hexdigest(): place
            for name, place in identifiers.items()
        }
    kinds["hashed"] = {
        sha256(name.encode()).hexdigest(): place for name, place in identifiers.items()
    }
    return kinds


def orders_in_bytes(
    copy: str, data: bytes, names: Mapping[str, Names], near: str
) -> Iterator[tuple[str, Order]]:
    """Find orders in raw bytes: free space, old pages and write-ahead logs included.

    Args:
        copy: the kind of the bytes, such as ``backup``.
        data: the bytes.
        names: the values that identify a voter, by kind.
        near: the id of the vote; data next to it are also tried separately.
    """
    for kind, known in names.items():
        found = sorted(_places(data, known))
        beside = [
            (at, place) for at, place in found if near.encode() in data[max(0, at - 64) : at + 128]
        ]
        for where, hits in (("anywhere", found), ("beside the vote", beside)):
            trace = f"{copy}: {kind}, {where}"
            yield f"{trace}, first in file", _once(place for _, place in hits)
            yield f"{trace}, last in file", _once(place for _, place in reversed(hits))
            # The cells of a page are written from its end to its start.
            by_page = sorted(hits, key=lambda hit: (hit[0] // PAGE, -(hit[0] % PAGE)))
            yield f"{trace}, by page from its end", _once(place for _, place in by_page)


def orders_in_rows(
    copy: str, tables: Mapping[str, list[dict[str, Any]]], names: Mapping[str, Names], near: str
) -> Iterator[tuple[str, Order]]:
    """Find orders in tables: by each column, including hidden ones."""
    for table, rows in tables.items():
        columns = list(rows[0]) if rows else []
        beside = [near in " ".join(map(str, row.values())) for row in rows]
        for column in columns:
            words = [_WORD.findall(str(row[column])) for row in rows]
            for kind, known in names.items():
                named = [
                    (row, known[name], is_beside)
                    for row, found, is_beside in zip(rows, words, beside, strict=True)
                    for name in found
                    if name in known
                ]
                for other in columns if named else ():
                    in_order = _sorted_by(named, other)
                    trace = f"{copy}: {table}.{column} ({kind}) by {other}"
                    yield trace, _once(place for _, place, _ in in_order)
                    some = (place for _, place, is_beside in in_order if is_beside)
                    yield f"{trace}, of the vote", _once(some)


def _places(data: bytes, known: Names) -> Iterator[tuple[int, int]]:
    """Return the positions of voters in the data, with their ballots' log indexes."""
    if all(_HASH.fullmatch(name) for name in known):
        for run in _HASHES.finditer(data):
            for at in range(run.start(), run.end() - HASH_LENGTH + 1):
                name = data[at : at + HASH_LENGTH].decode()
                if name in known:
                    yield at, known[name]
        return
    for name, place in known.items():
        at = data.find(name.encode())
        while at >= 0:
            yield at, place
            at = data.find(name.encode(), at + 1)


def _once(places: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(places))


def _sorted_by(
    named: list[tuple[dict[str, Any], int, bool]], column: str
) -> list[tuple[dict[str, Any], int, bool]]:
    return sorted(named, key=lambda hit: _sortable(hit[0][column]))


def _sortable(value: object) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))
