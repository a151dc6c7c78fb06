"""Which lines of a statement are known: each is kept once, whatever file brings it.

A line is known by account, day, amount, and its reference or text; equal lines of one day are
counted. Another format words the same line differently. There, lines of the same day and amount
are the same line, those with equal references or similar texts first: whether one was taken for
another shows in the balances, see `jara.domain.bank.continuity`.
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
    """A line that is kept: what tells it from others."""

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
    """Return the lines of a statement that are not known, each with its new id.

    Args:
        lines: the lines of the statement.
        known: the kept lines of the account on these days.
        account: the account's number.
        form: the format of the statement.
        undone: ids of undone lines, which are not used again.
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
    """Return the lines that match no known line; the surest matches are made first."""
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
    """Return the id of a line: that of its place among the equal ones of its day."""
    ordinal = 0
    while True:
        facts = f"{account}\n{line.day}\n{line.cents}\n{line.key}\n{ordinal}"
        digest = sha256(facts.encode()).digest()
        line_id = b32encode(digest[:10]).decode("ascii").lower()[:_ID_LENGTH]
        if line_id not in taken:
            return line_id
        ordinal += 1
