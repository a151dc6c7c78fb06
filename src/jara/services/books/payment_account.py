"""The account of the books that money is paid from, unless a command names another."""

from collections import Counter

from jara.domain.books.account import BANK, AccountType, account_type, is_below
from jara.domain.books.outflow import require_elsewhere
from jara.domain.errors import InvalidInput, NotFound
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork

_PAYMENT_ACCOUNT = "books.payment_account"
"""Key in `meta`."""

PAID_FROM = "from"
"""The account that an act pays from, as a key of what waits for approval; those of earlier
versions have none, and pay from `assets:bank`."""


def payment_account(work: UnitOfWork, chosen: str | None = None) -> str:
    """Return the account to pay from: the chosen one, else the organisation's.

    Raises:
        UnknownAccount: the chart has no such account.
        InvalidInput: it holds no money, or is at the payment provider.
    """
    if chosen is None:
        return work.meta.get(_PAYMENT_ACCOUNT) or BANK
    work.book_settings.chart().require(chosen)
    if account_type(chosen) is not AccountType.ASSETS:
        raise InvalidInput(f"'{chosen}' holds no money; name an account like {BANK}.")
    require_elsewhere(chosen)
    return chosen


def bank_account(work: UnitOfWork) -> str:
    """Return the account that the payment provider pays out to."""
    account = payment_account(work)
    return account if is_below(account, BANK) else BANK


def show_payment_account(context: Context) -> str:
    """Return the account that money is paid from."""
    with context.store.read() as work:
        return payment_account(work)


def set_payment_account(context: Context, account: str) -> None:
    """Choose the account that money is paid from.

    Raises:
        UnknownAccount: the chart has no such account.
        InvalidInput: it holds no money, or is at the payment provider.
    """
    with context.store.write() as work:
        before = payment_account(work)
        after = payment_account(work, account)
        if after == before:
            return
        work.meta.put(_PAYMENT_ACCOUNT, after)
        record_act(
            context,
            work,
            "organisation.set",
            "organisation",
            changed=["paymentAccount"],
            before={"paymentAccount": before},
            facts={"paymentAccount": after},
        )


def overdrawn_by(context: Context, entry_id: str) -> dict[str, int]:
    """Return the accounts that an entry took money from and that are below zero now, in cents.

    A refund by card has no entry of its own here, and overdraws nothing.
    """
    moved: Counter[str] = Counter()
    balances: Counter[str] = Counter()
    with context.store.read() as work:
        try:
            entry = work.journal.find(entry_id).entry
        except NotFound:
            return {}
        for posting in entry.postings:
            if account_type(posting.account) is AccountType.ASSETS:
                moved[posting.account] += posting.cents
        taken = sorted(account for account, cents in moved.items() if cents < 0)
        for row in work.journal.balances(accounts=taken) if taken else ():
            balances[row.account] += row.cents
    return {account: balances[account] for account in taken if balances[account] < 0}
