"""``jara bank mappings``: how to read a bank's CSV."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.files.bank.csv_statement import CsvMapping, decimal_sign
from jara.services.bank import importing
from jara_cli.columns import Column
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit

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


@_mappings.command("add")
def add_command(
    ctx: typer.Context,
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
    as_json: JsonFlag = False,
) -> None:
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
    importing.put_mapping(open_application(ctx).context, name, mapping.document())
    emit([{"name": name, **mapping.document()}], as_json=as_json, columns=_COLUMNS)


@_mappings.command("list")
def list_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the mappings.

    \b
    Example:
      jara bank mappings list
    """
    found = importing.read_mappings(open_application(ctx, any_mode=True).context)
    rows = [{"name": name, **document} for name, document in found.items()]
    emit(rows, as_json=as_json, columns=_COLUMNS)


@_mappings.command("remove")
def remove_command(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Its name.")],
    as_json: JsonFlag = False,
) -> None:
    """Remove a mapping; imported lines stay.

    \b
    Example:
      jara bank mappings remove my-bank
    """
    importing.remove_mapping(open_application(ctx).context, name)
    emit({"removed": name}, as_json=as_json, columns=[Column("removed", "Removed")])
