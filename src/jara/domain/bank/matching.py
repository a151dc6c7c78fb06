"""Matching of statement lines with entries: by reference and amount, never by a name alone."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Generic, NamedTuple, TypeVar

from jara.domain.bank.statement import squeezed
from jara.domain.texts import count_of

NEAR = timedelta(days=4)
"""The most days between a line and an entry that are matched by amount alone."""
FAR = timedelta(days=45)
"""The most days between a line and an entry that it names."""
REFERENCE_LENGTH_MIN = 6
"""Shorter references would occur in texts by chance."""
NOTHING_FITS = "Nothing in the books has its amount near this day; no reference or rule fits."
_SHOWN = 3

Key = TypeVar("Key", bound=Hashable)


class BankedLine(NamedTuple):
    """An unmatched line; without `is_by_amount` it is matched by reference only."""

    id: str
    day: date
    cents: int
    words: str
    is_by_amount: bool = True


@dataclass(frozen=True, slots=True)
class Candidate(Generic[Key]):
    """A movement in the books without a matching line."""

    key: Key  # the caller's identifier
    day: date
    cents: int  # the amount on the account
    references: tuple[str, ...] = ()  # references to it that a line may contain
    reach: timedelta = FAR  # the most days between it and a line that names it
    is_by_amount: bool = False  # whether the amount alone may match it
    needs: str = ""  # a word that a line must contain to match by amount, such as ``stripe``
    label: str = ""  # its name for operators


@dataclass(frozen=True, slots=True)
class Pairs(Generic[Key]):
    """The result of matching, by line id."""

    found: dict[str, Key] = field(default_factory=dict)  # the key of the matching candidate
    ambiguous: dict[str, str] = field(default_factory=dict)
    """Why a line with several possible matches has none."""
    unnamed: dict[str, str] = field(default_factory=dict)
    """For unmatched lines, a message with the near candidates of that amount."""


def pair(lines: Sequence[BankedLine], candidates: Iterable[Candidate[Key]]) -> Pairs[Key]:
    """Match each line that has an unambiguous match.

    A line that names one candidate of its amount matches it. If it names several, it matches the
    only one with a reference of its own, else the only one near its day if no other line could
    match that one too. Lines without a reference match a candidate if no other line or candidate
    of that amount is near.
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
"""By line id: the candidates that the line names, with the references found in it."""


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
    """Return the matches by a distinguishing reference; if there are none, those by day."""
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
    """Return why the amount alone is ambiguous."""
    of_lines = count_of(lines, "line")
    of_entries = count_of(len(near), "entry", "entries")
    return (
        f"Ambiguous: {of_lines} and {of_entries} of this amount near this day; say which with "
        f"--entry: {_labels(near)}."
    )


def _labels(candidates: Sequence[Candidate[Key]]) -> str:
    """Return the labels of the first candidates, and the number of the others."""
    shown = ", ".join(one.label or str(one.key) for one in candidates[:_SHOWN])
    more = len(candidates) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _is_near(day: date, other: date) -> bool:
    return abs(day - other) <= NEAR
