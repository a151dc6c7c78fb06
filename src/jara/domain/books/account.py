"""Accounts and funds."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from jara.domain.errors import UnknownAccount, UnknownFund
from jara.domain.lookup import nearest_names


class AccountType(StrEnum):
    """The first part of an account's name decides its type."""

    ASSETS = "assets"
    LIABILITIES = "liabilities"
    EQUITY = "equity"
    INCOME = "income"
    EXPENSES = "expenses"


class Fund(StrEnum):
    """The funds, in display order."""

    PROJECTS = "projects"
    STAFF = "staff"
    MARKETING = "marketing"
    OTHER = "other"
    COMMITTED = "committed"

    @property
    def position(self) -> int:
        """The place in the order, from 0."""
        return _FUND_ORDER[self]


FUND_NAMES = {fund: fund.value for fund in Fund}
"""The values by member; a lookup is three times as fast as ``.value``."""

_FUND_ORDER = {fund: position for position, fund in enumerate(Fund)}

SPLIT_FUNDS = (Fund.PROJECTS, Fund.STAFF, Fund.MARKETING, Fund.OTHER)
"""The funds that a payment is split over; only votes move money to `committed`."""

BANK = "assets:bank"
STRIPE = "assets:stripe"
IN_TRANSIT = "assets:in-transit"
RESERVE = "assets:stripe-reserve"
PLEDGES = "income:pledges"
GIFTS = "income:gifts"
GRANTS = "income:grants"
STAFF = "expenses:staff"
MARKETING = "expenses:marketing"
FEES = "expenses:fees"
BANK_FEES = "expenses:fees:bank"
FEE_TAX = "expenses:fees:tax"
EXCHANGE = "expenses:fx"
SUSPENSE = "liabilities:suspense"
OPENING = "equity:opening"
TRANSFERS = "equity:transfers"

PAYEE_PARENTS = ("expenses:projects", "expenses:grants", "expenses:donations")
"""Parents of the payee accounts: one for each project, grant or donation."""

_TYPES = frozenset(str(kind) for kind in AccountType)
_NAME = re.compile(r"[a-z][a-z0-9-]*(:[a-z0-9][a-z0-9-]*)+")


def parse_fund(text: str) -> Fund:
    """Return the fund with a name.

    Raises:
        UnknownFund: there is none.
    """
    try:
        return Fund(text)
    except ValueError:
        known = ", ".join(Fund)
        raise UnknownFund(f"There is no fund '{text}'; the funds are {known}.") from None


@lru_cache(maxsize=4096)
def account_type(name: str) -> AccountType:
    """Return an account's type, from the first part of its name.

    Raises:
        UnknownAccount: the name is malformed or its first part is not a type.
    """
    head = name.partition(":")[0]
    if _NAME.fullmatch(name) is None or head not in _TYPES:
        raise UnknownAccount(f"'{name}' is not an account name like 'expenses:staff'.")
    return AccountType(head)


def is_below(account: str, parent: str) -> bool:
    """Return whether an account is the parent or below it."""
    return account == parent or account.startswith(f"{parent}:")


def nearest(account: str, names: Container[str]) -> str | None:
    """Return the one of some names that an account is, or is nearest below; None without one."""
    name = account
    while name and name not in names:
        name = name.rpartition(":")[0]
    return name or None


@dataclass(frozen=True, slots=True)
class ChartOfAccounts:
    """The chart of accounts, and the parents of payee accounts."""

    accounts: frozenset[str]
    parents: tuple[str, ...] = field(default=PAYEE_PARENTS)

    @classmethod
    def of(cls, names: Iterable[str]) -> ChartOfAccounts:
        """Build a chart; every name must be well formed."""
        accounts = frozenset(names)
        for name in accounts:
            account_type(name)
        return cls(accounts)

    def __contains__(self, name: str) -> bool:
        if name in self.accounts:
            return True
        head, colon, slug = name.rpartition(":")
        return bool(colon and slug) and head in self.parents and _is_name(name)

    def require(self, name: str) -> str:
        """Return the name if it is in the chart.

        Raises:
            UnknownAccount: it is not.
        """
        if name in self.parents:
            raise UnknownAccount(
                f"'{name}' has an account for each payee: add its name, as in '{name}:river-wells'."
            )
        if name not in self:
            near = nearest_names(name, [*self.accounts, *self.parents], most=1)
            meant = f"did you mean {near[0]}? Otherwise " if near else ""
            raise UnknownAccount(
                f"The chart of accounts has no '{name}'; {meant}`jara ledger accounts add` adds it."
            )
        return name


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None
