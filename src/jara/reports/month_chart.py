"""The chart of monthly contributions: a column for each month, the last one marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jara.reports.svg import (
    DANGER,
    INDIGO,
    INK,
    LINE,
    MARIGOLD,
    QUIET,
    WIDTH,
    draw_box,
    draw_legend,
    draw_text,
    frame,
    round_up_cents,
)

_LEGEND = ((INDIGO, "Pledges"), (MARIGOLD, "Gifts"), (DANGER, "Given back"))


class MonthBar(NamedTuple):
    """The contributions and refunds of one month, and its label."""

    label: str
    pledges_cents: int
    gifts_cents: int
    refunds_cents: int


def draw_months(title: str, description: str, months: Sequence[MonthBar], last: str) -> str:
    """Draw a column for each month: pledges, gifts on top of them, refunds below the line.

    Args:
        title: the drawing's name.
        description: the same figures in words.
        months: oldest first.
        last: the amount of the last month, which the drawing marks.
    """
    above = max((m.pledges_cents + m.gifts_cents for m in months), default=0)
    below = max((m.refunds_cents for m in months), default=0)
    step = _grid_step(above)
    ceiling = max(step, -(-above // step) * step)
    drawing = _MonthDrawing(ceiling, step, below, max(1, len(months)))
    parts = [draw_legend(14, _LEGEND, 100), *drawing.grid()]
    for place, month in enumerate(months):
        parts.extend(drawing.column(place, month))
    if months:
        parts.append(drawing.mark(len(months) - 1, months[-1], last))
    return frame(title, description, drawing.foot + 30, parts)


class _MonthDrawing(NamedTuple):
    """The frame of the month chart: its scale, and where each column stands."""

    ceiling: int
    step: int
    below: int
    many: int
    base: int = 246
    rise: int = 190
    left: int = 64

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
            parts.append(draw_text(self.left - 8, y + 5, f"${cents // 100:,}", anchor="end"))
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
            parts.append(draw_text(x + width // 2, self.foot + 20, month.label, anchor="middle"))
        return parts

    def mark(self, place: int, month: MonthBar, amount: str) -> str:
        """Mark the last month with its amount."""
        x, width = self.span(place)
        top = self.base - self.height_of(month.pledges_cents) - self.height_of(month.gifts_cents)
        centre = x + width // 2
        dot = f'<circle cx="{centre}" cy="{top - 8}" r="4" fill="{INK}"/>'
        return dot + draw_text(centre + width // 2, top - 18, amount, anchor="end", weight=700)


def _grid_step(largest_cents: int) -> int:
    """Return a round amount that divides the height into at most five parts."""
    return round_up_cents(-(-largest_cents // 5), (1, 2, 5))
