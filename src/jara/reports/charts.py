"""Charts as SVG text, drawn from integers alone: the same figures give the same bytes.

Each picture is made of threads that can be counted: the fund split and a vote have
exactly 100, a bar of payouts has one for each unit of money that its caption names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jara.reports.svg import (
    BARE,
    HIBISCUS,
    INDIGO,
    INK,
    PALM,
    PITCH,
    SPLIT_COLOURS,
    THREADS,
    WIDTH,
    draw_legend,
    draw_text,
    draw_threads,
    frame,
    round_up_cents,
    shorten,
)

_SPLIT_ROW = 108
_EDGE = 12
"""Nearer to an end of the bar than this, a text cannot be centred on its mark."""


class Bar(NamedTuple):
    """A named bar, its amount in cents and the amount as text."""

    name: str
    cents: int
    label: str


def allot_threads(weights: Sequence[int], threads: int = THREADS) -> tuple[int, ...]:
    """Share threads by weight, largest remainder first; weights below zero get none.

    The result adds up to ``threads``, or is all zero where no weight is above zero.
    """
    positive = [max(0, weight) for weight in weights]
    whole = sum(positive)
    if whole == 0:
        return (0,) * len(positive)
    allotted = [threads * weight // whole for weight in positive]
    by_remainder = sorted(range(len(positive)), key=lambda i: (-(threads * positive[i] % whole), i))
    for index in by_remainder[: threads - sum(allotted)]:
        allotted[index] += 1
    return tuple(allotted)


class SplitBar(NamedTuple):
    """One bar of the fund split: shares in the order of the funds, and their labels."""

    name: str
    shares: tuple[int, ...]
    labels: tuple[str, ...]


def draw_split(title: str, description: str, bars: Sequence[SplitBar]) -> str:
    """Draw bars of exactly 100 threads, each fund's share in the fund's colour."""
    parts = []
    for row, bar in enumerate(bars):
        top = row * _SPLIT_ROW
        parts.append(draw_text(0, top + 16, bar.name, weight=700))
        start = 0
        for colour, many in zip(SPLIT_COLOURS, allot_threads(bar.shares), strict=True):
            parts.append(draw_threads(range(start, start + many), top + 26, colour))
            start += many
        parts.append(draw_threads(range(start, THREADS), top + 26, BARE))
        legend = tuple(zip(SPLIT_COLOURS, bar.labels, strict=True))
        parts.append(draw_legend(top + 84, legend, WIDTH // len(SPLIT_COLOURS)))
    return frame(title, description, len(bars) * _SPLIT_ROW, parts)


def draw_votes(title: str, description: str, *, yes: int, no: int, pass_mark: int) -> str:
    """Draw a yes and a no bar, one thread for each whole percent of the roll.

    Args:
        title: the drawing's name.
        description: the same figures in words.
        yes: whole percent of the roll that voted yes, floored.
        no: whole percent of the roll that voted no, floored.
        pass_mark: whole percent of the roll that a proposal needs.
    """
    parts = []
    for top, name, share, colour in ((22, "Yes", yes, PALM), (98, "No", no, HIBISCUS)):
        filled = max(0, min(THREADS, share))
        parts.append(draw_text(0, top, name, weight=700))
        parts.append(draw_threads(range(filled), top + 8, colour))
        parts.append(draw_threads(range(filled, THREADS), top + 8, BARE))
    mark = max(1, max(0, min(THREADS, pass_mark)) * PITCH - 1)
    anchor = "start" if pass_mark < _EDGE else "end" if pass_mark > THREADS - _EDGE else "middle"
    parts.append(f'<path d="M{mark} 24v50" stroke="{INK}" stroke-width="2"/>')
    parts.append(draw_text(mark, 18, f"{pass_mark}% to pass", anchor=anchor))
    return frame(title, description, 146, parts)


def choose_unit_cents(largest_cents: int) -> int:
    """Choose the amount that one thread stands for, so that no bar has more than 100."""
    return round_up_cents(-(-largest_cents // THREADS), (1, 5))


def draw_bars(title: str, description: str, bars: Sequence[Bar]) -> str:
    """Draw one horizontal bar for each name, in threads of one unit of money.

    A partial unit is a whole thread; an amount of zero or less has none.
    """
    unit = choose_unit_cents(max((bar.cents for bar in bars), default=0))
    parts = []
    for row, bar in enumerate(bars):
        top = row * 66
        parts.append(draw_text(0, top + 18, shorten(bar.name), weight=700))
        parts.append(draw_text(WIDTH, top + 18, bar.label, anchor="end"))
        many = max(0, -(-bar.cents // unit))
        parts.append(draw_threads(range(many), top + 26, INDIGO, height=24))
    return frame(title, description, max(1, len(bars)) * 66, parts)
