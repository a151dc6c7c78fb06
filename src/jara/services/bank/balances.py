"""The balances of an account at the bank, from its stored statements."""

from __future__ import annotations

from jara.domain.bank.continuity import StoredBalances
from jara.store.unit_of_work import UnitOfWork


def stored_balances(work: UnitOfWork, account: str) -> StoredBalances:
    """Return the balances of an account that follow from its stored statements."""
    bank = work.bank
    return StoredBalances(bank.spans(account), bank.day_sums(account), bank.base_cents(account))
