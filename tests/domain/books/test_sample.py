"""The monetary-unit sample, against a published example and an independent oracle."""

import random
from fractions import Fraction

import pytest

from jara.domain.books.sample import (
    SampleItem,
    confidence_factor,
    draw_sample,
    interval_of,
    project_errors,
    start_of,
)
from jara.domain.errors import InvalidInput
from tests.sizes import SEED, size


def test_the_factors_are_those_of_published_tables() -> None:
    """The tables of the AICPA's guide for 5 and 10 percent, from no error to five."""
    assert [confidence_factor(5, errors) for errors in range(6)] == [300, 475, 630, 776, 916, 1052]
    assert [confidence_factor(10, errors) for errors in range(5)] == [231, 389, 533, 669, 800]


def test_a_published_example_gives_its_figures() -> None:
    """The Harder Company: receivables of $720,000, 90 items, five misstatements at 5 percent."""
    books = {"a": 1_500, "b": 2_400, "c": 8_200, "d": 6_000, "e": 9_000}
    audited = {"a": 1_000, "b": 1_200, "c": 7_500, "d": 5_400, "e": 8_000}
    sample = [SampleItem(name, cents * 100, 1) for name, cents in books.items()]
    right = {name: cents * 100 for name, cents in audited.items()}

    found = project_errors(sample, right, 720_000_00 // 90, 5)

    assert found.basic_cents == 24_000_00
    assert round(found.projected_cents, -2) == 9_167_00
    assert round(found.allowance_cents, -2) == 4_835_00
    assert round(found.upper_cents, -2) == 38_001_00


def test_a_sample_without_errors_is_below_the_materiality() -> None:
    """The basic precision is the materiality itself, less what the interval rounds off."""
    interval = interval_of(500_00, 5)

    assert interval == 166_66
    assert project_errors([], {}, interval, 5).upper_cents == 499_98
    with pytest.raises(InvalidInput):
        project_errors([], {"x": 1}, interval, 5)
    with pytest.raises(InvalidInput, match="too small"):
        interval_of(299, 5)
    with pytest.raises(InvalidInput):
        interval_of(500_00, 51)


def test_what_is_understated_offsets_nothing() -> None:
    """It stands apart."""
    found = project_errors([SampleItem("a", 100, 1)], {"a": 130}, 1_000, 5)

    assert (found.projected_cents, found.understated_cents) == (0, 30)


def drawn_by_hand(items: list[tuple[str, int]], interval: int, start: int) -> dict[str, int]:
    """Return the items by walking from each drawn cent to the item that holds it."""
    hits: dict[str, int] = {}
    total = sum(cents for _, cents in items)
    for cent in range(start, total + 1, interval):
        left = cent
        for name, cents in items:
            if left <= cents:
                hits[name] = hits.get(name, 0) + 1
                break
            left -= cents
    return hits


def test_the_sample_is_that_of_an_oracle() -> None:
    """Random populations: the same items, and every item of the interval or more."""
    draw = random.Random(SEED)
    for number in range(size(200, 10_000, full=10_000)):
        count, most = draw.randint(0, 40), draw.choice([10, 500, 100_000])
        items = [(f"e{place}", draw.randint(1, most)) for place in range(count)]
        interval = draw.randint(1, draw.choice([20, 3_000, 400_000]))
        start = start_of(f"{number}", interval)
        if sum(cents for _, cents in items) // interval > 5_000:
            interval = start = 5_000

        sample = list(draw_sample(items, interval, start))

        assert {one.id: one.hits for one in sample} == drawn_by_hand(items, interval, start)
        assert {name for name, cents in items if cents >= interval} <= {one.id for one in sample}


def test_every_cent_has_the_same_chance() -> None:
    """Over all starts, an item is drawn once for each of its cents."""
    items = [("a", 7), ("b", 30), ("c", 1), ("d", 12)]
    interval = 10

    chance = {name: Fraction(0) for name, _ in items}
    for start in range(1, interval + 1):
        for one in draw_sample(items, interval, start):
            chance[one.id] += one.hits

    assert chance == dict(items)
