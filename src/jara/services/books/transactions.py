"""The ledger for contributors: transactions, and the details of a budget row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

from jara.domain.books.account import AccountType, Fund, account_type, is_below
from jara.domain.books.balances import Period, Totals
from jara.domain.books.budget import FundYear, YearBudget, budget_of_year
from jara.domain.books.foreign import foreign_document
from jara.domain.books.journal import EntryKind, PostedEntry, Posting
from jara.domain.errors import InvalidInput, NotFound
from jara.records.journal import EntryQuery
from jara.services.books.balances import totals_of
from jara.services.context import Context

PAGE_MAX = 100
FEES = "expenses:fees"

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


def list_transactions(context: Context, query: TransactionQuery) -> dict[str, Any]:
    """Return a page of transactions, newest first, and the cursor of the next page.

    Raises:
        InvalidInput: the cursor or the kind is invalid.
    """
    before = None if query.cursor is None else _read_cursor(query.cursor)
    wanted = EntryQuery(
        first_day=query.first_day,
        last_day=query.last_day,
        kinds=_kinds(query.kind),
        texts=query.texts,
        accounts=query.accounts,
    )
    with context.store.read() as work:
        page = work.journal.page(wanted, before=before, limit=query.limit)
    rows = [row for posted in page for row in transaction_rows(posted)]
    last = page[-1] if len(page) == query.limit else None
    return {
        "items": rows,
        "next": None if last is None else f"{last.entry.day.isoformat()}.{last.index}",
    }


def transaction_rows(posted: PostedEntry) -> Iterator[dict[str, Any]]:
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
            taken = {fund: -cents for fund, cents in _by_fund(fees).items()}
            yield _row(posted, f"{posted.id}:fee", -_sum(fees), taken, FEES)


def budget_row(context: Context, row: str, year: int) -> dict[str, Any]:
    """Return the details of a row of the budget table, by fund and by account.

    Raises:
        NotFound: the table has no such row.
    """
    if row not in {"available", "allocated", "unallocated"}:
        raise NotFound(f"The budget has no row '{row[:40]}'.")
    with context.store.read() as work:
        totals = totals_of(work.journal.balances(by_month=True))
        held = [
            {
                "proposal": record.commitment.proposal,
                "goalCents": record.commitment.goal,
                "heldCents": record.commitment.held,
                "paidCents": record.commitment.paid,
            }
            for record in work.commitments.all()
        ]
    budget = budget_of_year(totals, year)
    parts = {"available": _available, "allocated": _allocated, "unallocated": _unallocated}[row]
    document: dict[str, Any] = {
        "row": row,
        "year": year,
        "totalCents": getattr(budget.total, row),
        "funds": [{"fund": line.fund.value, **parts(line)} for line in budget.funds],
    }
    if row == "available":
        document["accounts"] = _accounts(totals, year, AccountType.INCOME, sign=-1)
    elif row == "allocated":
        document["accounts"] = _accounts(totals, year, AccountType.EXPENSES, sign=1)
        document["commitments"] = held
    return document


def fund_lines(budget: YearBudget) -> list[dict[str, Any]]:
    """Return a year's funds in the form of the budget document."""
    return [
        {
            "fund": line.fund.value,
            "receivedCents": line.figures.received,
            "spentCents": line.figures.spent,
            "heldCents": line.figures.held,
            "promisedShare": line.promised_tenths / 10,
            "actualShare": line.actual_tenths / 10,
        }
        for line in budget.funds
    ]


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
    posted: PostedEntry, row_id: str, cents: int, funds: dict[str, int], category: str
) -> dict[str, Any]:
    entry = posted.entry
    is_fee = category == FEES
    words = "Payment processing fee" if is_fee else entry.description
    abroad = None
    if entry.foreign is not None and not is_fee:
        abroad = foreign_document(entry.foreign, -cents)
    return ({} if abroad is None else {"foreign": abroad}) | {
        "id": row_id,
        "date": entry.day.isoformat(),
        "description": words,
        "kind": "fee" if is_fee else entry.kind.value,
        "type": "fee" if is_fee else _TYPES.get(entry.kind, entry.kind.value),
        "amountCents": cents,
        "funds": funds,
        "reference": entry.reference,
        "details": {
            "category": category,
            "reference": entry.reference,
            "description": entry.description,
        },
    }


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


def _by_fund(postings: Iterable[Posting]) -> dict[str, int]:
    sums: Counter[Fund] = Counter()
    for posting in postings:
        sums[posting.fund] += posting.cents
    return {fund.value: sums[fund] for fund in Fund if sums[fund]}


def _available(line: FundYear) -> dict[str, int]:
    figures = line.figures
    return {
        "openingCents": figures.opening,
        "receivedCents": figures.received,
        "transferredCents": figures.transfers,
        "cents": figures.available,
    }


def _allocated(line: FundYear) -> dict[str, int]:
    figures = line.figures
    return {
        "spentCents": figures.spent,
        "heldCents": figures.held,
        "cents": figures.allocated,
    }


def _unallocated(line: FundYear) -> dict[str, int]:
    figures = line.figures
    return {
        "availableCents": figures.available,
        "allocatedCents": figures.allocated,
        "cents": figures.unallocated,
    }


def _accounts(totals: Totals, year: int, kind: AccountType, *, sign: int) -> list[dict[str, Any]]:
    period = Period.of_year(year)
    sums: Counter[str] = Counter()
    for row in totals.rows:
        if row.month in period and account_type(row.account) is kind:
            sums[row.account] += sign * row.cents
    return [{"account": name, "cents": cents} for name, cents in sorted(sums.items()) if cents]
