"""``jara bank mappings``: how to read a bank's CSV."""

import csv
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer

from jara.documents import Document
from jara.domain.currency import books_currency
from jara.files.bank.csv_mapping import CsvMapping, decimal_sign, delimiter_sign, read_mapping
from jara.files.bank.presets import Preset, read_preset, read_presets
from jara.services.bank import importing
from jara.services.context import Context
from jara_cli.columns import Column, Kind
from jara_cli.options import argument, option
from jara_cli.verbs import Answer, verb

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
    Column("currency", "Currency", rank=1),
)
_CARD = (
    Column("name", "Mapping"),
    *(Column(name, name.replace("_", " ").capitalize()) for name in CsvMapping.__slots__),
)


_FIELDS = frozenset(CsvMapping.__slots__) - {"account"}


def _same(value: object) -> object:
    return value


_READ: Mapping[str, Callable[[Any], object]] = {
    "columns": lambda text: next(csv.reader([text])),
    "decimal": decimal_sign,
    "delimiter": delimiter_sign,
}
"""How the text of an option becomes the field's value, if it is not the value."""


def _column(what: str) -> Any:  # noqa: ANN401 - Typer's class is private
    return typer.Option(metavar="COLUMN", help=f"Column of {what}.")


Account = Annotated[str, option("NUMBER", "Bank account number.")]
Day = Annotated[str | None, _column("the day")]
Amount = Annotated[str | None, _column("the amount, with its sign or with --sign")]
Debit = Annotated[str | None, _column("money out")]
Credit = Annotated[str | None, _column("money in")]
Sign = Annotated[
    str | None, option("COLUMN=WORD", "The amount is money out where COLUMN has WORD.")
]
Text = Annotated[list[str] | None, _column("the payer's text; repeat for several")]
Reference = Annotated[str | None, _column("the bank's reference")]
Party = Annotated[str | None, _column("the other side's name")]
PartyAccount = Annotated[str | None, _column("the other side's account")]
Balance = Annotated[str | None, _column("the balance after a line")]
Currency = Annotated[
    str | None, option("CODE|COLUMN", "Currency of the file, or the column that has it.")
]
Columns = Annotated[str | None, option("A,B,…", "Names the columns of a file without a header.")]
Only = Annotated[
    list[str] | None, option("COLUMN=VALUE", "Leave other rows out; repeat for several.")
]
DateFormat = Annotated[str | None, option("FORMAT", "Such as %d.%m.%Y; several with |.")]
Decimal = Annotated[str | None, option("SIGN", "Decimal sign: point (default) or comma.")]
Delimiter = Annotated[str | None, option("SIGN", "Separator of cells; detected by default.")]
Encoding = Annotated[str | None, option("NAME", "Such as latin-1; detected by default.")]
Skip = Annotated[int | None, option("N", "Lines before the header.", min=0)]
Fee = Annotated[str | None, _column("the charge that was taken off")]
AmountIs = Annotated[str | None, option("gross|net", "Before or after the charge.")]
AccountColumn = Annotated[str | None, _column("our account; rows of others are left out")]
Ignored = Annotated[
    list[str] | None, option("COLUMN", "A column that does not matter; repeatable.", "--ignore")
]
Inverted = Annotated[
    bool | None, typer.Option("--invert/--no-invert", help="Money out has positive amounts.")
]
PresetName = Annotated[str | None, option("NAME", "Start from this preset.")]


@verb(_mappings, *_COLUMNS, name="add")
def add_command(
    context: Context,
    name: Annotated[str, argument("NAME", "Such as the bank's name.")],
    account: Account,
    preset: PresetName = None,
    date: Day = None,
    amount: Amount = None,
    debit: Debit = None,
    credit: Credit = None,
    sign: Sign = None,
    text: Text = None,
    reference: Reference = None,
    party: Party = None,
    party_account: PartyAccount = None,
    balance: Balance = None,
    currency: Currency = None,
    columns: Columns = None,
    only: Only = None,
    date_format: DateFormat = None,
    decimal: Decimal = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    skip: Skip = None,
    fee: Fee = None,
    amount_is: AmountIs = None,
    account_column: AccountColumn = None,
    ignored: Ignored = None,
    inverted: Inverted = None,
) -> Answer:
    """Define how to read a bank's CSV, or replace an existing mapping.

    A preset is a ready-made mapping of a known bank; options replace its fields. A column whose
    name ends with ? may be missing in a file. Rows without a day, such as totals, are left out.

    Examples:
      jara bank mappings add td --preset td --account 1234567
      jara bank mappings add my-bank --account DE89370400440532013000 \\
          --date Date --date-format %d.%m.%Y --amount Amount --decimal comma \\
          --text Purpose --balance Balance --currency USD
      jara bank mappings add other --account 1234567 --columns Day,Text,Kind,Sum \\
          --date Day --text Text --amount Sum --sign Kind=D
    """
    # The parameters are called like the fields of a mapping.
    given: dict[str, Any] = {key: value for key, value in locals().items() if key in _FIELDS}
    fields = {key: _READ.get(key, _same)(one) for key, one in given.items() if one is not None}
    return _add(context, name, account, preset, fields)


def _add(
    context: Context, name: str, account: str, preset: str | None, fields: Mapping[str, object]
) -> Answer:
    if preset is None:
        mapping = read_mapping({**fields, "account": account})
        code = mapping.currency or mapping.named_currency or books_currency()
        mapping = replace(mapping, currency=code)
    else:
        mapping = read_preset(preset, account=account, changes=fields)
    mapping.require_currency(books_currency())
    importing.put_mapping(context, name, mapping.document())
    taken = "" if "currency" in fields else mapping.currency_code
    hint = f"The amounts are in {taken}; otherwise say --currency CODE or COLUMN."
    document = {"name": name, **mapping.document()}
    return Answer([document], view=[_row(document)], hints=[hint] if taken else ())


@verb(_mappings, *_COLUMNS, name="list")
def list_command(context: Context) -> Answer:
    """List the mappings.

    Example: jara bank mappings list
    """
    mappings = importing.read_mappings(context)
    documents = [{"name": name, **document} for name, document in mappings.items()]
    return Answer(documents, view=list(map(_row, documents)))


def _row(document: Document) -> Document:
    """Return a mapping for the table, with both columns of one that divides the amount."""
    pair = (document.get(name) for name in ("debit", "credit"))
    return {**document, "amount": document.get("amount") or ", ".join(filter(None, pair))}


@verb(_mappings, *_CARD, name="show")
def show_command(context: Context, name: Annotated[str, argument("NAME", "Its name.")]) -> Document:
    """Show a mapping: every column and option.

    Example: jara bank mappings show my-bank
    """
    return {"name": name, **read_mapping(importing.find_mapping(context, name)).document()}


@verb(
    _mappings,
    Column("name", "Preset"),
    Column("bank", "Reads", Kind.SENTENCE),
    Column("currency", "Currency"),
    Column("columns", "Columns", Kind.SENTENCE, rank=1),
    name="presets",
)
def presets_command() -> list[Preset]:
    """List the presets: ready-made mappings for the files of known banks.

    Start from one with `jara bank mappings add --preset`.

    Example: jara bank mappings presets
    """
    return read_presets()


@verb(_mappings, Column("removed", "Removed"), name="remove")
def remove_command(
    context: Context, name: Annotated[str, argument("NAME", "Its name.")]
) -> Document:
    """Remove a mapping; imported lines stay.

    Example: jara bank mappings remove my-bank
    """
    importing.remove_mapping(context, name)
    return {"removed": name}
