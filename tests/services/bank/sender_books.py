"""Two members who pay by Interac, and the statements that name them."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from jara.domain.bank.statement import StatementLine
from jara.services.bank.answering import (
    MatchedMember,
    list_waiting,
    match_with_members,
)
from jara.services.bank.importing import BankOutcome
from jara.services.context import Context
from tests.domain.bank.bank_lines import a_line, a_statement
from tests.harness import clock_of
from tests.services.bank.bank_books import take, takes_transfers
from tests.services.bank.test_contributions import promised
from tests.services.bank.test_statement_vouching import payments_of

ADA, BO = "ada@example.org", "bo@example.org"
MONTHS = {5: date(2026, 5, 31), 6: date(2026, 6, 30), 7: date(2026, 7, 31)}


def make_payers(place: Path) -> Context:
    """Return an organisation in August; Ada and Bo promised $10 a month by transfer."""
    context = takes_transfers(place, day=1)
    for name in ("ada", "bo"):
        promised(context, name)
    clock_of(context).at = clock_of(context).at.replace(month=8, day=1)
    return context


def from_sender(name: str, *, cents: int = 1000, day: int = 4, **changes: object) -> StatementLine:
    """Return an Interac line: the sender's name, and a number of its own."""
    return a_line(cents, f"INTERAC e-Transfer From: {name} CA{day:02}x{cents}", day=day, **changes)


def imported(
    context: Context, *lines: StatementLine, month: int = 5, opening: int | None = None
) -> BankOutcome:
    """Import a statement of a month; days of the lines are in May, and are moved there."""
    start = date(2026, month, 1)
    moved = [replace(one, day=start + timedelta(one.day.day - 1)) for one in lines]
    statement = a_statement(*moved, opening=opening, first=start, last=MONTHS[month])
    return take(context, statement, file=f"{start:%B}.csv".lower())


def match(
    context: Context, *members: str, cents: int = 1000, is_remembered: bool = True
) -> MatchedMember:
    """Match the oldest waiting line of an amount with members."""
    line = next(one for one in list_waiting(context) if one.line.cents == cents)
    shares = [(name, None) for name in members]
    return match_with_members(context, line.id, shares, is_remembered=is_remembered)


def paid(context: Context, name: str) -> list[int]:
    """Return the amounts that a member's payments have."""
    return [one.cents for one in payments_of(context, name) if one.is_kept]


def reasons(context: Context) -> list[str]:
    """Return why lines wait."""
    return [one.reason for one in list_waiting(context)]
