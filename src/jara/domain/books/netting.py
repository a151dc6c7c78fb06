"""The net amounts of an entry in each pool of the trace."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

from jara.domain.books.account import GIFTS, PLEDGES, AccountType
from jara.domain.books.trace_rows import Pool, pool_of

CONTRIBUTIONS = "contributions"
"""The group of pledges and gifts, which belong to a member."""

Nets: TypeAlias = Mapping[tuple[Pool, str], int]
"""Cents by pool and group; a net credit is incoming, a net debit outgoing."""

_HELD = frozenset({str(AccountType.ASSETS), str(AccountType.LIABILITIES)})


def net(postings: Iterable[tuple[str, str, int]]) -> Nets:
    """Net postings (account, fund, cents) by pool and group.

    The groups are contributions (pledges and gifts), other income, equity, and each expense
    account. Assets and liabilities are left out.

    Raises:
        KeyError: there is no such fund.
    """
    nets: defaultdict[tuple[Pool, str], int] = defaultdict(int)
    for account, fund, cents in postings:
        cell = _cell(fund, account)
        if cell is not None:
            nets[cell] += cents
    return nets


@lru_cache(maxsize=4096)
def _cell(fund: str, account: str) -> tuple[Pool, str] | None:
    """Return a posting's pool and group; cached, since the same accounts recur."""
    kind = account.partition(":")[0]
    if kind in _HELD:
        return None
    if kind == AccountType.EXPENSES:
        return pool_of(fund), account
    return pool_of(fund), CONTRIBUTIONS if account in {PLEDGES, GIFTS} else kind
