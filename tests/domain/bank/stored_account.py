"""An account at a bank without a database: the statements that were stored, one after another."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date

from jara.domain.bank.continuity import StoredBalances
from jara.domain.bank.identity import KnownLine, name_lines, sort_lines
from jara.domain.bank.statement import Statement
from tests.domain.bank.bank_lines import NUMBER


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
