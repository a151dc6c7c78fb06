"""A goal of speed: one clause of one, with the figure that is wanted."""

from __future__ import annotations

from dataclasses import dataclass

LIBERAPAY = "Liberapay needs a network and its own PostgreSQL, so one command cannot measure both"
"""Why nothing is measured against Liberapay."""


@dataclass(frozen=True)
class Goal:
    """One clause of a goal, with a figure of its own.

    Args:
        key: the goal's number and the clause's name.
        what: what the figure says.
        limit: the least or the most that is wanted; None where a figure is only for comparison.
        unit: of the figure; ``x`` is how many times.
        at_most: whether the limit is the most instead of the least.
        digits: after the decimal point.
        hindrance: what stands in the way, for readers of a missed goal.
        unmeasured: why no benchmark measures it.
    """

    key: str
    what: str
    limit: float | None = None
    unit: str = "x"
    at_most: bool = False
    digits: int = 2
    hindrance: str = ""
    unmeasured: str = ""

    @property
    def number(self) -> str:
        """The number of the goal whose clause this is."""
        return self.key.partition(".")[0]

    def is_met(self, value: float) -> bool:
        """Tell whether a figure is good enough, unrounded."""
        if self.limit is None:
            return True
        return value <= self.limit if self.at_most else value >= self.limit

    def told(self, value: float, digits: int | None = None) -> str:
        """Return a figure as text."""
        return f"{value:,.{self.digits if digits is None else digits}f} {self.unit}".strip()

    def told_limit(self) -> str:
        """Return what is wanted as text."""
        if self.limit is None:
            return "for comparison"
        digits = 0 if self.limit == int(self.limit) else self.digits
        return f"{'≤' if self.at_most else '≥'} {self.told(self.limit, digits)}"
