"""The ledger for contributors: transactions, and the details of a budget row."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from typing import Annotated, Literal, NamedTuple

from jara.documents import OPTIONAL
from jara.domain.books.account import FEES, AccountType, Fund, account_type, is_below
from jara.domain.books.balances import Period, Totals
from jara.domain.books.budget import FundYear, YearBudget, budget_of_year
from jara.domain.books.foreign import ForeignAmount, public_amount
from jara.domain.books.journal import EntryKind, PostedEntry, Posting
from jara.domain.errors import InvalidInput, NotFound
from jara.domain.voting.tally import percent_number
from jara.records.journal import EntryQuery
from jara.services.books.balances import totals_of
from jara.services.context import Context

PAGE_MAX = 100

INTERNAL = frozenset(
    {
        EntryKind.PAYOUT,
        EntryKind.PAYOUT_ARRIVED,
        EntryKind.PAYOUT_REVERSAL,
        EntryKind.RESERVE,
        EntryKind.TOPUP,
        EntryKind.COMMITMENT,
        EntryKind.RELEASE,
        EntryKind.TRANSFER,
    }
)
"""Movements between the organisation's own accounts and funds; listed only on request."""

FEE_DESCRIPTION = "Payment processing fee"
_TYPES = {EntryKind.PLEDGE: "subscription"}
_CURSOR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.([0-9]{1,15})", re.ASCII)


class TransactionQuery(NamedTuple):
    """Which transactions to list: all conditions hold together."""

    kind: str | None = None
    texts: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    first_day: date | None = None
    last_day: date | None = None
    cursor: str | None = None
    limit: int = 25


class TransactionDetails(NamedTuple):
    """What a transaction is about: an account, a reference, and the books' text."""

    category: str
    reference: str | None
    description: str


class Transaction(NamedTuple):
    """Money in or out, with the part of each fund."""

    foreign: Annotated[ForeignAmount | None, OPTIONAL]
    id: str
    date: date
    description: str
    kind: str
    type: str
    amount_cents: int
    funds: Mapping[Fund, int]
    reference: str | None
    details: TransactionDetails


class Page(NamedTuple):
    """A page of a long list, and the cursor of the next page."""

    items: tuple[Transaction, ...]
    next: str | None


class AccountSum(NamedTuple):
    """The sum of an account."""

    account: str
    cents: int


class VoteMoney(NamedTuple):
    """The money that a passed vote committed."""

    proposal: str
    goal_cents: int
    held_cents: int
    paid_cents: int


class FundOfRow(NamedTuple):
    """A fund's part of a row of the budget, and the sums that make it up."""

    fund: Fund
    opening_cents: Annotated[int | None, OPTIONAL] = None
    received_cents: Annotated[int | None, OPTIONAL] = None
    transferred_cents: Annotated[int | None, OPTIONAL] = None
    spent_cents: Annotated[int | None, OPTIONAL] = None
    held_cents: Annotated[int | None, OPTIONAL] = None
    available_cents: Annotated[int | None, OPTIONAL] = None
    allocated_cents: Annotated[int | None, OPTIONAL] = None
    cents: int = 0


class BudgetRow(NamedTuple):
    """The lines behind a row of the budget."""

    row: Literal["available", "allocated", "unallocated"]
    year: int
    total_cents: int
    funds: tuple[FundOfRow, ...]
    accounts: Annotated[tuple[AccountSum, ...] | None, OPTIONAL] = None
    commitments: Annotated[tuple[VoteMoney, ...] | None, OPTIONAL] = None


class FundLine(NamedTuple):
    """A fund's money in a year, with its promised and actual share in percent."""

    fund: Fund
    received_cents: int
    spent_cents: int
    held_cents: int
    promised_share: float
    actual_share: float


def list_transactions(context: Context, query: TransactionQuery) -> Page:
    """Return a page of transactions, newest first, and the cursor of the next page.

    Raises:
        InvalidInput: the cursor or the kind is invalid.
    """
    before = None if query.cursor is None else _read_cursor(query.cursor)
    entry_query = EntryQuery(
        first_day=query.first_day,
        last_day=query.last_day,
        kinds=_kinds(query.kind),
        texts=query.texts,
        accounts=query.accounts,
    )
    with context.store.read() as work:
        page = work.journal.page(entry_query, before=before, limit=query.limit)
    rows = tuple(row for posted in page for row in transaction_rows(posted))
    last = page[-1] if len(page) == query.limit else None
    return Page(rows, None if last is None else f"{last.entry.day.isoformat()}.{last.index}")


def transaction_rows(posted: PostedEntry) -> Iterator[Transaction]:
    """Yield an entry as money in or out; its card fee is a separate row."""
    entry = posted.entry
    assets = [p for p in entry.postings if account_type(p.account) is AccountType.ASSETS]
    fees = [p for p in entry.postings if is_below(p.account, FEES)]
    gross = _sum(assets) + _sum(fees)
    if entry.kind in INTERNAL:
        moved = sum(p.cents for p in assets if p.cents > 0)
        yield _row(posted, posted.id, moved, _by_fund(assets), _category(posted))
    elif gross == 0 and fees:
        yield _row(posted, posted.id, _sum(assets), _by_fund(assets), FEES)
    elif gross:
        funds = _by_fund([*assets, *fees])
        yield _row(posted, posted.id, gross, funds, _category(posted))
        if fees:
            fee_parts = {fund: -cents for fund, cents in _by_fund(fees).items()}
            yield _row(posted, f"{posted.id}:fee", -_sum(fees), fee_parts, FEES)


def budget_row(context: Context, row: str, year: int) -> BudgetRow:
    """Return the details of a row of the budget table, by fund and by account.

    Raises:
        NotFound: the table has no such row.
    """
    with context.store.read() as work:
        totals = totals_of(work.journal.balances(by_month=True))
        commitments = [record.commitment for record in work.commitments.all()]
    budget = budget_of_year(totals, year)
    match row:
        case "available":
            return BudgetRow(
                row,
                year,
                budget.total.available,
                tuple(map(_available, budget.funds)),
                _accounts(totals, year, AccountType.INCOME, sign=-1),
            )
        case "allocated":
            return BudgetRow(
                row,
                year,
                budget.total.allocated,
                tuple(map(_allocated, budget.funds)),
                _accounts(totals, year, AccountType.EXPENSES, sign=1),
                tuple(VoteMoney(c.proposal, c.goal, c.held, c.paid) for c in commitments),
            )
        case "unallocated":
            funds = tuple(map(_unallocated, budget.funds))
            return BudgetRow(row, year, budget.total.unallocated, funds)
        case _:
            raise NotFound(f"The budget has no row '{row[:40]}'.")


def fund_lines(budget: YearBudget) -> tuple[FundLine, ...]:
    """Return a year's funds in the form of the budget document."""
    return tuple(
        FundLine(
            fund=line.fund,
            received_cents=line.figures.received,
            spent_cents=line.figures.spent,
            held_cents=line.figures.held,
            promised_share=percent_number(line.promised_tenths),
            actual_share=percent_number(line.actual_tenths),
        )
        for line in budget.funds
    )


def _kinds(kind: str | None) -> tuple[str, ...]:
    if not kind:
        return tuple(each.value for each in EntryKind if each not in INTERNAL)
    if kind == EntryKind.TRANSFER:
        return tuple(each.value for each in EntryKind if each in INTERNAL)
    with suppress(ValueError):
        return (EntryKind({"subscription": "pledge"}.get(kind, kind)).value,)
    sentence = f"'{kind[:40]}' is not a kind of transaction."
    raise InvalidInput(sentence, fields={"kind": sentence})


def _read_cursor(text: str) -> tuple[date, int]:
    match = _CURSOR.fullmatch(text)
    if match is not None:
        with suppress(ValueError):
            return date.fromisoformat(match[1]), int(match[2])
    raise InvalidInput("Invalid cursor.", fields={"cursor": "Invalid cursor."})


def _row(
    posted: PostedEntry, row_id: str, cents: int, funds: Mapping[Fund, int], category: str
) -> Transaction:
    entry = posted.entry
    is_fee = category == FEES
    return Transaction(
        foreign=None if is_fee else public_amount(entry.foreign, -cents),
        id=row_id,
        date=entry.day,
        description=FEE_DESCRIPTION if is_fee else entry.description,
        kind="fee" if is_fee else entry.kind.value,
        type="fee" if is_fee else _TYPES.get(entry.kind, entry.kind.value),
        amount_cents=cents,
        funds=funds,
        reference=entry.reference,
        details=TransactionDetails(category, entry.reference, entry.description),
    )


def _category(posted: PostedEntry) -> str:
    """Return the purpose of an entry: the account of its largest posting beside assets and fees."""
    others = [
        p
        for p in posted.entry.postings
        if account_type(p.account) is not AccountType.ASSETS and not is_below(p.account, FEES)
    ]
    pick = max(others or posted.entry.postings, key=lambda posting: abs(posting.cents))
    return pick.account


def _sum(postings: Iterable[Posting]) -> int:
    return sum(posting.cents for posting in postings)


def _by_fund(postings: Iterable[Posting]) -> dict[Fund, int]:
    sums: Counter[Fund] = Counter()
    for posting in postings:
        sums[posting.fund] += posting.cents
    return {fund: sums[fund] for fund in Fund if sums[fund]}


def _available(line: FundYear) -> FundOfRow:
    figures = line.figures
    return FundOfRow(
        line.fund,
        opening_cents=figures.opening,
        received_cents=figures.received,
        transferred_cents=figures.transfers,
        cents=figures.available,
    )


def _allocated(line: FundYear) -> FundOfRow:
    figures = line.figures
    return FundOfRow(
        line.fund, spent_cents=figures.spent, held_cents=figures.held, cents=figures.allocated
    )


def _unallocated(line: FundYear) -> FundOfRow:
    figures = line.figures
    return FundOfRow(
        line.fund,
        available_cents=figures.available,
        allocated_cents=figures.allocated,
        cents=figures.unallocated,
    )


def _accounts(totals: Totals, year: int, kind: AccountType, *, sign: int) -> tuple[AccountSum, ...]:
    period = Period.of_year(year)
    sums: Counter[str] = Counter()
    for row in totals.rows:
        if row.month in period and account_type(row.account) is kind:
            sums[row.account] += sign * row.cents
    return tuple(AccountSum(name, cents) for name, cents in sorted(sums.items()) if cents)
