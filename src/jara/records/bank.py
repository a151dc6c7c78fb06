"""Bank accounts, the lines of their statements, and matches with the books."""

from __future__ import annotations

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
    """A stored line of a statement.

    Args:
        id: its id.
        account: the number of its account.
        file: the file it came from.
        form: the format of that file.
        line: its content in the statement.
        reason: why it is unmatched; empty once it is matched.
        twin: the id of an earlier line that it may be; empty if it is surely another one.
        is_proven: whether it shows payments: a second operator has approved its import, or none
            was needed.
    """

    id: str
    account: str
    file: str
    form: str
    line: StatementLine
    reason: str = ""
    twin: str = ""
    is_proven: bool = True


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
    """What is remembered of a sender's lines for one member.

    Args:
        id: the sender's id; several rows have it if the sender pays for several members.
        key: the keyed hash of the account or the words by which the lines are known.
        member_id: the member.
        cents: the member's part; None for the whole.
        line: the id of the line with which it was remembered.
        remembered_by: the operator.
        remembered_at: when.
    """

    id: str
    key: str
    member_id: str
    cents: int | None
    line: str
    remembered_by: str
    remembered_at: datetime


class Match(NamedTuple):
    """A matched line and entry, with their days."""

    line: str
    entry: int
    line_day: date
    entry_day: date
    cents: int
    description: str
