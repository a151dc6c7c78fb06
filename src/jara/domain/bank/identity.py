"""Deduplication of statement lines: each line is stored once, whatever file contains it.

A line is identified by account, day, amount, and its reference or text; equal lines of one day
are counted. Other formats word the same line differently. Across formats, lines of the same day
and amount are paired, those with equal references or similar texts first. The balances reveal a
wrong pair, see `jara.domain.bank.continuity`.
"""

from __future__ import annotations

from base64 import b32encode
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from jara.domain.bank.statement import StatementLine


class KnownLine(NamedTuple):
    """The identifying fields of a stored line."""

    id: str
    day: date
    cents: int
    key: str
    form: str
    wording: str


_ID_LENGTH = 12
_Test = Callable[[StatementLine, KnownLine], bool]


def new_lines(
    lines: Sequence[StatementLine],
    known: Iterable[KnownLine],
    *,
    account: str,
    form: str,
    undone: Iterable[str] = (),
) -> list[tuple[str, StatementLine]]:
    """Return the new lines of a statement, each with its id.

    Args:
        lines: the lines of the statement.
        known: the stored lines of the account on these days.
        account: the account's number.
        form: the format of the statement.
        undone: ids of undone lines, which are not reused.
    """
    groups: defaultdict[tuple[date, int], list[KnownLine]] = defaultdict(list)
    for one in known:
        groups[one.day, one.cents].append(one)
    ids = {one.id for group in groups.values() for one in group}.union(undone)
    found: list[tuple[str, StatementLine]] = []
    for place, group in _grouped(lines).items():
        for line in _unpaired(group, groups.get(place, []), form):
            line_id = _free_id(line, account, ids)
            ids.add(line_id)
            found.append((line_id, line))
    return sorted(found, key=lambda item: item[1].line)


def _grouped(lines: Sequence[StatementLine]) -> dict[tuple[date, int], list[StatementLine]]:
    groups: defaultdict[tuple[date, int], list[StatementLine]] = defaultdict(list)
    for line in lines:
        groups[line.day, line.cents].append(line)
    return groups


def _unpaired(lines: list[StatementLine], known: list[KnownLine], form: str) -> list[StatementLine]:
    """Return the lines that match no known line; the strictest test runs first."""
    tests: tuple[_Test, ...] = (
        lambda line, one: line.key == one.key,
        lambda line, one: one.form != form and _is_alike(line.wording, one.wording),
        lambda _, one: one.form != form,
    )
    left, free = list(lines), list(known)
    for test in tests:
        unpaired = []
        for line in left:
            twin = next((one for one in free if test(line, one)), None)
            if twin is None:
                unpaired.append(line)
            else:
                free.remove(twin)
        left = unpaired
        if not (left and free):
            break
    return left


def _is_alike(words: str, others: str) -> bool:
    return bool(words and others) and (words in others or others in words)


def _free_id(line: StatementLine, account: str, taken: set[str]) -> str:
    """Return the first free id of a line; equal lines of a day are numbered."""
    ordinal = 0
    while True:
        facts = f"{account}\n{line.day}\n{line.cents}\n{line.key}\n{ordinal}"
        digest = sha256(facts.encode()).digest()
        line_id = b32encode(digest[:10]).decode("ascii").lower()[:_ID_LENGTH]
        if line_id not in taken:
            return line_id
        ordinal += 1
