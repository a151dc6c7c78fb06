"""Queries of the journal, and the lines they return."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from jara.domain.books.account import Fund
from jara.domain.books.journal import PostedEntry


class EntryQuery(NamedTuple):
    """Which entries to list: all conditions hold together."""

    first_day: date | None = None
    last_day: date | None = None
    kinds: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """The description, the reference or the id contains one of these."""
    accounts: tuple[str, ...] = ()
    """With texts: also match entries on one of these accounts."""
    member_key: str | None = None
    reference: str | None = None
    size: int | None = None
    """Only entries below this log size."""


class RegisterLine(NamedTuple):
    """One entry's movement on an account in cents, and the balance after it."""

    posted: PostedEntry
    cents: int
    balance_cents: int


class BalanceRow(NamedTuple):
    """The sum of an account in a fund, and in a month when grouped by month."""

    account: str
    fund: Fund
    cents: int
    month: str | None = None
