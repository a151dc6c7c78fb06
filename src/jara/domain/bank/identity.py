"""Deduplication of statement lines: each line is stored once, whatever file contains it.

A line is identified by account, day, amount, and its reference or text; equal lines of one day
are counted. Banks change references and texts between downloads, and other formats word a line
differently, so the other lines of a day and amount are paired too. Where a pair is not certain,
the balances decide, see `jara.domain.bank.continuity`; else the line waits beside its twin.
"""

from base64 import b32encode
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from jara.domain.bank.matching import NEAR
from jara.domain.bank.statement import Statement, StatementLine


class KnownLine(NamedTuple):
    """The identifying fields of a stored line."""

    id: str
    day: date
    cents: int
    key: str
    form: str
    wording: str


class SortedLines(NamedTuple):
    """The lines of a statement beside the stored ones, by their place in it; others are known."""

    new: list[int]  # those that are surely new
    likely_new: list[int]  # those that are new unless the balances say otherwise
    likely_known: list[int]  # those that are known unless the balances say otherwise
    twins: dict[int, str]  # the id of the stored line that a line may be, for uncertain lines


_ID_LENGTH = 12


def sort_lines(statement: Statement, known: Iterable[KnownLine]) -> SortedLines:
    """Sort the lines of a statement into known, new and uncertain ones.

    A day within the statement has all its lines in it, so as many lines of an amount as before are
    the known ones, and one that it lacks may be on a near day now. The first and the last day may
    be there in part. `known` are the stored lines of the account on its days.
    """
    known_groups: defaultdict[tuple[date, int], list[KnownLine]] = defaultdict(list)
    for one in known:
        known_groups[one.day, one.cents].append(one)
    groups: defaultdict[tuple[date, int], list[int]] = defaultdict(list)
    for place, line in enumerate(statement.lines):
        groups[line.day, line.cents].append(place)
    found = SortedLines([], [], [], {})
    gone: defaultdict[int, list[KnownLine]] = defaultdict(list)
    for day, cents in dict.fromkeys([*groups, *known_groups]):
        is_whole = statement.first_day < day < statement.last_day
        group = _Group(statement, known_groups[day, cents], found, is_whole=is_whole)
        group.sort(groups[day, cents])
        gone[cents] += group.free if is_whole else []
    _mark_moved(statement, found, gone)
    return found


def _mark_moved(statement: Statement, found: SortedLines, gone: dict[int, list[KnownLine]]) -> None:
    """Mark new lines that may be stored ones, which their day lacks now, on another day."""
    for place in found.new:
        line = statement.lines[place]
        near = [one for one in gone[line.cents] if abs(one.day - line.day) <= NEAR]
        if near and place not in found.twins:
            found.twins[place] = near[0].id
            gone[line.cents].remove(near[0])


class _Group:
    """The lines of one day and amount, paired with the stored ones; the strictest test first."""

    def __init__(
        self, statement: Statement, known: list[KnownLine], found: SortedLines, *, is_whole: bool
    ) -> None:
        self._statement = statement
        self.free = list(known)
        self._found = found
        self._is_whole = is_whole

    def sort(self, places: list[int]) -> None:
        left = [place for place in places if not self._pair_by_key(place)]
        open_ones = list(self.free)
        unlike = [place for place in left if not self._pair_by_text(place)]
        are_alike = len(left) - len(unlike) == len(open_ones)
        for place in unlike:
            if self.free:
                twin = self.free.pop(0)
                self._pair(place, twin, is_known=twin.form != self._statement.form)
                continue
            self._found.new.append(place)
            if not are_alike or any(self._is_alike(place, one) for one in open_ones):
                self._found.twins[place] = open_ones[0].id

    def _pair_by_key(self, place: int) -> bool:
        line = self._statement.lines[place]
        twin = next((one for one in self.free if one.key == line.key), None)
        if twin is None:
            return False
        self.free.remove(twin)
        if not (self._is_whole or line.is_numbered):
            self._pair(place, twin, is_known=True)  # perhaps another line with the same text
        return True

    def _pair_by_text(self, place: int) -> bool:
        twin = next((one for one in self.free if self._is_alike(place, one)), None)
        if twin is None:
            return False
        self.free.remove(twin)
        if twin.form == self._statement.form:
            self._pair(place, twin, is_known=False)
        return True

    def _pair(self, place: int, twin: KnownLine, *, is_known: bool) -> None:
        is_likely = is_known or self._is_whole
        (self._found.likely_known if is_likely else self._found.likely_new).append(place)
        self._found.twins[place] = twin.id

    def _is_alike(self, place: int, other: KnownLine) -> bool:
        words = self._statement.lines[place].wording
        return bool(words and other.wording) and (words in other.wording or other.wording in words)


def name_lines(lines: Sequence[StatementLine], taken: Iterable[str], *, account: str) -> list[str]:
    """Return a free id for each new line; `taken` has those of undone imports too."""
    ids, names = set(taken), []
    for line in lines:
        names.append(_free_id(line, account, ids))
        ids.add(names[-1])
    return names


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
