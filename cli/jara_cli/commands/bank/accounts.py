"""``jara bank accounts``: accounts at the bank, and where they are booked."""

from typing import Annotated

import typer

from jara.records.bank import BankAccount
from jara.services.bank.accounts import list_accounts, remove_account, set_account
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import argument
from jara_cli.verbs import list_verb, verb

app = typer.Typer(rich_markup_mode=None)
accounts_app = typer.Typer(invoke_without_command=True)
app.add_typer(accounts_app, name="accounts")

_ACCOUNTS = (Column("number", "At the bank", Kind.ID), Column("account", "In the books"))

Number = Annotated[str, argument("NUMBER", "Account number, or its end.")]


@list_verb(accounts_app, *_ACCOUNTS)
def list_command(context: Context) -> list[BankAccount]:
    """List the bank accounts, each with its account in the books.

    Example: jara bank accounts list
    """
    return list_accounts(context)


@verb(accounts_app, *_ACCOUNTS, name="set")
def set_command(
    context: Context,
    number: Annotated[str, argument("NUMBER", "Account number.")],
    account: Annotated[str, argument("ACCOUNT", "Account in the books.")],
) -> list[BankAccount]:
    """Set where an account at the bank is booked, before its first statement or after an undo.

    Example: jara bank accounts set DE89370400440532013000 assets:bank
    """
    return [set_account(context, number, account)]


@verb(accounts_app, *_ACCOUNTS, name="remove")
def remove_command(context: Context, number: Number) -> list[BankAccount]:
    """Remove an account at the bank that has no imported lines.

    Example: jara bank accounts remove DE89370400440532013000
    """
    return [remove_account(context, number)]
