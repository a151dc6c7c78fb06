"""A performance goal."""

from __future__ import annotations

from dataclasses import dataclass

LIBERAPAY = "Liberapay needs a network and its own PostgreSQL, so one command cannot measure both"
"""Why Liberapay is not measured."""


@dataclass(frozen=True)
class Goal:
    """One part of a performance goal, with one figure.

    Args:
        key: the goal's number and the part's name.
        what: what is measured.
        limit: the minimum or maximum; None if the figure is only for comparison.
        unit: of the figure; ``x`` is a ratio.
        at_most: whether the limit is a maximum instead of a minimum.
        digits: after the decimal point.
        felt: whether a person waits for it, or loses something by it.
        hindrance: why the goal is missed, shown while it is.
        unmeasured: why no benchmark measures it.
    """

    key: str
    what: str
    limit: float | None = None
    unit: str = "x"
    at_most: bool = False
    digits: int = 2
    felt: bool = False
    hindrance: str = ""
    unmeasured: str = ""

    @property
    def number(self) -> str:
        """The goal's number."""
        return self.key.partition(".")[0]

    def is_met(self, value: float) -> bool:
        """Whether an unrounded figure meets the goal."""
        if self.limit is None:
            return True
        return value <= self.limit if self.at_most else value >= self.limit

    def told(self, value: float, digits: int | None = None) -> str:
        """Return a figure as text."""
        return f"{value:,.{self.digits if digits is None else digits}f} {self.unit}".strip()

    def told_limit(self) -> str:
        """Return the limit as text."""
        if self.limit is None:
            return "for comparison"
        digits = 0 if self.limit == int(self.limit) else self.digits
        return f"{'≤' if self.at_most else '≥'} {self.told(self.limit, digits)}"
