"""The budget."""

from __future__ import annotations

from typing import Annotated

from jara.services.books.transactions import FundLine
from jara_webapi.schemas.base import Answer, Document, Shape


class Budget(Answer):
    """A year's money, in units of the currency and in cents."""

    year: int
    available: int | float
    allocated: int | float
    unallocated: int | float
    available_cents: int
    allocated_cents: int
    unallocated_cents: int
    spent_cents: int
    held_cents: int


class MemberBudget(Budget):
    """A year's money, and each fund's part of it."""

    funds: list[Annotated[Document, Shape(FundLine)]]
