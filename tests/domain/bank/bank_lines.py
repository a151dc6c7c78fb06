"""Lines and statements for the bank tests."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from jara.domain.bank.statement import Statement, StatementLine

NUMBER = "DE89370400440532013000"
FIRST = date(2026, 5, 1)


def a_line(cents: int, text: str = "", *, day: int = 1, **changes: Any) -> StatementLine:
    """Return a line of May 2026."""
    facts: dict[str, Any] = {"line": day, "day": FIRST + timedelta(day - 1), "text": text}
    return StatementLine(cents=cents, **(facts | changes))


def a_statement(
    *lines: StatementLine,
    opening: int | None = 0,
    first: date = FIRST,
    last: date = date(2026, 5, 31),
    form: str = "camt.053",
    account: str = NUMBER,
) -> Statement:
    """Return a statement of May 2026 whose closing balance follows from its lines."""
    closing = None if opening is None else opening + sum(line.cents for line in lines)
    return Statement(1, account, form, first, last, opening, closing, list(lines))


def numbered(lines: Sequence[StatementLine]) -> list[tuple[date, int]]:
    """Return the day and amount of each line."""
    return [(line.day, line.cents) for line in lines]
