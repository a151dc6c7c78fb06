"""A monetary-unit sample: every dollar has the same chance to be looked at.

The interval is the materiality divided by the confidence factor of the risk, so that a sample
without errors shows, at that risk, that the errors of the whole are below the materiality. The
factors are those of the Poisson distribution, rounded up to hundredths as published tables do.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from math import ceil, exp
from typing import NamedTuple

from jara.domain.errors import InvalidInput

DEFAULT_RISK = 5
_STEPS = 60
_HUNDRED = 100


class SampleItem(NamedTuple):
    """An item that was drawn."""

    id: str  # the id of its entry
    cents: int  # its amount in the books
    hits: int  # how many of the drawn dollars are in it


class Projection(NamedTuple):
    """What the errors of a sample say about the whole."""

    projected_cents: int  # the most likely error
    basic_cents: int  # what may be there although no error was found
    allowance_cents: int  # what the errors that were found add to that
    upper_cents: int  # the sum: at the risk, the error is not larger
    understated_cents: int  # errors the other way, which are not offset


def confidence_factor(risk: int, errors: int = 0) -> int:
    """Return the factor for a risk in percent and a number of errors, in hundredths.

    Raises:
        InvalidInput: the risk is not from 1 to 50 percent.
    """
    if not 1 <= risk <= _HUNDRED // 2:
        raise InvalidInput(f"A risk of {risk} percent is out of range; choose 1 to 50.")
    low, high = 0.0, 50.0 + 4 * errors
    for _ in range(_STEPS):
        middle = (low + high) / 2
        term = total = exp(-middle)
        for number in range(1, errors + 1):
            term *= middle / number
            total += term
        low, high = (middle, high) if total > risk / _HUNDRED else (low, middle)
    return ceil(round(high * _HUNDRED, 6))


def interval_of(materiality_cents: int, risk: int) -> int:
    """Return how many cents lie between two drawn ones."""
    factor = confidence_factor(risk)
    if materiality_cents < factor:
        raise InvalidInput("The materiality is too small to draw a sample.")
    return materiality_cents * _HUNDRED // factor


def start_of(seed: str, interval: int) -> int:
    """Return the first drawn cent, from 1 to the interval, that follows from a seed."""
    digest = sha256(f"jara/v1/audit_sample {seed} {interval}".encode()).digest()
    return int.from_bytes(digest, "big") % interval + 1


def draw_sample(
    items: Iterable[tuple[str, int]], interval: int, start: int
) -> Iterator[SampleItem]:
    """Yield the items that hold the cents at the start and at each interval after it."""
    before = 0
    for name, cents in items:
        until = before + cents
        hits = _drawn(until, interval, start) - _drawn(before, interval, start)
        if hits:
            yield SampleItem(name, cents, hits)
        before = until


def _drawn(until: int, interval: int, start: int) -> int:
    """Return how many of the first cents are drawn."""
    return 0 if until < start else (until - start) // interval + 1


def project_errors(
    sample: Iterable[SampleItem], audited: Mapping[str, int], interval: int, risk: int
) -> Projection:
    """Project the errors of a sample.

    `audited` has the right amounts in cents, by id, of the items where it differs; `risk` is in
    percent.

    Raises:
        InvalidInput: an item was not drawn.
    """
    drawn = {item.id: item for item in sample}
    known, tainted, under = Fraction(0), [], 0
    for name, cents in audited.items():
        item = drawn.get(name)
        if item is None:
            raise InvalidInput(f"The entry {name} is not in the sample.")
        error = item.cents - cents
        if error < 0:
            under -= error
        elif item.cents >= interval:
            known += error
        else:
            tainted.append(Fraction(error, item.cents))
    tainted.sort(reverse=True)
    factors = [confidence_factor(risk, number) for number in range(len(tainted) + 1)]
    more = [after - before - _HUNDRED for before, after in pairwise(factors)]
    steps = zip(tainted, more, strict=True)
    allowance = sum((taint * step for taint, step in steps), Fraction(0)) * interval / _HUNDRED
    projected = known + sum(tainted, Fraction(0)) * interval
    basic = Fraction(factors[0] * interval, _HUNDRED)
    return Projection(
        round(projected),
        round(basic),
        round(allowance),
        round(projected + basic + allowance),
        under,
    )
