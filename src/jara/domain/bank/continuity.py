"""Checks statement balances against each other, which reveals missing lines and known ones.

The stored lines of an account are one stretch of what happened at the bank. Its base is the
balance before all of them, and its end the one after them. A statement follows when its new lines
begin at the end, or lead to the base, or both. Lines are not counted by day for this: a bank may
date a line before its statement, and a file may end within a day.
"""

from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import accumulate
from typing import NamedTuple

from jara.domain.bank.identity import SortedLines
from jara.domain.bank.statement import Statement
from jara.domain.errors import InvalidInput
from jara.domain.money import format_cents

_CHOICES_MAX = 10_000
"""More sums of uncertain lines than these are not tried."""


class DoesNotFollow(InvalidInput):
    """A statement does not follow from the stored ones; it may after another one."""


class Span(NamedTuple):
    """The days and balances of a statement."""

    first_day: date
    last_day: date
    opening_cents: int | None
    closing_cents: int | None

    @property
    def is_balanced(self) -> bool:
        """Whether it gives a balance."""
        return self.opening_cents is not None or self.closing_cents is not None


def span_of(statement: Statement) -> Span:
    """Return the days and balances of a statement."""
    return Span(
        statement.first_day, statement.last_day, statement.opening_cents, statement.closing_cents
    )


class FittedLines(NamedTuple):
    """Which lines of a statement are new, by place, and the account's base with them."""

    new: list[int]  # the places of the new lines
    doubtful: frozenset[int]  # those of them that may be stored already
    base_cents: int | None  # the balance before all lines; None if no statement gave a balance


class _Ends(NamedTuple):
    """The balances of a statement, and those of the stored lines that it must meet."""

    opening: int
    closing: int
    base: int
    end: int
    """The balance after the stored lines up to the statement's last day."""

    @property
    def to_add_at_end(self) -> int:
        """The sum of the new lines, if they come after the stored ones."""
        return self.closing - self.end

    @property
    def to_add_at_base(self) -> int:
        """The sum of the new lines, if they come before the stored ones."""
        return self.base - self.opening


class StoredBalances:
    """The balances of an account that follow from its stored statements."""

    def __init__(
        self, spans: Sequence[Span], sums: Mapping[date, int], base_cents: int | None
    ) -> None:
        """Describe the stored lines; `base_cents` is the balance before all, None if not stored."""
        self._spans = sorted(spans, key=_by_days)
        self._by_day = Counter(sums)
        self._sum_up()
        self.base_cents = base_cents

    def fit(self, statement: Statement, lines: SortedLines) -> FittedLines:
        """Decide which lines of a statement are new.

        Raises:
            InvalidInput: its balances do not follow from its lines.
            DoesNotFollow: they do not follow from the stored ones.
        """
        opening, closing = _balances(statement)
        likely = [*lines.new, *lines.likely_new]
        if opening is None or closing is None:
            return self._fit_without_balance(statement, lines)
        if self.base_cents is None:
            total = _sum(statement, likely)
            base = closing - total - self._until(statement.last_day)
            return FittedLines(sorted(likely), frozenset(lines.twins), base)
        end = self.base_cents + self._until(statement.last_day)
        ends = _Ends(opening, closing, self.base_cents, end)
        for new, base in self._choices(statement, lines, ends):
            return FittedLines(sorted(new), self._doubtful(statement, lines, new, ends), base)
        if not lines.new and statement.lines:
            return FittedLines([], frozenset(), ends.base)
        raise _gap(statement, likely, ends)

    def add(self, statement: Statement, fitted: FittedLines) -> None:
        """Add a statement that fits, and its new lines."""
        insort(self._spans, span_of(statement), key=_by_days)
        for place in fitted.new:
            self._by_day[statement.lines[place].day] += statement.lines[place].cents
        self._sum_up()
        self.base_cents = fitted.base_cents

    def covers(self, first: date, last: date) -> bool:
        """Return whether the statements follow each other from one day to another."""
        run: Span | None = None
        for span in self._spans:
            follows = run is not None and (
                span.first_day <= run.last_day + timedelta(days=1)
                or span.opening_cents == run.closing_cents is not None
            )
            if run is None or not follows:
                run = span
            elif span.last_day >= run.last_day:
                run = span._replace(first_day=run.first_day)
            if run.first_day <= first and last <= run.last_day:
                return True
        return False

    def _fit_without_balance(self, statement: Statement, lines: SortedLines) -> FittedLines:
        """Without balances, no line is new on a day that other statements have in whole."""
        likely_new = []
        for place in [*lines.new, *lines.likely_new]:
            line = statement.lines[place]
            span = self._balanced_around(line.day)
            if span is None:
                likely_new.append(place)
            elif place in lines.new:
                raise InvalidInput(
                    f"Line {line.line}: {format_cents(line.cents)} on {line.day} is not among the "
                    f"lines of {span.first_day} to {span.last_day}, whose balances are complete "
                    "without it; import a file that gives balances."
                )
        return FittedLines(sorted(likely_new), frozenset(lines.twins), self.base_cents)

    def _balanced_around(self, day: date) -> Span | None:
        around = (one for one in self._spans if one.first_day < day < one.last_day)
        return next((one for one in around if one.is_balanced), None)

    def _choices(
        self, statement: Statement, lines: SortedLines, ends: _Ends
    ) -> Iterator[tuple[Sequence[int], int]]:
        """Yield which lines are new so that the statement follows, and the base with them.

        The likeliest choice comes first.
        """
        likely = [*lines.new, *lines.likely_new]
        if self._is_within(statement, ends) and _sum(statement, likely) == 0:
            yield likely, ends.base
        out_of_order = []
        for new, base in self._placed(statement, lines, ends):
            if self._is_in_order([statement.lines[place].day for place in new], base, statement):
                yield new, base
            else:
                out_of_order.append((new, base))
        yield from out_of_order
        by_day = sorted(likely, key=lambda place: statement.lines[place].day)
        before = accumulate(statement.lines[place].cents for place in by_day)
        whole = ends.to_add_at_base + ends.to_add_at_end
        if _sum(statement, likely) == whole and ends.to_add_at_base in before:
            yield likely, ends.opening

    def _placed(
        self, statement: Statement, lines: SortedLines, ends: _Ends
    ) -> Iterator[tuple[Sequence[int], int]]:
        """Yield which lines are new if all come after the stored ones, or all before them."""
        likely, certain = [*lines.new, *lines.likely_new], _sum(statement, lines.new)
        at_end, at_base = (ends.to_add_at_end, ends.base), (ends.to_add_at_base, ends.opening)
        is_newest = not self._days or statement.last_day >= self._days[-1]
        for target, base in (at_end, at_base) if is_newest else (at_base, at_end):
            if likely and _sum(statement, likely) == target:
                yield likely, base
            sums = _sums_of(statement, [*lines.likely_new, *lines.likely_known])
            chosen = [*lines.new, *sums.get(target - certain, ())]
            if chosen and _sum(statement, chosen) == target:
                yield chosen, base

    def _is_in_order(self, days: Sequence[date], base: int, statement: Statement) -> bool:
        """Return whether new lines after the stored ones, or before the base, have such days."""
        stored = self._days[: bisect_right(self._days, statement.last_day)]
        if not stored:
            return True
        return min(days) >= stored[-1] if base == self.base_cents else max(days) <= stored[0]

    def _doubtful(
        self, statement: Statement, lines: SortedLines, new: Sequence[int], ends: _Ends
    ) -> frozenset[int]:
        """Return the new lines that may be known: the balances allow it, or count them only."""
        total = _sum(statement, lines.new)
        can_be_known = (
            total in {ends.to_add_at_end, ends.to_add_at_base}
            if lines.new
            else self._is_within(statement, ends)
        )
        if can_be_known:
            return frozenset(new) & lines.twins.keys()
        uncertain = {*lines.likely_new, *lines.likely_known}.difference(new)
        known = {lines.twins[place] for place in uncertain}
        return frozenset(place for place in new if lines.twins.get(place) in known)

    def _is_within(self, statement: Statement, ends: _Ends) -> bool:
        """Return whether both balances of a statement are known for its first and last day."""
        first, last, near = statement.first_day, statement.last_day, timedelta(days=1)
        openings: set[int | None] = {ends.base + self._until(first - near)}
        closings: set[int | None] = {ends.end}
        for span in self._spans:
            if span.first_day == first:
                openings.add(span.opening_cents)
            if first - near <= span.last_day <= first:
                openings.add(span.closing_cents)
            if span.last_day == last:
                closings.add(span.closing_cents)
            if last <= span.first_day <= last + near:
                closings.add(span.opening_cents)
        return ends.opening in openings and ends.closing in closings

    def _sum_up(self) -> None:
        self._days = sorted(self._by_day)
        self._sums = [0, *accumulate(self._by_day[day] for day in self._days)]

    def _until(self, day: date) -> int:
        """Return the sum of the stored lines up to the end of a day."""
        return self._sums[bisect_right(self._days, day)]


def _by_days(span: Span) -> tuple[date, date]:
    return span.first_day, span.last_day


def _balances(statement: Statement) -> tuple[int | None, int | None]:
    """Return both balances of a statement, if it gives one.

    Raises:
        InvalidInput: they do not follow from its lines.
    """
    total = sum(line.cents for line in statement.lines)
    opening, closing = statement.opening_cents, statement.closing_cents
    if opening is None or closing is None:
        if closing is not None:
            opening = closing - total
        elif opening is not None:
            closing = opening + total
        return opening, closing
    if opening + total != closing:
        raise InvalidInput(
            f"The statement of {statement.period} begins with {format_cents(opening)} and ends "
            f"with {format_cents(closing)}, but its lines lead to "
            f"{format_cents(opening + total)}; lines are missing or wrong."
        )
    return opening, closing


def _sum(statement: Statement, places: Sequence[int]) -> int:
    return sum(statement.lines[place].cents for place in places)


def _sums_of(statement: Statement, places: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the sums that some of these lines can have, each with lines that have it."""
    sums: dict[int, tuple[int, ...]] = {0: ()}
    for place in sorted(places, reverse=True):
        cents = statement.lines[place].cents
        for total, chosen in list(sums.items()):
            sums.setdefault(total + cents, (*chosen, place))
        if len(sums) > _CHOICES_MAX:
            break
    return sums


def _gap(statement: Statement, new: Sequence[int], ends: _Ends) -> DoesNotFollow:
    """Return the error for a statement that does not follow."""
    if len(new) < len(statement.lines):
        return DoesNotFollow(
            f"The statement of {statement.period} ends with {format_cents(ends.closing)}, but its "
            f"new lines lead to {format_cents(ends.end + _sum(statement, new))}; lines are missing "
            "or wrong."
        )
    return DoesNotFollow(
        f"The statement of {statement.period} begins with {format_cents(ends.opening)}, but after "
        f"the lines before it the account has {format_cents(ends.end)}; import the statements in "
        "between first. If an earlier file was downloaded before the end of a day, import one "
        "that has the rest of that day."
    )
