"""An attacker who links members to choices, or to having voted, without the vote's key.

The attacker knows more than anybody could: when each member voted, to the second. What remains
to be found is a trace that leads from there to a choice: an order of the listed ballots that
agrees with the order of casting, or a value that differs between yes and no.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.secrecy.orders import Order

FEWEST = 8
"""Shorter orders, and values seen less often, are not significant."""
FEWEST_CHANGES = 4
P_MIN = 0.01
SAME = "same"
"""The value of a trace that an event did not change."""


class Event(NamedTuple):
    """What the attacker sees of one event, and what the attacker wants to know about it.

    Args:
        truth: the member's choice, or whether the member had voted.
        seen: the value of each trace.
    """

    truth: str
    seen: Mapping[str, str]


class Score(NamedTuple):
    """How many guesses were right, and how many would be by chance."""

    right: int
    tried: int
    by_chance: float

    @property
    def sentence(self) -> str:
        """The figures in words."""
        return f"{self.right} of {self.tried} right, by chance {self.by_chance:.0f}"


@dataclass(slots=True)
class Attack:
    """Collects orders and values from all votes, and finds those that are no chance."""

    agreement: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    events: defaultdict[str, list[Event]] = field(default_factory=lambda: defaultdict(list))
    _by_order: list[Score] = field(default_factory=list)

    def try_orders(
        self, orders: Iterable[tuple[str, Order]], choices: Mapping[int, str] | None = None
    ) -> None:
        """Add the orders found in one copy of one vote.

        Args:
            orders: each trace, and the ranks in its order.
            choices: the choice of each rank; the attacker guesses that the ballots of an order
                were cast in that order.
        """
        for trace, order in orders:
            if len(order) >= FEWEST:
                self.agreement[trace].append(correlation(order) * math.sqrt(len(order) - 1))
                if choices is not None:
                    self._by_order.append(_match(order, choices))

    def note(self, kind: str, truth: str, seen: Mapping[str, str]) -> None:
        """Add what was seen of one event."""
        self.events[kind].append(Event(truth, seen))

    def leaks(self) -> dict[str, float]:
        """Return each trace that tells more than chance, with its probability by chance.

        The sum of the correlations of n votes is nearly normal with variance n. Guesses are
        binomial. Among many traces, a good one is likely, so the probability is multiplied by
        their number.
        """
        found = {}
        for trace, scores in self.agreement.items():
            z = abs(sum(scores)) / math.sqrt(len(scores))
            found[trace] = math.erfc(z / math.sqrt(2)) * len(self.agreement)
        guessed = self._guesses()
        for trace, score in guessed.items():
            found[trace] = _tail(score) * len(guessed)
        return {trace: p for trace, p in found.items() if p <= P_MIN}

    def scores(self) -> dict[str, Score]:
        """Return the sums of all guesses: those by orders, and those by values of each kind."""
        sums = {"orders": _sum(self._by_order)}
        for kind in self.events:
            own = [one for trace, one in self._guesses().items() if trace.startswith(f"{kind}: ")]
            sums[kind] = _sum(own)
        return sums

    def _guesses(self) -> dict[str, Score]:
        found = {}
        for kind, events in self.events.items():
            changed = Counter(trace for event in events for trace in event.seen)
            for trace, count in changed.items():
                if count >= FEWEST_CHANGES:
                    score = _guess([(one.seen.get(trace, SAME), one.truth) for one in events])
                    if score.tried >= FEWEST:
                        found[f"{kind}: {trace}"] = score
        return found


def correlation(order: Order) -> float:
    """Return Spearman's rank correlation of an order with the order of its ranks."""
    ranks = {place: rank for rank, place in enumerate(sorted(order))}
    n = len(order)
    squares = sum((at - ranks[place]) ** 2 for at, place in enumerate(order))
    return 1 - 6 * squares / (n * (n * n - 1))


def _match(order: Order, choices: Mapping[int, str]) -> Score:
    """Guess that the ballots of an order were cast in that order."""
    cast = sorted(order)
    right = sum(choices[own] == choices[other] for own, other in zip(cast, order, strict=True))
    shares = Counter(choices[rank] for rank in order)
    return Score(right, len(order), sum(count * count for count in shares.values()) / len(order))


def _guess(pairs: Sequence[tuple[str, str]]) -> Score:
    """Learn from one half of the events what each value means, and guess the other half."""
    right = tried = 0
    for half in (0, 1):
        known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for value, truth in pairs[half::2]:
            known[value][truth] += 1
        for value, truth in pairs[1 - half :: 2]:
            if value in known:
                tried += 1
                right += known[value].most_common(1)[0][0] == truth
    shares = Counter(truth for _, truth in pairs)
    return Score(right, tried, tried * max(shares.values()) / len(pairs))


def _tail(score: Score) -> float:
    """Return the probability of at least so many right guesses by chance."""
    right, tried, by_chance = score
    p = by_chance / tried
    if p >= 1:
        return 1.0
    return math.fsum(
        math.exp(
            math.lgamma(tried + 1)
            - math.lgamma(k + 1)
            - math.lgamma(tried - k + 1)
            + k * math.log(p)
            + (tried - k) * math.log1p(-p)
        )
        for k in range(right, tried + 1)
    )


def _sum(scores: Sequence[Score]) -> Score:
    return Score(
        sum(one.right for one in scores),
        sum(one.tried for one in scores),
        sum(one.by_chance for one in scores),
    )
