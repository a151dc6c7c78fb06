"""Orders of names in copies of the stored data.

Every order of members or of ballots in a copy is a trace: if it agrees with the order in which the
ballots were cast, or are listed in the log, it links members to choices.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from jara.services.rate_limits import Limit

Names = Mapping[str, int]
"""The values that identify somebody in a copy, and the rank of each."""
Order = Sequence[int]
"""Ranks, in the order in which a copy names them."""

PAGE = 4096
HASH_LENGTH = 64
NEAR = 64
BALLOTS = "ballots"
"""The kinds of names of ballots begin with it."""
_HASH = re.compile("[0-9a-f]{64}")
_WORD = re.compile(r"[\w@.-]+")
_HASHES = re.compile(b"[0-9a-f]{64,}")


def aliases(identifiers: Mapping[str, int]) -> dict[str, Names]:
    """Return by kind all values that identify a member without a key."""
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
        names: the values that identify somebody, by kind.
        near: the id of the vote; data next to it are also tried separately.
    """
    beginning = [at.start() for at in re.finditer(re.escape(near.encode()), data)]
    for kind, found in _places(data, names).items():
        beside = [(at, rank) for at, rank in found if _is_near(at, beginning)]
        for where, hits in (("anywhere", found), ("beside the vote", beside)):
            trace = f"{copy}: {kind}, {where}"
            yield f"{trace}, first in file", _once(rank for _, rank in hits)
            yield f"{trace}, last in file", _once(rank for _, rank in reversed(hits))
            # The cells of a page are written from its end to its start.
            by_page = sorted(hits, key=lambda hit: (hit[0] // PAGE, -(hit[0] % PAGE)))
            yield f"{trace}, by page from its end", _once(rank for _, rank in by_page)


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


def _places(data: bytes, names: Mapping[str, Names]) -> dict[str, list[tuple[int, int]]]:
    """Return for each kind the sorted positions of its names in the data, with their ranks.

    Hashes are found in hex, and those of ballots also as bytes.
    """
    found: dict[str, list[tuple[int, int]]] = {kind: [] for kind in names}
    hashes: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for kind, known in names.items():
        for name, rank in known.items():
            if _HASH.fullmatch(name) is None:
                found[kind] += ((at, rank) for at in _each(data, name.encode()))
                continue
            hashes[name].append((kind, rank))
            if kind.startswith(BALLOTS):
                found[kind] += ((at, rank) for at in _each(data, bytes.fromhex(name)))
    for run in _HASHES.finditer(data):
        text = run.group().decode()
        for at in range(len(text) - HASH_LENGTH + 1):
            for kind, rank in hashes.get(text[at : at + HASH_LENGTH], ()):
                found[kind].append((run.start() + at, rank))
    return {kind: sorted(hits) for kind, hits in found.items()}


def _each(data: bytes, name: bytes) -> Iterator[int]:
    at = data.find(name)
    while at >= 0:
        yield at
        at = data.find(name, at + 1)


def _is_near(at: int, beginning: Sequence[int]) -> bool:
    number = bisect_left(beginning, at - NEAR)
    return number < len(beginning) and beginning[number] < at + 2 * NEAR


def _once(places: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(places))


def _sorted_by(
    named: list[tuple[dict[str, Any], int, bool]], column: str
) -> list[tuple[dict[str, Any], int, bool]]:
    return sorted(named, key=lambda hit: _sortable(hit[0][column]))


def _sortable(value: object) -> tuple[int, float, str]:
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value))
