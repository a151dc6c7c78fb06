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
    """A stored line of a statement.

    Args:
        id: its id.
        account: the number of its account.
        file: the file it came from.
        form: the format of that file.
        line: its content in the statement.
        reason: why it is unmatched; empty once it is matched.
    """

    id: str
    account: str
    file: str
    form: str
    line: StatementLine
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An entry on the bank's account that is not matched with a line."""

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
    """A matched line and entry, with their days."""

    line: str
    entry: int
    line_day: date
    entry_day: date
    cents: int
    description: str


class BankRepository(Protocol):
    """Bank statements, and the entries matched with their lines.

    A match counts while its entry is not reversed. Lines of an undone import stay stored but
    are ignored.
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
        """Add a statement without its lines; do nothing if it is stored already."""
        ...

    def undone_imports(self) -> frozenset[str]:
        """Return the ids of the undone imports."""
        ...

    def is_undone(self, statement_id: str) -> bool:
        """Return whether the import of a statement was undone."""
        ...

    def undone_lines(self, account: str) -> frozenset[str]:
        """Return the ids of an account's lines from undone imports."""
        ...

    def undo(self, imported: str, *, at: datetime) -> None:
        """Mark the statements of an import as undone; their matched entries are free again."""
        ...

    def entries_booked(self, imported: str) -> list[int]:
        """Return the log indexes of all entries booked from the lines of an import."""
        ...

    def spans(self, account: str) -> list[Span]:
        """Return the days and balances of an account's statements."""
        ...

    def day_sums(self, account: str) -> dict[date, int]:
        """Return the sum of the lines of each day."""
        ...

    def known(self, account: str, *, first: date, last: date) -> list[KnownLine]:
        """Return the stored lines between two days."""
        ...

    def add_line(self, line_id: str, line: StatementLine, *, account: str, statement: str) -> None:
        """Add a line."""
        ...

    def waiting(self, account: str) -> list[BankLine]:
        """Return the unmatched lines of an account, oldest first."""
        ...

    def count_waiting(self) -> int:
        """Return the number of unmatched lines in all accounts."""
        ...

    def find(self, text: str) -> BankLine:
        """Return the line with that id or unique prefix of an id.

        Raises:
            NotFound: no line matches.
            Conflict: several lines match.
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
        """Replace the reasons why lines of an account are unmatched."""
        ...

    def open_entries(self, ledger: str, *, since: date) -> list[OpenEntry]:
        """Return the entries on an account that have no line, oldest first."""
        ...

    def matches_across(self, account: str, day: date) -> list[Match]:
        """Return the matches with one side up to a day and the other side after it."""
        ...

    def early_matches(self, account: str, first: date) -> int:
        """Return the sum of the matched entries from before a day."""
        ...

    def payouts_in_transit(self) -> Sequence[tuple[int, str, date, int]]:
        """Return index, id, day and cents of the payouts without a booked arrival."""
        ...

    def forget_texts(self, before: date) -> int:
        """Erase the texts and names in lines before a day; return how many lines."""
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
