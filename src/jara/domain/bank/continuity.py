"""Checks statement balances against the lines, which reveals missing lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate
from typing import NamedTuple

from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents


class Span(NamedTuple):
    """The days and balances of a statement."""

    first_day: date
    last_day: date
    opening_cents: int | None
    closing_cents: int | None


class RunningBalance:
    """The balance of an account at the end of each day, computed from its statements."""

    def __init__(self, spans: Sequence[Span], sums: Mapping[date, int]) -> None:
        """Start from the first balance that a statement gives.

        Args:
            spans: every statement of the account.
            sums: the sum of the lines of each day.
        """
        self._days = sorted(sums)
        self._sums = [0, *accumulate(sums[day] for day in self._days)]
        self._spans = sorted(spans, key=lambda span: (span.first_day, span.last_day))
        self.base_cents = self._base()

    def before(self, day: date) -> int | None:
        """Return the balance before a day; None if no statement gives a balance."""
        if self.base_cents is None:
            return None
        return self.base_cents + self._sums[bisect_left(self._days, day)]

    def after(self, day: date) -> int | None:
        """Return the balance at the end of a day; None if no statement gives a balance."""
        if self.base_cents is None:
            return None
        return self.base_cents + self._sums[bisect_right(self._days, day)]

    def require_follows(self) -> None:
        """Require that every balance agrees with the lines.

        A statement may start or end within a day if another one ends or starts that day with the
        same balance.

        Raises:
            InvalidInput: a balance differs; the message names both balances.
        """
        ends = {(span.last_day, span.closing_cents) for span in self._spans}
        starts = {(span.first_day, span.opening_cents) for span in self._spans}
        for span in self._spans:
            opening, closing = self.before(span.first_day), self.after(span.last_day)
            said = span.opening_cents
            if said not in {None, opening} and (span.first_day, said) not in ends:
                raise InvalidInput(
                    f"The statement of {span.first_day} to {span.last_day} begins with "
                    f"{format_cents(said or 0)}, but after the lines before it the account has "
                    f"{format_cents(opening or 0)}; import the statements in between first."
                )
            said = span.closing_cents
            if said not in {None, closing} and (span.last_day, said) not in starts:
                raise InvalidInput(
                    f"The statement of {span.first_day} to {span.last_day} ends with "
                    f"{format_cents(said or 0)}, but its lines lead to "
                    f"{format_cents(closing or 0)}; lines are missing or wrong."
                )

    def _base(self) -> int | None:
        for span in self._spans:
            if span.opening_cents is not None:
                return span.opening_cents - self._sums[bisect_left(self._days, span.first_day)]
        for span in self._spans:
            if span.closing_cents is not None:
                return span.closing_cents - self._sums[bisect_right(self._days, span.last_day)]
        return None
