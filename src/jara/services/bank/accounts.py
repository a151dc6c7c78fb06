"""Accounts at the bank, each with its account in the books, and which of a file are ours."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jara.domain.bank.continuity import StoredBalances
from jara.domain.bank.statement import Statement, account_number, is_same_account
from jara.domain.books.account import AccountType, account_type
from jara.domain.books.outflow import require_elsewhere
from jara.domain.currency import books_currency
from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.records.bank import BankAccount
from jara.services.audit import record_act
from jara.services.books.imports import Rejected
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def list_accounts(context: Context) -> list[BankAccount]:
    """Return the bank accounts."""
    with context.store.read() as work:
        return work.bank.accounts()


def set_account(context: Context, text: str, ledger: str) -> BankAccount:
    """Add an account at the bank by its number, or book a known one on another account from now on.

    Raises:
        Conflict: lines of it are imported, or another account is booked there.
        InvalidInput: the account in the books holds no money.
        UnknownAccount: the chart has no such account.
    """
    with context.store.write() as work:
        number = account_number(text)
        known = _known(work.bank.accounts(), number)
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


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """What an operator says about the accounts of a file."""

    ledgers: Mapping[str, str] = field(default_factory=dict)
    """The ledger accounts of accounts that are not known yet, by number."""
    only: tuple[str, ...] = ()
    """The numbers to import, or their ends; all accounts if there are none."""
    unnamed: str = ""  # the number of the account of statements that name none


ALL_KNOWN = AccountChoice()
"""Every account of the file that is known."""


@dataclass(slots=True)
class FileAccounts:
    """The statements of a file by what happens to them."""

    chosen: list[tuple[BankAccount, Statement]] = field(default_factory=list)
    """The statements to import, each with its account and under its number."""
    left_out: list[Rejected] = field(default_factory=list)
    """Those of accounts that the operator did not choose."""
    rejected: list[Rejected] = field(default_factory=list)
    """Those of accounts in another currency, or, in a partial import, not known."""

    @property
    def accounts(self) -> list[BankAccount]:
        """The accounts of the chosen statements, each once."""
        return list(dict.fromkeys(account for account, _ in self.chosen))

    @property
    def statements(self) -> list[Statement]:
        """The chosen statements."""
        return [statement for _, statement in self.chosen]


def sort_statements(
    context: Context,
    work: UnitOfWork,
    statements: Iterable[Statement],
    choice: AccountChoice,
    *,
    new_account: str | None,
    partial: bool,
) -> FileAccounts:
    """Sort the statements of a file by account, and add the new accounts.

    `new_account` is the ledger account of the only account that is not known yet.

    Raises:
        Conflict: an account is not known and not added, or is another one in the books.
        InvalidInput: a statement names no account, or no statement is of an account that an
            option names.
    """
    found = FileAccounts()
    named = [_named(statement, choice) for statement in statements]
    ours: list[Statement] = []
    for statement in named:
        place = f"the {statement.kind} {statement.account}"
        if choice.only and not any(_is_meant(text, statement.account) for text in choice.only):
            message = f"{place} is not named by --only; left out"
            found.left_out.append(Rejected(statement.line, message))
        elif statement.currency:
            message = f"{place} is in {statement.currency}; the books are in {books_currency()}."
            found.rejected.append(Rejected(statement.line, message))
        else:
            ours.append(statement)
    for text in (*choice.ledgers, *choice.only):
        if not any(_is_meant(text, one.account) for one in named):
            numbers = ", ".join(dict.fromkeys(one.account for one in named)) or "no account"
            raise InvalidInput(
                f"The file has no statement of the account {text}; it has {numbers}."
            )
    _add_new(context, work, ours, choice, new_account=new_account, partial=partial)
    accounts = work.bank.accounts()
    for statement in ours:
        account = _known(accounts, statement.account)
        if account is None:
            message = f"the {statement.kind} {statement.account} is not known; left out."
            found.rejected.append(Rejected(statement.line, message))
        else:
            found.chosen.append((account, statement._replace(account=account.number)))
    return found


def _named(statement: Statement, choice: AccountChoice) -> Statement:
    """Return a statement with the number of its account."""
    if not choice.unnamed:
        if not statement.account:
            raise InvalidInput(
                f"The statement in line {statement.line} names no account; say which it is with "
                "--account NUMBER."
            )
        return statement
    number = account_number(choice.unnamed)
    if statement.account and not is_same_account(number, statement.account):
        raise Conflict(
            f"The statement in line {statement.line} is of the account {statement.account}, not "
            f"{number}; --account names that of a statement that names none."
        )
    return statement._replace(account=statement.account or number)


def _add_new(
    context: Context,
    work: UnitOfWork,
    statements: Iterable[Statement],
    choice: AccountChoice,
    *,
    new_account: str | None,
    partial: bool,
) -> None:
    unknown: dict[str, Statement] = {}
    known: dict[str, BankAccount] = {}
    for statement in statements:
        account = _known(work.bank.accounts(), statement.account)
        ledger = next(
            (one for text, one in choice.ledgers.items() if _is_meant(text, statement.account)),
            None,
        )
        if account is None and ledger is not None:
            _add_account(context, work, statement.account, ledger)
        elif account is None:
            unknown.setdefault(statement.account, statement)
        else:
            known[ledger or account.ledger] = account
    if new_account is not None and known and not unknown:
        known.setdefault(new_account, next(iter(known.values())))
    for ledger, account in known.items():
        if ledger != account.ledger:
            raise Conflict(
                f"The account {account.number} is '{account.ledger}' in the books, not '{ledger}'. "
                "If that is wrong, undo its imports, and then: jara bank accounts set "
                f"{account.number} {ledger}"
            )
    if len(unknown) == 1 and new_account is not None:
        _add_account(context, work, next(iter(unknown)), new_account)
    elif unknown and (new_account is not None or not partial):
        raise Conflict(_say_unknown(unknown, work.bank.accounts()))


def _add_account(context: Context, work: UnitOfWork, number: str, ledger: str) -> None:
    account = BankAccount(number, ledger)
    require_free(work, account)
    work.bank.put_account(account, at=context.now())


def _say_unknown(unknown: Mapping[str, Statement], accounts: Iterable[BankAccount]) -> str:
    ours = ", ".join(account.number for account in accounts) or "none yet"
    if len(unknown) == 1:
        ((number, statement),) = unknown.items()
        return (
            f"The statement in line {statement.line} is of the {statement.kind} {number}, which is "
            f"not known ({ours}). If it is yours, add it with --new-account assets:bank."
        )
    numbers = ", ".join(
        f"{number} ({one.kind}, line {one.line})" for number, one in unknown.items()
    )
    return (
        f"The file has several accounts that are not known ({ours}): {numbers}. Add those that "
        f"are yours with --new-account {next(iter(unknown))}=assets:bank, each by its number; "
        "--only NUMBER or --partial leaves the others out."
    )


def _known(accounts: Iterable[BankAccount], number: str) -> BankAccount | None:
    return next((one for one in accounts if is_same_account(one.number, number)), None)


def _is_meant(text: str, number: str) -> bool:
    """Return whether an option means an account: by its number, or the end of it."""
    meant = account_number(text)
    return number.endswith(meant) or is_same_account(meant, number)
