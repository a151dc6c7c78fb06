"""Accounts and funds."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

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
CLAIMS = "liabilities:claims"
OPENING = "equity:opening"
TRANSFERS = "equity:transfers"

PROJECTS = "expenses:projects"
PAYEE_PARENTS = (PROJECTS, "expenses:grants", "expenses:donations")
"""Parents of the payee accounts: one for each project, grant or donation."""
_PARENTS = (*PAYEE_PARENTS, CLAIMS)
"""Parents of accounts that need no line in the chart; claims have one for each person."""


class Account(NamedTuple):
    """An account of every organisation, and what reports, the site and the chart call it."""

    name: str
    title: str  # the name for people
    meaning: str = ""
    """What it is for, in the chart of accounts; empty for the parents of payees, which nothing is
    posted on."""
    total: str = ""  # the name of the sum of it and the accounts below it; empty: the title
    flow: str = ""  # its line in the statement of cash flows; empty: it is among the other payments
    fund: Fund = Fund.OTHER  # the fund that usually pays for it

    @property
    def label(self) -> str:
        """The name of its line in a report, which has the accounts below it too."""
        return self.total or self.title


_ALL_FEES = "Payment and bank fees"

ACCOUNTS = (
    Account(BANK, "Bank", "Our account at the bank."),
    Account(
        STRIPE,
        "At the payment provider",
        "Money that Stripe holds for us and has not paid out yet.",
    ),
    Account(
        RESERVE,
        "Reserve at the payment provider",
        "Money that Stripe holds back for a while as a safeguard.",
    ),
    Account(
        IN_TRANSIT,
        "On the way to the bank",
        "Payouts that have left Stripe and have not reached the bank.",
    ),
    Account(PLEDGES, "Pledges", "Monthly contributions of members."),
    Account(GIFTS, "Gifts", "One-time gifts."),
    Account(GRANTS, "Grants received", "Grants that other organisations gave to us."),
    Account(PROJECTS, "Projects", flow="Paid to projects", fund=Fund.PROJECTS),
    Account(PAYEE_PARENTS[1], "Grants made", flow="Paid as grants", fund=Fund.PROJECTS),
    Account(PAYEE_PARENTS[2], "Donations made", flow="Paid as donations", fund=Fund.PROJECTS),
    Account(
        STAFF, "Staff", "Pay for the people who work for us.", flow="Paid to staff", fund=Fund.STAFF
    ),
    Account(
        MARKETING,
        "Marketing",
        "Telling people about the organisation.",
        flow="Paid for marketing",
        fund=Fund.MARKETING,
    ),
    Account(
        "expenses:operations",
        "Operations",
        "Other running costs, such as bookkeeping, hosting and postage.",
        flow="Paid for operations",
    ),
    Account(
        FEES, "Payment fees", "Fees on payments and disputes.", total=_ALL_FEES, flow=_ALL_FEES
    ),
    Account(BANK_FEES, "Bank charges", "What the bank charges for transfers and for the account."),
    Account(FEE_TAX, "Tax on payment fees", "Sales tax that is charged on fees."),
    Account(
        EXCHANGE,
        "Exchange differences",
        "Losses from changing currencies; gains count against them.",
    ),
    Account(
        SUSPENSE, "Not yet resolved", "Movements that are not explained yet; this should be zero."
    ),
    Account(CLAIMS, "Owed to volunteers", flow="Paid by volunteers, not yet paid back"),
    Account(OPENING, "Opening balance", "Balances on the day these books began."),
    Account(
        TRANSFERS,
        "Moved to another fund",
        "The two sides of moving money from one fund to another; they always add up to zero.",
    ),
)
"""The accounts that every organisation begins with, in the order of reports."""

_BY_NAME = {account.name: account for account in ACCOUNTS}


def account_of(name: str) -> Account | None:
    """Return the account of `ACCOUNTS` that an account is, or is nearest below."""
    return _BY_NAME.get(nearest(name, _BY_NAME) or "")


def fund_of_account(name: str) -> Fund:
    """Return the fund that usually pays for an account."""
    account = account_of(name)
    return Fund.OTHER if account is None else account.fund


def lines_of(kind: AccountType) -> tuple[Account, ...]:
    """Return the accounts of a type that have a line in reports: those below no other."""
    return tuple(one for one in ACCOUNTS if is_below(one.name, kind) and one.name.count(":") == 1)


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


def project_slug(account: str) -> str | None:
    """Return the slug of the project that an account pays; None if it pays no project."""
    parent, _, rest = account.partition(f"{PROJECTS}:")
    return None if parent or not rest else rest.partition(":")[0]


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
    """The chart of accounts, and the parents of accounts that need no line in it."""

    accounts: frozenset[str]
    parents: tuple[str, ...] = field(default=_PARENTS)

    @classmethod
    def of(cls, names: Iterable[str]) -> "ChartOfAccounts":
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
