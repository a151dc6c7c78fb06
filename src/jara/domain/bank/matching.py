"""What a line of a statement belongs to: by reference and amount first, never by a name alone."""

from __future__ import annotations

from collections import Counter, defaultdict
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

    A line that names one candidate with its amount is matched with it. If it names several, one
    of its references must name one of them alone, or only one of them be near, and no other line
    that names it; else it waits. Of the others, a line and a candidate match when no other line
    or candidate of that amount is near.
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
        _pair_by_reference(group, free, pairs)
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


_Named = dict[str, dict[Candidate[Key], set[str]]]
"""By the ids of lines: the candidates that each names, with the references that it holds."""


def _pair_by_reference(
    lines: Sequence[BankedLine], free: list[Candidate[Key]], pairs: Pairs[Key]
) -> None:
    named = _named(lines, free)
    taken: set[Key] = set()
    while certain := _certain([line for line in lines if line.id in named], named):
        for line, chosen in certain:
            if chosen.key not in taken:
                taken.add(chosen.key)
                pairs.found[line.id] = chosen.key
        left = {
            line_id: {one: held for one, held in several.items() if one.key not in taken}
            for line_id, several in named.items()
            if line_id not in pairs.found
        }
        named = {line_id: several for line_id, several in left.items() if several}
    free[:] = [one for one in free if one.key not in taken]
    for line_id, several in named.items():
        pairs.ambiguous[line_id] = (
            f"Ambiguous: it names {len(several)} entries of this amount; say which with "
            f"--entry: {_labels(list(several))}."
        )


def _named(lines: Sequence[BankedLine], candidates: Iterable[Candidate[Key]]) -> _Named[Key]:
    by_name: defaultdict[str, list[Candidate[Key]]] = defaultdict(list)
    for one in candidates:
        for name in {squeezed(reference) for reference in one.references}:
            if len(name) >= REFERENCE_LENGTH_MIN:
                by_name[name].append(one)
    named: _Named[Key] = {}
    for line in lines:
        held: defaultdict[Candidate[Key], set[str]] = defaultdict(set)
        for name, several in by_name.items():
            if name in line.words:
                for one in several:
                    if abs(line.day - one.day) <= one.reach:
                        held[one].add(name)
        if held:
            named[line.id] = held
    return named


def _certain(
    waiting: Sequence[BankedLine], named: _Named[Key]
) -> list[tuple[BankedLine, Candidate[Key]]]:
    """Return what matches: by a reference that the others lack, and only then by the day."""
    sure = []
    for line in waiting:
        candidates = named[line.id]
        count = Counter(name for held in candidates.values() for name in held)
        own = [one for one, held in candidates.items() if any(count[name] == 1 for name in held)]
        if len(own) == 1:
            sure.append((line, own[0]))
    if sure:
        return sure
    near = {
        line.id: [one for one in named[line.id] if _is_near(line.day, one.day)] for line in waiting
    }
    times = Counter(one.key for several in near.values() for one in several)
    alone = [(line, near[line.id][0]) for line in waiting if len(near[line.id]) == 1]
    return [(line, one) for line, one in alone if times[one.key] == 1]


def _pair_by_amount(
    lines: Sequence[BankedLine], free: Sequence[Candidate[Key]], pairs: Pairs[Key]
) -> None:
    for line in lines:
        if line.id in pairs.ambiguous:
            continue
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
