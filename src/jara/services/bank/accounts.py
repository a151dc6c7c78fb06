"""Accounts at the bank, each with its account in the books."""

from __future__ import annotations

from jara.domain.bank.continuity import StoredBalances
from jara.domain.bank.statement import account_number, is_same_account
from jara.domain.books.account import AccountType, account_type
from jara.domain.books.outflow import require_elsewhere
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.records.bank import BankAccount
from jara.services.audit import record_act
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def list_accounts(context: Context) -> list[BankAccount]:
    """Return the bank accounts."""
    with context.store.read() as work:
        return work.bank.accounts()


def set_account(context: Context, text: str, ledger: str) -> BankAccount:
    """Add an account at the bank, or book a known one on another account from now on.

    Args:
        text: the account's number.
        ledger: its account in the books.

    Raises:
        Conflict: lines of it are imported, or another account is booked there.
        InvalidInput: the account in the books holds no money.
        UnknownAccount: the chart has no such account.
    """
    with context.store.write() as work:
        number = account_number(text)
        known = next(
            (one for one in work.bank.accounts() if is_same_account(one.number, number)), None
        )
        account = BankAccount(number if known is None else known.number, ledger)
        if account != known:
            require_free(work, account)
            _require_unused(work, account.number)
            work.bank.put_account(account, at=context.now())
            record_act(
                context, work, "bank.accounts.set", account.number, facts={"account": ledger}
            )
    return account


def remove_account(context: Context, text: str) -> BankAccount:
    """Remove an account at the bank; lines of undone imports stay stored.

    Raises:
        NotFound: there is no such account.
        Conflict: lines of it are imported.
    """
    with context.store.write() as work:
        account = find_account(work, text)
        _require_unused(work, account.number)
        work.bank.remove_account(account.number)
        record_act(context, work, "bank.accounts.remove", account.number)
    return account


def find_account(work: UnitOfWork, text: str | None) -> BankAccount:
    """Return the bank account whose number ends with a text, or the only one.

    Raises:
        NotFound: no account ends with it.
        Conflict: there are several.
    """
    accounts = work.bank.accounts()
    ending = "".join(sign for sign in (text or "").upper() if sign.isalnum())
    matches = [one for one in accounts if one.number.endswith(ending) or one.ledger == text]
    if not matches:
        raise NotFound("No such bank account; import a statement with --new-account.")
    if len(matches) > 1:
        raise Conflict(f"Say which account: {', '.join(one.number for one in matches)}.")
    return matches[0]


def require_free(work: UnitOfWork, account: BankAccount) -> None:
    """Require an account in the books that holds money and belongs to no other number.

    Raises:
        Conflict: it belongs to another number.
        InvalidInput: it holds no money, or is at the payment provider.
        UnknownAccount: the chart has no such account.
    """
    ledger = account.ledger
    work.book_settings.chart().require(ledger)
    if account_type(ledger) is not AccountType.ASSETS:
        raise InvalidInput(f"'{ledger}' holds no money; name an account like assets:bank.")
    require_elsewhere(ledger)
    numbers = [one.number for one in work.bank.accounts() if one.ledger == ledger]
    if numbers:
        raise Conflict(f"'{ledger}' is the account {numbers[0]} already; each has its own.")


def _require_unused(work: UnitOfWork, number: str) -> None:
    imports = work.bank.imports_of(number)
    if imports:
        raise Conflict(
            f"Lines of {number} are imported; undo the imports first: {', '.join(imports)}."
        )


def stored_balances(work: UnitOfWork, account: str) -> StoredBalances:
    """Return the balances of an account that follow from its stored statements."""
    bank = work.bank
    return StoredBalances(bank.spans(account), bank.day_sums(account), bank.base_cents(account))
