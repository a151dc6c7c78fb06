"""An attacker who links members to choices, or to having voted, without the vote's key.

The attacker knows more than anybody could: when each member voted, to the second. What remains
to be found is a trace that leads from there to a choice: an order of the listed ballots that
agrees with the order of casting, or a value that differs between yes and no.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple, TypeAlias

from tests.secrecy.orders import Order

FEWEST = 8
"""Shorter orders, and values seen less often, are not significant."""
FEWEST_CHANGES = 4
P_MIN = 0.01
CLOSEST = 1 - 1e-9
SAME = "same"
"""The value of a trace that an event did not change."""


Values: TypeAlias = tuple[int, ...]
"""The values of a trace by event, each as the number of the first event that has it."""


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
                self.agreement[trace].append(deviation(order))
                if choices is not None:
                    self._by_order.append(_match(order, choices))

    def note(self, kind: str, truth: str, seen: Mapping[str, str]) -> None:
        """Add what was seen of one event."""
        self.events[kind].append(Event(truth, seen))

    def leaks(self) -> dict[str, float]:
        """Return each trace that tells more than chance, with its probability by chance.

        Deviations of n votes have a sum that is nearly normal with variance n; guesses are
        binomial. Among many traces, a good one is likely, so the probability is multiplied by
        the number of traces that differ.
        """
        found = {}
        distinct = len({tuple(scores) for scores in self.agreement.values()})
        for trace, scores in self.agreement.items():
            z = abs(sum(scores)) / math.sqrt(len(scores))
            found[trace] = math.erfc(z / math.sqrt(2)) * distinct
        for kind in self.events:
            guesses = self._guesses(kind)
            number = len({values for values, _ in guesses.values()}) * len(self.events)
            for trace, (_, score) in guesses.items():
                found[f"{kind}: {trace}"] = _tail(score) * number
        return {trace: p for trace, p in found.items() if p <= P_MIN}

    def scores(self) -> dict[str, Score]:
        """Return the sums of all guesses: those by orders, and those by values of each kind."""
        sums = {"orders": _sum(self._by_order)}
        for kind in self.events:
            distinct = dict(self._guesses(kind).values())
            sums[kind] = _sum(list(distinct.values()))
        return sums

    def _guesses(self, kind: str) -> dict[str, tuple[Values, Score]]:
        """Return for each trace its values, by their first events, and the guesses from them."""
        events = self.events[kind]
        changed = Counter(trace for event in events for trace in event.seen)
        found: dict[str, tuple[Values, Score]] = {}
        known: dict[Values, Score] = {}
        for trace, count in changed.items():
            if count < FEWEST_CHANGES:
                continue
            seen = [event.seen.get(trace, SAME) for event in events]
            values = tuple(seen.index(value) for value in seen)
            if any(values):
                if values not in known:
                    known[values] = _guess(values, [event.truth for event in events])
                if known[values].tried >= FEWEST:
                    found[trace] = values, known[values]
        return found


def deviation(order: Order) -> float:
    """Return how far an order is from chance, in standard deviations of a normal variable.

    The correlation in Fisher's form has a variance of nearly 1/(n - 3); n - 5 is careful. No
    order is less likely than one of all n! orders.
    """
    n = len(order)
    most = -NormalDist().inv_cdf(1 / math.factorial(min(n, 20)))
    z = math.atanh(max(-CLOSEST, min(CLOSEST, correlation(order)))) * math.sqrt(n - 5)
    return max(-most, min(most, z))


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


def _guess(values: Values, truths: Sequence[str]) -> Score:
    """Learn from one half of the events what each value means, and guess the other half."""
    right = tried = 0
    for half in (0, 1):
        known: defaultdict[int, Counter[str]] = defaultdict(Counter)
        for value, truth in zip(values[half::2], truths[half::2], strict=True):
            known[value][truth] += 1
        for value, truth in zip(values[1 - half :: 2], truths[1 - half :: 2], strict=True):
            if value in known:
                tried += 1
                right += known[value].most_common(1)[0][0] == truth
    return Score(right, tried, tried * max(Counter(truths).values()) / len(truths))


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
