"""What a line of a statement belongs to: by reference and amount first, never by a name alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Generic, NamedTuple, TypeVar

from jara.domain.bank.statement import squeezed
from jara.domain.counts import count_of

NEAR = timedelta(days=4)
"""How far line and entry may lie apart where the amount alone pairs them."""
FAR = timedelta(days=45)
"""How far they may lie apart where the line names the entry."""
REFERENCE_LENGTH_MIN = 6
"""Shorter references are found in texts by chance."""
NOTHING_FITS = "Nothing in the books has its amount near this day; no reference or rule fits."
_SHOWN = 3

Key = TypeVar("Key", bound=Hashable)


class BankedLine(NamedTuple):
    """A line that waits for its match; without `is_by_amount` only a reference decides."""

    id: str
    day: date
    cents: int
    words: str
    is_by_amount: bool = True


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Key]):
    """A movement in the books that no line is matched with.

    Args:
        key: what names it to the caller.
        day: its day in the books.
        cents: what it moves on the account.
        references: names of it that a line may contain.
        reach: how far a line that names it may lie apart.
        is_by_amount: whether the amount may decide where no line names it.
        needs: a word without which the amount does not decide, such as ``stripe``.
        label: what names it to an operator.
    """

    key: Key
    day: date
    cents: int
    references: tuple[str, ...] = ()
    reach: timedelta = FAR
    is_by_amount: bool = False
    needs: str = ""
    label: str = ""

    def is_named_in(self, words: str) -> bool:
        """Return whether a line contains one of its references."""
        names = map(squeezed, self.references)
        return any(len(name) >= REFERENCE_LENGTH_MIN and name in words for name in names)


@dataclass(frozen=True, slots=True)
class Pairs(Generic[Key]):
    """What came of pairing, by the ids of lines.

    Args:
        found: the key of the candidate that a line is matched with.
        ambiguous: why a line is not, though its amount is in the books near its day.
        unnamed: what has its amount near its day, which only a reference could match.
    """

    found: dict[str, Key] = field(default_factory=dict)
    ambiguous: dict[str, str] = field(default_factory=dict)
    unnamed: dict[str, str] = field(default_factory=dict)


def pair(lines: Sequence[BankedLine], candidates: Iterable[Candidate[Key]]) -> Pairs[Key]:
    """Match each line that has a match for certain.

    A line that names one candidate with its amount is matched with it. Of the others, a line
    and a candidate match when no other line or candidate of that amount is near.
    """
    by_cents: defaultdict[int, list[Candidate[Key]]] = defaultdict(list)
    for candidate in candidates:
        by_cents[candidate.cents].append(candidate)
    waiting: defaultdict[int, list[BankedLine]] = defaultdict(list)
    for line in lines:
        if line.cents in by_cents:
            waiting[line.cents].append(line)
    pairs: Pairs[Key] = Pairs()
    for cents, group in waiting.items():
        free = by_cents[cents]
        _pair_by_reference(group, free, pairs.found)
        left = [line for line in group if line.id not in pairs.found and line.is_by_amount]
        _pair_by_amount(left, free, pairs)
        for line in group:
            near = [one for one in free if _is_near(line.day, one.day)]
            if near and line.id not in pairs.found:
                have = "have" if len(near) > 1 else "has"
                pairs.unnamed[line.id] = (
                    f"It names no reference; {_labels(near)} {have} its amount near this day."
                )
    return pairs


def _pair_by_reference(
    lines: Sequence[BankedLine], free: list[Candidate[Key]], found: dict[str, Key]
) -> None:
    for line in lines:
        named = [
            candidate
            for candidate in free
            if abs(line.day - candidate.day) <= candidate.reach
            and candidate.is_named_in(line.words)
        ]
        if not named:
            continue
        nearest = min(named, key=lambda candidate: abs(line.day - candidate.day))
        found[line.id] = nearest.key
        free.remove(nearest)


def _pair_by_amount(
    lines: Sequence[BankedLine], free: Sequence[Candidate[Key]], pairs: Pairs[Key]
) -> None:
    for line in lines:
        near = [one for one in free if _is_near(line.day, one.day)]
        if not any(one.is_by_amount and one.needs in line.words for one in near):
            continue
        days = {one.day for one in near}
        rivals = [other for other in lines if any(_is_near(other.day, day) for day in days)]
        if len(near) == len(rivals) == 1:
            pairs.found[line.id] = near[0].key
        else:
            pairs.ambiguous[line.id] = _explain(len(rivals), near)


def _explain(lines: int, near: Sequence[Candidate[Key]]) -> str:
    """Return why the amount alone does not decide."""
    of_lines = count_of(lines, "line")
    of_entries = count_of(len(near), "entry", "entries")
    return (
        f"Ambiguous: {of_lines} and {of_entries} of this amount near this day; say which with "
        f"--entry: {_labels(near)}."
    )


def _labels(candidates: Sequence[Candidate[Key]]) -> str:
    """Return the names of the first candidates, and how many more there are."""
    shown = ", ".join(one.label or str(one.key) for one in candidates[:_SHOWN])
    more = len(candidates) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _is_near(day: date, other: date) -> bool:
    return abs(day - other) <= NEAR
