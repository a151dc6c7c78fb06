"""Reading the books: balances, registers, a year's budget, one entry, or everything."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import islice
from typing import NamedTuple

from jara.domain.books.account import Fund, is_below
from jara.domain.books.balances import Total, Totals
from jara.domain.books.budget import YearBudget, budget_of_year
from jara.domain.books.journal import PostedEntry
from jara.domain.errors import NotFound
from jara.domain.lookup import missing_name
from jara.records.bank import BankLine
from jara.records.journal import BalanceRow, EntryQuery, RegisterLine
from jara.services.context import Context
from jara.services.organisation import read_identity
from jara.store.unit_of_work import UnitOfWork

_NOTES_AT_ONCE = 400


class Balance(NamedTuple):
    """The sum of an account's postings in cents; a field it is not grouped by is None."""

    account: str
    fund: Fund | None
    month: str | None
    year: int | None
    cents: int


class RegisterRow(NamedTuple):
    """A line of an account's register, with the operator's note, if any."""

    line: RegisterLine
    note: str | None

    @property
    def description(self) -> str:
        """The note, or the entry's description if there is no note."""
        return self.note or self.line.posted.entry.description


def read_balances(
    context: Context,
    accounts: Sequence[str] = (),
    *,
    at: date | None = None,
    by: Collection[str] = (),
) -> list[Balance]:
    """Return the balance of every account with postings, without its subaccounts.

    They are of `accounts` and their subaccounts, or of all; `at` is the last day included, None for
    all. `by` groups also by ``fund``, ``month`` or ``year``.

    Raises:
        NotFound: an account has no postings and is not in the chart.
    """
    with context.store.read() as work:
        rows = work.journal.balances(
            at=at, accounts=accounts, by_month="month" in by or "year" in by
        )
        for name in accounts:
            _require_known(work, name, {row.account for row in rows})
    sums: Counter[tuple[str, Fund | None, str | None, int | None]] = Counter()
    for row in rows:
        month = row.month or ""
        key = (
            row.account,
            row.fund if "fund" in by else None,
            month if "month" in by else None,
            int(month[:4]) if "year" in by else None,
        )
        sums[key] += row.cents
    return [Balance(*key, cents) for key, cents in sums.items()]


def read_register(
    context: Context,
    account: str,
    *,
    first_day: date | None,
    last_day: date | None,
    member: str | None = None,
) -> Iterator[RegisterRow]:
    """Return an account's movements with its running balance, oldest first.

    With a member, only that member's entries and their running sum.

    Raises:
        NotFound: there is no such account or member.
    """
    with context.store.read() as work:
        _require_known(work, account, set())
        lines = work.journal.register(account, first_day=first_day, last_day=last_day)
        if member is not None:
            lines = _of_member(lines, work.members.find(member).key)
        while piece := list(islice(lines, _NOTES_AT_ONCE)):
            notes = work.journal.notes_of(line.posted.index for line in piece)
            for line in piece:
                yield RegisterRow(line, notes.get(line.posted.index))


def _of_member(lines: Iterable[RegisterLine], key: str) -> Iterator[RegisterLine]:
    balance = 0
    for line in lines:
        if line.posted.entry.member_key == key:
            balance += line.cents
            yield line._replace(balance_cents=balance)


def read_budget(context: Context, year: int) -> YearBudget:
    """Return a year's budget, for each fund and in total."""
    with context.store.read() as work:
        return budget_of_year(totals_of(work.journal.balances(by_month=True)), year)


def totals_of(rows: Iterable[BalanceRow]) -> Totals:
    """Convert stored balances to the domain's totals."""
    return Totals.of(Total(row.account, row.fund, row.month or "", row.cents) for row in rows)


def _require_known(work: UnitOfWork, name: str, accounts: Collection[str]) -> None:
    chart = work.book_settings.chart()
    if name in chart or any(is_below(other, name) for other in (*accounts, *chart.accounts)):
        return
    if name in chart.parents:
        return
    known = [*accounts, *chart.accounts, *chart.parents]
    raise NotFound(missing_name("account", name, known, how="`jara ledger accounts` lists them"))


class EntryStory(NamedTuple):
    """An entry with what belongs to it."""

    posted: PostedEntry
    ids: Mapping[int, str]  # the ids of the entries that it names, by their index
    bank_lines: Sequence[tuple[BankLine, bool]]
    """Its lines in bank statements, and whether each was undone."""
    note: str | None  # an operator's own words about it
    reversed_by: str | None  # the id of the entry that reverses it


def show_entry(context: Context, text: str) -> EntryStory:
    """Return an entry with what belongs to it.

    Raises:
        NotFound: no entry has this id, or several have this prefix.
    """
    with context.store.read() as work:
        posted = work.journal.find(text)
        named = [one for one in (posted.entry.reverses, posted.entry.of) if one is not None]
        reversal = work.journal.reversal_of(posted.index)
        return EntryStory(
            posted,
            {index: work.journal.get(index).id for index in named},
            work.bank.lines_of(posted.index),
            work.journal.notes_of([posted.index]).get(posted.index),
            None if reversal is None else work.journal.get(reversal).id,
        )


class WholeBooks(NamedTuple):
    """Every entry, read one by one from an open transaction."""

    entries: Iterator[PostedEntry]
    size: int
    id_of: Callable[[int], str]  # the id of an entry by its index
    organisation: str


@contextmanager
def export_books(context: Context, *, by_day: bool = False) -> Iterator[WholeBooks]:
    """Open the books to export them whole, in the order of the log or by day."""
    with context.store.read() as work:
        journal = work.journal
        yield WholeBooks(
            journal.entries(EntryQuery()) if by_day else journal.in_log_order(),
            journal.count(),
            lambda index: journal.get(index).id,
            read_identity(context, work).name,
        )
