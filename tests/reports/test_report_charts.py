"""Charts consist of threads that can be counted."""

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.currency import use_currency
from jara.domain.voting.tally import VoteRule
from jara.reports.charts import (
    BARE,
    INDIGO,
    PALM,
    Bar,
    MonthBar,
    SplitBar,
    allot_threads,
    choose_unit_cents,
    draw_bars,
    draw_months,
    draw_split,
    draw_votes,
    round_up_cents,
)

CENTS = st.integers(-(10**14), 10**14)
COUNTS = st.integers(0, 10**14)


def threads_of(svg: str, colour: str = "") -> int:
    """Count the threads of a drawing, or of one colour in it."""
    paths = re.findall(r'<path class="threads" fill="([^"]+)" d="([^"]*)"', svg)
    return sum(path.count("M") for fill, path in paths if colour in ("", fill))


def assert_well_formed(svg: str) -> None:
    """Assert valid XML, title and description, whole numbers, no negative size."""
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    children = [child.tag.rpartition("}")[2] for child in root]

    assert children[:2] == ["title", "desc"]
    assert root.attrib["role"] == "img"
    for element in root.iter():
        for name in ("x", "y", "width", "height"):
            assert int(element.attrib.get(name, "0")) >= (0 if name in {"width", "height"} else -50)


@given(st.lists(CENTS, min_size=1, max_size=6), st.integers(1, 1000))
def test_threads_add_up_law(weights: list[int], threads: int) -> None:
    """All threads are assigned, or none without weights, and no count is negative."""
    allotted = allot_threads(weights, threads)

    assert sum(allotted) == (threads if max(weights) > 0 else 0)
    assert min(allotted) >= 0


@given(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000))
def test_threads_are_within_one_of_the_exact_share_law(a: int, b: int, c: int, d: int) -> None:
    """No share differs from the exact one by a whole thread."""
    whole = a + b + c + d
    for weight, many in zip((a, b, c, d), allot_threads((a, b, c, d)), strict=True):
        assert whole == 0 or abs(many * whole - 100 * weight) < whole


@given(st.tuples(CENTS, CENTS, CENTS, CENTS))
def test_a_split_bar_has_100_threads_law(shares: tuple[int, ...]) -> None:
    """A fund split has exactly 100 threads, bare ones if nothing was spent."""
    svg = draw_split("Split", "words", [SplitBar("Promised", shares, ("a", "b", "c", "d"))])

    assert threads_of(svg) == 100
    assert_well_formed(svg)


@given(st.integers(-5, 120), st.integers(-5, 120), st.integers(1, 100))
def test_a_vote_has_100_threads_a_bar_law(yes: int, no: int, mark: int) -> None:
    """Each bar has one thread per full percent, at most 100."""
    svg = draw_votes("Vote", "words", yes=yes, no=no, rule=VoteRule(mark, 100))

    assert threads_of(svg) == 200
    assert max(0, min(100, yes)) == threads_of(svg, PALM)
    assert_well_formed(svg)


@given(st.lists(CENTS, max_size=8))
def test_a_bar_counts_its_units_law(amounts: list[int]) -> None:
    """A bar has one thread per started unit; the longest has at most 100."""
    svg = draw_bars("Bars", "words", [Bar("name", cents, "$") for cents in amounts])
    unit = choose_unit_cents(max(amounts, default=0))

    assert sum(max(0, -(-cents // unit)) for cents in amounts) == threads_of(svg)
    assert all(-(-cents // unit) <= 100 for cents in amounts)
    assert_well_formed(svg)


@given(st.lists(st.tuples(COUNTS, COUNTS, COUNTS), max_size=40))
def test_months_are_drawn_within_the_frame_law(rows: list[tuple[int, int, int]]) -> None:
    """Any series can be drawn, also empty, zero or very large, without negative widths."""
    svg = draw_months("Months", "words", [MonthBar("Jan", *row) for row in rows], "$1")

    assert_well_formed(svg)


def test_the_last_month_is_marked() -> None:
    """The newest value is labelled."""
    months = [MonthBar("Jan", 100, 0, 0), MonthBar("Feb", 200, 50, 10)]
    svg = draw_months("Months", "words", months, "$2")

    assert svg.count("<circle") == 1
    assert ">$2</text>" in svg


def test_two_years_of_months_name_every_second_one() -> None:
    """Labels do not overlap."""
    months = [MonthBar(f"M{n}", 100, 0, 0) for n in range(24)]
    svg = draw_months("Months", "words", months, "$1")

    assert "M23" in svg
    assert "M22<" not in svg


@pytest.mark.parametrize(
    ("largest", "unit"),
    [(0, 100), (10_000, 100), (10_001, 500), (809_000, 10_000), (10**12, 10**10)],
)
def test_a_unit_is_a_sum_one_can_count_in(largest: int, unit: int) -> None:
    """$1, $5, $10, $50, ...: the longest bar has at most 100 threads."""
    assert choose_unit_cents(largest) == unit


def test_round_sums_go_up_by_the_steps() -> None:
    """The steps are 1, 2, 5 and their multiples of ten."""
    assert [round_up_cents(c, (1, 2, 5)) for c in (1, 101, 201, 501)] == [100, 200, 500, 1_000]


def test_a_drawing_escapes_its_texts() -> None:
    """A name is escaped, and a long one is cut."""
    svg = draw_bars("<b>", "&", [Bar("<script>" + "x" * 80, 100, "$1 & up")])

    assert_well_formed(svg)
    assert "<script>" not in svg
    assert "…" in svg


def test_bare_threads_show_the_missing_share() -> None:
    """A split of nothing has 100 bare threads."""
    svg = draw_split("Split", "words", [SplitBar("Spent", (0, 0, 0, 0), ("", "", "", ""))])

    assert (threads_of(svg, BARE), threads_of(svg, INDIGO)) == (100, 0)


@pytest.mark.parametrize(("mark", "anchor"), [(5, "start"), (50, "middle"), (95, "end")])
def test_the_pass_mark_stays_in_the_picture(mark: int, anchor: str) -> None:
    """Near an edge, its label is beside the mark."""
    svg = draw_votes("Vote", "words", yes=1, no=1, rule=VoteRule(mark, 100))

    assert re.search(rf'text-anchor="{anchor}"[^>]*>{mark}% to pass', svg)


@pytest.mark.parametrize(("currency", "sign"), [("USD", "$"), ("CAD", "CA$"), ("EUR", "€")])
def test_the_scale_says_whose_dollars_they_are(currency: str, sign: str) -> None:
    """As all other amounts do, and its labels fit beside it."""
    use_currency(currency)

    drawn = draw_months("T", "D", [MonthBar("Oct", 9_000_000, 0, 0)], last="")
    labels = re.findall(r'<text x="(\d+)"[^>]*text-anchor="end"[^>]*>([^<]+)<', drawn)

    assert labels[-2][1] == f"{sign}80,000"
    assert all(int(x) >= 7 * len(text) for x, text in labels if text)
