"""Port of the bank statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple, Protocol

from jara.domain.bank.continuity import Span
from jara.domain.bank.identity import KnownLine
from jara.domain.bank.rules import Rule
from jara.domain.bank.statement import Statement, StatementLine


class BankAccount(NamedTuple):
    """An account at the bank, and its account in the books."""

    number: str
    ledger: str


class BankLine(NamedTuple):
    """A kept line.

    Args:
        id: its id.
        account: the number of its account.
        file: the file it came from.
        form: the format of that file.
        line: what the statement says.
        reason: why it waits; empty once it is matched.
    """

    id: str
    account: str
    file: str
    form: str
    line: StatementLine
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An entry that moves money on the bank's account and that no line is matched with."""

    index: int
    id: str
    day: date
    kind: str
    description: str
    cents: int
    reference: str | None
    external_id: str | None
    reverses: int | None
    member_key: str | None


class Match(NamedTuple):
    """A line and an entry that are matched, with the days of both."""

    line: str
    entry: int
    line_day: date
    entry_day: date
    cents: int
    description: str


class BankRepository(Protocol):
    """Statements of the bank, and what their lines are matched with.

    A match counts while its entry is not reversed. Lines of an undone import are kept, and
    count nowhere.
    """

    def accounts(self) -> list[BankAccount]:
        """Return the accounts at the bank, by number."""
        ...

    def add_account(self, account: BankAccount, *, at: datetime) -> None:
        """Add an account."""
        ...

    def add_statement(
        self, statement_id: str, statement: Statement, *, file: str, imported: str, at: datetime
    ) -> None:
        """Add a statement, without its lines; one that is kept already changes nothing."""
        ...

    def undone_imports(self) -> frozenset[str]:
        """Return the ids of the imports that were undone."""
        ...

    def is_undone(self, statement_id: str) -> bool:
        """Return whether a statement was undone."""
        ...

    def undone_lines(self, account: str) -> frozenset[str]:
        """Return the ids of the lines of an account that were undone."""
        ...

    def undo(self, imported: str, *, at: datetime) -> None:
        """Let the statements of an import count no longer; what they matched is free again."""
        ...

    def entries_booked(self, imported: str) -> list[int]:
        """Return the log indexes of all entries that the lines of an import were booked by."""
        ...

    def spans(self, account: str) -> list[Span]:
        """Return days and balances of the statements of an account."""
        ...

    def day_sums(self, account: str) -> dict[date, int]:
        """Return the sum of the lines of each day."""
        ...

    def known(self, account: str, *, first: date, last: date) -> list[KnownLine]:
        """Return the kept lines of some days."""
        ...

    def add_line(self, line_id: str, line: StatementLine, *, account: str, statement: str) -> None:
        """Add a line."""
        ...

    def waiting(self, account: str) -> list[BankLine]:
        """Return the lines of an account that nothing is matched with, oldest first."""
        ...

    def count_waiting(self) -> int:
        """Return how many lines of all accounts nothing is matched with."""
        ...

    def find(self, text: str) -> BankLine:
        """Return the line with that id, or the one whose id begins so.

        Raises:
            NotFound: none does.
            Conflict: several do.
        """
        ...

    def entries_of(self, line_id: str) -> list[int]:
        """Return the log indexes of all entries ever matched with a line."""
        ...

    def lines_of(self, entry: int) -> list[tuple[BankLine, bool]]:
        """Return the lines ever matched with an entry, and whether their import was undone."""
        ...

    def match(self, line_id: str, entry: int) -> None:
        """Match a line with an entry."""
        ...

    def set_reasons(self, account: str, reasons: Mapping[str, str]) -> None:
        """Replace what is known of why the lines of an account wait."""
        ...

    def open_entries(self, ledger: str, *, since: date) -> list[OpenEntry]:
        """Return entries without a line that move money on an account, oldest first."""
        ...

    def matches_across(self, account: str, day: date) -> list[Match]:
        """Return the matches of which one side is up to a day, and the other later."""
        ...

    def early_matches(self, account: str, first: date) -> int:
        """Return the sum of the matched entries from before a day."""
        ...

    def payouts_in_transit(self) -> Sequence[tuple[int, str, date, int]]:
        """Return index, id, day and cents of the payouts whose arrival is not booked."""
        ...

    def forget_texts(self, before: date) -> int:
        """Erase texts and names of lines before a day; return how many lines."""
        ...


class BankRulesRepository(Protocol):
    """Rules that book lines, and mappings of CSV files."""

    def rules(self) -> list[Rule]:
        """Return the rules, oldest first."""
        ...

    def add_rule(self, rule: Rule, *, at: datetime) -> None:
        """Add a rule."""
        ...

    def remove_rule(self, rule_id: str) -> bool:
        """Remove a rule; return whether it existed."""
        ...

    def mappings(self) -> dict[str, Mapping[str, object]]:
        """Return the mappings of CSV files by name."""
        ...

    def put_mapping(self, name: str, document: Mapping[str, object]) -> None:
        """Add or replace a mapping."""
        ...

    def remove_mapping(self, name: str) -> bool:
        """Remove a mapping; return whether it existed."""
        ...
