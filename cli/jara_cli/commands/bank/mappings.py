"""``jara bank mappings``: how to read a bank's CSV."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.documents import Document
from jara.files.bank.csv_statement import CsvMapping, decimal_sign
from jara.services.bank import importing
from jara.services.context import Context
from jara_cli.columns import Column
from jara_cli.verbs import verb

app = typer.Typer(rich_markup_mode=None)
_mappings = typer.Typer(no_args_is_help=True, help="Define how to read a bank's CSV.")
app.add_typer(_mappings, name="mappings")

_COLUMNS = (
    Column("name", "Mapping"),
    Column("account", "Account"),
    Column("date", "Date"),
    Column("amount", "Amount"),
    Column("text", "Text", rank=1),
    Column("date_format", "Date format", rank=1),
    Column("encoding", "Encoding", rank=2),
)


def _column(what: str) -> Any:  # noqa: ANN401 - Typer's class is private
    return typer.Option(metavar="COLUMN", help=f"Column of {what}.")


Account = Annotated[str, typer.Option("--account", metavar="NUMBER", help="Bank account number.")]
Day = Annotated[str, _column("the day")]
Amount = Annotated[str, _column("the amount, with its sign")]
Debit = Annotated[str, _column("money out")]
Credit = Annotated[str, _column("money in")]
Text = Annotated[list[str] | None, _column("the payer's text; repeat for several")]
Reference = Annotated[str, _column("the bank's reference")]
Party = Annotated[str, _column("the other side's name")]
PartyAccount = Annotated[str, _column("the other side's account")]
Balance = Annotated[str, _column("the balance after a line")]
Currency = Annotated[str, _column("the currency")]
DateFormat = Annotated[str, typer.Option(metavar="FORMAT", help="Such as %d.%m.%Y.")]
Decimal = Annotated[str, typer.Option(metavar="SIGN", help="Decimal sign: point or comma.")]
Delimiter = Annotated[str, typer.Option(metavar="SIGN", help="Separator of cells: , ; or tab.")]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="Such as utf-8 or latin-1.")]
Skip = Annotated[int, typer.Option(metavar="N", min=0, help="Lines before the header.")]


@verb(_mappings, *_COLUMNS, name="add")
def add_command(
    context: Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Such as the bank's name.")],
    account: Account,
    date: Day,
    amount: Amount = "",
    debit: Debit = "",
    credit: Credit = "",
    text: Text = None,
    reference: Reference = "",
    party: Party = "",
    party_account: PartyAccount = "",
    balance: Balance = "",
    currency: Currency = "",
    date_format: DateFormat = "%Y-%m-%d",
    decimal: Decimal = "point",
    delimiter: Delimiter = ",",
    encoding: Encoding = "utf-8",
    skip: Skip = 0,
) -> list[Document]:
    """Define how to read a bank's CSV, or replace an existing mapping.

    \b
    Example:
      jara bank mappings add my-bank --account DE89370400440532013000 \\
          --date Date --date-format %d.%m.%Y --amount Amount --decimal comma \\
          --text Purpose --balance Balance --delimiter ";" --encoding latin-1
    """
    mapping = CsvMapping(
        account=account,
        date=date,
        amount=amount,
        debit=debit,
        credit=credit,
        text=tuple(text or ()),
        reference=reference,
        party=party,
        party_account=party_account,
        balance=balance,
        currency=currency,
        date_format=date_format,
        decimal=decimal_sign(decimal),
        delimiter="\t" if delimiter == "tab" else delimiter,
        encoding=encoding,
        skip=skip,
    )
    importing.put_mapping(context, name, mapping.document())
    return [{"name": name, **mapping.document()}]


@verb(_mappings, *_COLUMNS, name="list", any_mode=True)
def list_command(context: Context) -> list[Document]:
    """List the mappings.

    \b
    Example:
      jara bank mappings list
    """
    mappings = importing.read_mappings(context)
    return [{"name": name, **document} for name, document in mappings.items()]


@verb(_mappings, Column("removed", "Removed"), name="remove")
def remove_command(
    context: Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
) -> Document:
    """Remove a mapping; imported lines stay.

    \b
    Example:
      jara bank mappings remove my-bank
    """
    importing.remove_mapping(context, name)
    return {"removed": name}
