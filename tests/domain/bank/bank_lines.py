"""Lines, statements and an account without a database for the bank tests."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from jara.domain.bank.continuity import StoredBalances
from jara.domain.bank.identity import KnownLine, name_lines, sort_lines
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


@dataclass
class StoredAccount:
    """What an account has stored.

    Args:
        known: the stored lines.
        doubtful: the ids of those that may be stored twice.
    """

    known: list[KnownLine] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    balances: StoredBalances = field(default_factory=lambda: StoredBalances([], {}, None))

    def take(self, statement: Statement) -> int:
        """Store a statement; return how many of its lines were new."""
        found = sort_lines(statement, self.known)
        fitted = self.balances.fit(statement, found)
        self.balances.add(statement, fitted)
        lines = [statement.lines[place] for place in fitted.new]
        names = name_lines(lines, [one.id for one in self.known], account=NUMBER)
        for place, name, line in zip(fitted.new, names, lines, strict=True):
            self.known.append(
                KnownLine(name, line.day, line.cents, line.key, statement.form, line.wording)
            )
            if place in fitted.doubtful:
                self.doubtful.append(name)
        return len(names)

    @property
    def amounts(self) -> Counter[tuple[date, int]]:
        """How many lines of each day and amount are stored."""
        return Counter((one.day, one.cents) for one in self.known)
