"""The budget and the transactions."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from jara.domain.books.account import Fund
from jara_webapi.schemas.base import Answer, Document, Shape
from jara_webapi.schemas.reports import Foreign


class TransactionDetails(Answer):
    """What a transaction is about: an account, a reference, and the books' text."""

    category: str
    reference: str | None
    description: str


class Transaction(Answer):
    """Money in or out, with the part of each fund."""

    id: str
    date: date
    description: str
    kind: str
    type: str
    amount_cents: int
    funds: dict[Fund, int]
    reference: str | None
    details: TransactionDetails
    foreign: Foreign | None = None


class Page(Answer):
    """A page of a long list, and the cursor of the next page."""

    items: list[Annotated[Document, Shape(Transaction)]]
    next: str | None


class Budget(Answer):
    """A year's money, in dollars and in cents."""

    year: int
    available: int | float
    allocated: int | float
    unallocated: int | float
    available_cents: int
    allocated_cents: int
    unallocated_cents: int
    spent_cents: int
    held_cents: int


class FundLine(Answer):
    """A fund's money in a year, with its promised and actual share in percent."""

    fund: Fund
    received_cents: int
    spent_cents: int
    held_cents: int
    promised_share: float
    actual_share: float


class MemberBudget(Budget):
    """A year's money, and each fund's part of it."""

    funds: list[Annotated[Document, Shape(FundLine)]]


class AccountSum(Answer):
    """The sum of an account."""

    account: str
    cents: int


class VoteMoney(Answer):
    """The money that a passed vote committed."""

    proposal: str
    goal_cents: int
    held_cents: int
    paid_cents: int


class FundOfRow(Answer):
    """A fund's part of a row of the budget, and the sums that make it up."""

    fund: Fund
    cents: int
    opening_cents: int = 0
    received_cents: int = 0
    transferred_cents: int = 0
    spent_cents: int = 0
    held_cents: int = 0
    available_cents: int = 0
    allocated_cents: int = 0


class BudgetRow(Answer):
    """The lines behind a row of the budget."""

    row: Literal["available", "allocated", "unallocated"]
    year: int
    total_cents: int
    funds: list[FundOfRow]
    accounts: list[AccountSum] = Field(default=[])
    commitments: list[VoteMoney] = Field(default=[])
