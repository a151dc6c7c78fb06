"""Bank accounts, the lines of their statements, and matches with the books."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, NamedTuple

from jara.documents import Json
from jara.domain.bank.statement import StatementLine


class BankAccount(NamedTuple):
    """An account at the bank, and its account in the books."""

    number: str
    ledger: Annotated[str, Json("account")]


class BankLine(NamedTuple):
    """A stored line of a statement."""

    id: str
    account: str  # the number of its account
    file: str  # the file it came from
    form: str  # the format of that file
    line: StatementLine  # its content in the statement
    reason: str = ""  # why it is unmatched; empty once it is matched
    twin: str = ""  # the id of an earlier line that it may be; empty if it is surely another one
    is_proven: bool = True
    """Whether it shows payments: a second operator has approved its import, or none was needed."""


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """An entry on the bank's account that is not matched with a line of it."""

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


class SenderRow(NamedTuple):
    """What is remembered of a sender's lines for one member."""

    id: str  # the sender's id; several rows have it if the sender pays for several members
    key: str  # the keyed hash of the account or the words by which the lines are known
    member_id: str
    cents: int | None  # the member's part; None for the whole
    line: str  # the id of the line with which it was remembered
    remembered_by: str  # the operator
    remembered_at: datetime


class Match(NamedTuple):
    """A matched line and entry, with their days."""

    line: str
    entry: int
    line_day: date
    entry_day: date
    cents: int
    description: str
