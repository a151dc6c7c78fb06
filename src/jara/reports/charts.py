"""Charts as SVG text, drawn from integers alone: the same figures give the same bytes.

Each picture is made of threads that can be counted: the fund split and a vote have
exactly 100, a bar of payouts has one for each unit of money that its caption names.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from jara.domain.money import format_dollars
from jara.domain.texts import Text, tr
from jara.domain.voting.tally import VoteRule, threshold_words
from jara.reports.document import Write

THREADS = 100
PITCH = 7
WIDTH = THREADS * PITCH

INK = "#13153a"
QUIET = "#44476a"
INDIGO = "#232c84"
SEA = "#0c767d"
HIBISCUS = "#c4195a"
CLAY = "#b0481f"
MARIGOLD = "#ffb61e"
PALM = "#0a5740"
DANGER = "#b0121f"
BARE = "#ddd8ca"
LINE = "#e6dfd0"
SPLIT_COLOURS = (INDIGO, SEA, HIBISCUS, CLAY)

FONT = "'Source Sans 3','Segoe UI','Noto Sans',Arial,'Libertinus Serif',sans-serif"
BAR_HEIGHT = 34


def draw_threads(places: Iterable[int], top: int, colour: str, *, height: int = BAR_HEIGHT) -> str:
    """Draw vertical threads, one for each place, as one path."""
    width = PITCH - 1
    path = "".join(f"M{p * PITCH} {top}h{width}v{height}h-{width}z" for p in places)
    return f'<path class="threads" fill="{colour}" d="{path}"/>' if path else ""


def draw_box(x: int, y: int, width: int, height: int, colour: str) -> str:
    """Draw a filled box with an outline; nothing if it has no height."""
    if height <= 0:
        return ""
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}" '
        f'stroke="{INK}" stroke-width="1"/>'
    )


def draw_legend(top: int, entries: Iterable[tuple[str, str]], step: int) -> str:
    """Write coloured squares with their words, side by side."""
    return "".join(
        draw_box(place * step + 1, top - 11, 12, 12, colour)
        + draw_text(place * step + 20, top, words)
        for place, (colour, words) in enumerate(entries)
    )


def draw_text(x: int, y: int, text: str, *, anchor: str = "start", weight: int = 400) -> str:
    """Write text at a point; bold text is ink, other text quiet."""
    colour = INK if weight > 400 else QUIET  # noqa: PLR2004 - 400 is regular
    return (
        f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def round_up_cents(least_cents: int, steps: Sequence[int]) -> int:
    """Return the first of step × $1, $10, $100, ... that is not less."""
    unit = 100
    while True:
        for step in steps:
            if step * unit >= least_cents:
                return step * unit
        unit *= 10


def shorten(text: str, limit: int = 60) -> str:
    """Shorten a name to fit beside its bar."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def frame(title: str, description: str, height: int, parts: Iterable[str]) -> str:
    """Wrap elements in a picture with a title and a description."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="{FONT}" font-size="15"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{''.join(parts)}</svg>"
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


def draw_split(title: str, description: str, bars: Sequence[SplitBar], write: Write = str) -> str:
    """Draw bars of exactly 100 threads, each fund's share in the fund's colour."""
    parts = []
    for row, bar in enumerate(bars):
        top = row * _SPLIT_ROW
        parts.append(draw_text(0, top + 16, write(bar.name), weight=700))
        start = 0
        for colour, many in zip(SPLIT_COLOURS, allot_threads(bar.shares), strict=True):
            parts.append(draw_threads(range(start, start + many), top + 26, colour))
            start += many
        parts.append(draw_threads(range(start, THREADS), top + 26, BARE))
        legend = zip(SPLIT_COLOURS, map(write, bar.labels), strict=True)
        parts.append(draw_legend(top + 84, legend, WIDTH // len(SPLIT_COLOURS)))
    return frame(title, description, len(bars) * _SPLIT_ROW, parts)


def draw_votes(
    title: str, description: str, *, yes: int, no: int, rule: VoteRule, write: Write = str
) -> str:
    """Draw a yes and a no bar, one thread for each whole percent, floored.

    The percents are of the roll or the votes, as the rule says; the mark is at its share. The
    description has the same figures in words, and `write` writes texts in a language.
    """
    parts = []
    for top, name, share, colour in ((22, "Yes", yes, PALM), (98, "No", no, HIBISCUS)):
        filled = max(0, min(THREADS, share))
        parts.append(draw_text(0, top, write(name), weight=700))
        parts.append(draw_threads(range(filled), top + 8, colour))
        parts.append(draw_threads(range(filled, THREADS), top + 8, BARE))
    pass_mark = rule.percent_up
    mark = max(1, max(0, min(THREADS, pass_mark)) * PITCH - 1)
    anchor = "start" if pass_mark < _EDGE else "end" if pass_mark > THREADS - _EDGE else "middle"
    parts.append(f'<path d="M{mark} 24v50" stroke="{INK}" stroke-width="2"/>')
    needed = tr("{mark} to pass", mark=threshold_words(rule))
    parts.append(draw_text(mark, 18, write(needed), anchor=anchor))
    return frame(title, description, 146, parts)


def choose_unit_cents(largest_cents: int) -> int:
    """Choose the amount that one thread stands for, so that no bar has more than 100."""
    return round_up_cents(-(-largest_cents // THREADS), (1, 5))


def draw_bars(title: str, description: str, bars: Sequence[Bar], write: Write = str) -> str:
    """Draw one horizontal bar for each name, in threads of one unit of money.

    A partial unit is a whole thread; an amount of zero or less has none.
    """
    unit = choose_unit_cents(max((bar.cents for bar in bars), default=0))
    parts = []
    for row, bar in enumerate(bars):
        top = row * 66
        parts.append(draw_text(0, top + 18, shorten(write(bar.name)), weight=700))
        parts.append(draw_text(WIDTH, top + 18, write(bar.label), anchor="end"))
        many = max(0, -(-bar.cents // unit))
        parts.append(draw_threads(range(many), top + 26, INDIGO, height=24))
    return frame(title, description, max(1, len(bars)) * 66, parts)


_LEGEND = (
    (INDIGO, Text("Pledges", "drawn: Pledges")),
    (MARIGOLD, Text("Gifts", "drawn: Gifts")),
    (DANGER, tr("Given back")),
)
"""The colours of the months' columns; other languages have shorter words for drawings."""


class MonthBar(NamedTuple):
    """The contributions and refunds of one month, and its label."""

    label: str
    pledges_cents: int
    gifts_cents: int
    refunds_cents: int


def draw_months(
    title: str, description: str, months: Sequence[MonthBar], last: str, write: Write = str
) -> str:
    """Draw a column for each month: pledges, gifts on top of them, refunds below the line.

    The months are oldest first, and `last` is the amount of the last one, which is marked. The
    description has the same figures in words, and `write` writes texts in a language.
    """
    above = max((m.pledges_cents + m.gifts_cents for m in months), default=0)
    below = max((m.refunds_cents for m in months), default=0)
    step = round_up_cents(-(-above // 5), (1, 2, 5))
    ceiling = max(step, -(-above // step) * step)
    left = max(_LEFT, _DIGIT * (len(write(format_dollars(ceiling))) + 1))
    drawing = _MonthDrawing(ceiling, step, below, max(1, len(months)), write, left)
    legend = [(colour, write(words)) for colour, words in _LEGEND]
    parts = [draw_legend(14, legend, 100), *drawing.grid()]
    for place, month in enumerate(months):
        parts.extend(drawing.column(place, month))
    if months:
        parts.append(drawing.mark(len(months) - 1, months[-1], last))
    return frame(title, description, drawing.foot + 30, parts)


_LEFT, _DIGIT = 64, 8
"""How wide the labels of the scale are at least, and one of their characters."""


class _MonthDrawing(NamedTuple):
    """The frame of the month chart: its scale, and where each column stands."""

    ceiling: int
    step: int
    below: int
    many: int
    write: Write
    left: int
    base: int = 246
    rise: int = 190

    def height_of(self, cents: int) -> int:
        """Return the height of an amount; anything above zero is visible."""
        return max(2, self.rise * cents // self.ceiling) if cents > 0 else 0

    @property
    def foot(self) -> int:
        """Return the y coordinate of the line above the month labels."""
        return self.base + self.height_of(self.below)

    def span(self, place: int) -> tuple[int, int]:
        """Return the left edge and the width of a column."""
        pitch = (WIDTH - self.left) // self.many
        width = min(48, max(4, pitch * 7 // 10))
        return self.left + place * pitch + (pitch - width) // 2, width

    def grid(self) -> list[str]:
        """Draw the grid lines and label them."""
        parts = []
        for cents in range(0, self.ceiling + 1, self.step):
            y = self.base - self.rise * cents // self.ceiling
            colour = QUIET if cents == 0 else LINE
            parts.append(f'<path d="M{self.left} {y}H{WIDTH}" stroke="{colour}"/>')
            parts.append(
                draw_text(self.left - 8, y + 5, self.write(format_dollars(cents)), anchor="end")
            )
        return parts

    def column(self, place: int, month: MonthBar) -> list[str]:
        """Draw one month and, where there is room, its label."""
        x, width = self.span(place)
        pledges = self.height_of(month.pledges_cents)
        gifts = self.height_of(month.gifts_cents)
        refunds = self.height_of(month.refunds_cents)
        parts = [
            draw_box(x, self.base - pledges, width, pledges, INDIGO),
            draw_box(x, self.base - pledges - gifts, width, gifts, MARIGOLD),
            draw_box(x, self.base + 1, width, refunds, DANGER),
        ]
        every = -(-self.many // 12)
        if (self.many - 1 - place) % every == 0:
            parts.append(
                draw_text(x + width // 2, self.foot + 20, self.write(month.label), anchor="middle")
            )
        return parts

    def mark(self, place: int, month: MonthBar, amount: str) -> str:
        """Mark the last month with its amount."""
        x, width = self.span(place)
        top = self.base - self.height_of(month.pledges_cents) - self.height_of(month.gifts_cents)
        centre = x + width // 2
        dot = f'<circle cx="{centre}" cy="{top - 8}" r="4" fill="{INK}"/>'
        return dot + draw_text(
            centre + width // 2, top - 18, self.write(amount), anchor="end", weight=700
        )
