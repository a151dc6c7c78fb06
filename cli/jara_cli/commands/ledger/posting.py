"""The commands of ``jara ledger`` that post one entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara.domain.money import parse_cents
from jara_cli.context import open_application
from jara_cli.options import JsonFlag

if TYPE_CHECKING:
    from datetime import date

    from jara.services.context import Context

_WORDS = 3

Day = Annotated[str | None, typer.Option("--date", metavar="DATE", help="The day; else today.")]
Description = Annotated[
    str | None, typer.Option("--description", metavar="TEXT", help="Your own words.")
]
Reference = Annotated[
    str | None,
    typer.Option("--reference", metavar="TEXT", help="What it belongs to, such as a slug."),
]
ExternalId = Annotated[
    str | None,
    typer.Option("--external-id", metavar="ID", help="An outside id; posted once."),
]
Amount = Annotated[
    int, typer.Argument(metavar="AMOUNT", parser=parse_cents, help="Dollars: 10, 10.50.")
]
Source = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="YAML or JSON with the entry; - reads stdin."),
]
Postings = Annotated[
    list[str] | None,
    typer.Option("--posting", metavar='"ACCOUNT FUND AMOUNT"', help="Debit positive; two or more."),
]
Debit = Annotated[str | None, typer.Option("--debit", metavar="ACCOUNT", help="Where money goes.")]
Credit = Annotated[
    str | None, typer.Option("--credit", metavar="ACCOUNT", help="Where it comes from.")
]
FundName = Annotated[str | None, typer.Option("--fund", help="Whose money it is.")]
AmountText = Annotated[
    str | None, typer.Option("--amount", metavar="AMOUNT", help="Dollars: 10, 10.50.")
]
KindName = Annotated[str | None, typer.Option("--kind", help="Such as salary, expense or grant.")]
Entry = Annotated[str, typer.Argument(metavar="ENTRY", help="Its id, or the beginning.")]


def post_command(
    ctx: typer.Context,
    source: Source = None,
    posting: Postings = None,
    debit: Debit = None,
    credit: Credit = None,
    fund: FundName = None,
    amount: AmountText = None,
    kind: KindName = None,
    day: Day = None,
    description: Description = None,
    reference: Reference = None,
    external_id: ExternalId = None,
    as_json: JsonFlag = False,
) -> None:
    """Post an entry, from a file or from options.

    A file holds {date, kind, description, reference, postings: [{account, fund, amount}]}.

    \b
    Examples:
      jara ledger post rent.yaml
      jara ledger post --debit expenses:operations --credit assets:bank --fund other \\
          --amount 12.50 --description "Domain name"
      jara ledger post --posting "assets:bank other -5.00" \\
          --posting "expenses:fees:bank other 5.00"
    """
    from jara.services.books.bookkeeping import post_entry
    from jara.services.books.entry_documents import read_entry
    from jara_cli.commands.ledger.documents import emit_posted
    from jara_cli.inputs import naming

    context = open_application(ctx).context
    pair = {"--debit": debit, "--credit": credit, "--fund": fund, "--amount": amount}
    document = _read_document(source, posting or [], pair)
    said = {
        "date": None if day is None else _day(context, day).isoformat(),
        "kind": kind,
        "description": description,
        "reference": reference,
        "externalId": external_id,
    }
    with naming(source):
        if isinstance(document, dict):
            document |= {key: text for key, text in said.items() if text is not None}
            document.setdefault("kind", _guess_kind(document, context))
        entry = read_entry(document, today=context.today())
        posted = post_entry(context, entry)
    emit_posted(posted, as_json=as_json)


def reverse_command(
    ctx: typer.Context,
    entry: Entry,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    day: Day = None,
    as_json: JsonFlag = False,
) -> None:
    """Undo an entry by a new one with opposite signs.

    \b
    Example:
      jara ledger reverse rsty2ynocrfsabcd --why "Booked twice."
    """
    from jara.services.books.bookkeeping import reverse_entry
    from jara_cli.commands.ledger.documents import emit_posted

    context = open_application(ctx).context
    when = None if day is None else _day(context, day)
    emit_posted(reverse_entry(context, entry, why=why, day=when), as_json=as_json)


def return_command(
    ctx: typer.Context,
    entry: Entry,
    cost: Amount,
    received: Annotated[
        str | None,
        typer.Option("--received", metavar="AMOUNT", help="What the bank got, if not the same."),
    ] = None,
    day: Day = None,
    description: Description = None,
    as_json: JsonFlag = False,
) -> None:
    """Book what a payee sent back of a payment, at the cost it was booked with.

    \b
    Example:
      jara ledger return rsty2ynocrfsabcd 400 --received 396.80
    """
    from jara.services.books.bookkeeping import return_payment
    from jara_cli.commands.ledger.documents import emit_posted

    context = open_application(ctx).context
    posted = return_payment(
        context,
        entry,
        cost_cents=cost,
        received_cents=cost if received is None else parse_cents(received),
        day=None if day is None else _day(context, day),
        note=description,
    )
    emit_posted(posted, as_json=as_json)


def transfer_command(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="The fund that gives.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The fund that gets.")],
    amount: Amount,
    day: Day = None,
    description: Description = None,
    as_json: JsonFlag = False,
) -> None:
    """Move free money from one fund to another.

    \b
    Example:
      jara ledger transfer other staff 25 --description "Covers the fees of March"
    """
    from jara.domain.books.account import parse_fund
    from jara.services.books.bookkeeping import move_between_funds
    from jara_cli.commands.ledger.documents import emit_posted

    context = open_application(ctx).context
    posted = move_between_funds(
        context,
        source=parse_fund(source),
        target=parse_fund(target),
        cents=amount,
        day=None if day is None else _day(context, day),
        note=description,
    )
    emit_posted(posted, as_json=as_json)


def bank_charge_command(
    ctx: typer.Context,
    amount: Amount,
    day: Day = None,
    description: Description = None,
    external_id: ExternalId = None,
    as_json: JsonFlag = False,
) -> None:
    """Book the bank's own charge, borne by the funds that bear the card fees.

    \b
    Example:
      jara ledger bank-charge 12.00 --date 2026-11-30
    """
    from jara.services.books.bookkeeping import post_bank_charge
    from jara_cli.commands.ledger.documents import emit_posted

    context = open_application(ctx).context
    posted = post_bank_charge(
        context,
        cents=amount,
        day=None if day is None else _day(context, day),
        external_id=external_id,
        note=description,
    )
    emit_posted(posted, as_json=as_json)


def _read_document(
    source: str | None,
    postings: list[str],
    pair: dict[str, str | None],
) -> object:
    """Read the entry from the one place where it was given."""
    from jara.domain.errors import InvalidInput

    given = [source is not None, bool(postings), any(v is not None for v in pair.values())]
    if sum(given) != 1:
        raise InvalidInput(
            "Give a file, or --posting twice or more, or --debit, --credit, --fund and --amount."
        )
    if source is not None:
        return _read_file(source)
    if postings:
        return {"postings": [_read_posting(text) for text in postings]}
    return {"postings": _read_pair(pair)}


def _day(context: Context, text: str) -> date:
    from jara.domain.errors import InvalidInput
    from jara_cli.dates import parse_period

    period = parse_period(text, today=context.today())
    if period.first != period.last:
        raise InvalidInput(f"'{text}' is no single day; write it like 2026-11-20.")
    return period.first


def _read_file(source: str) -> object:
    """Read the one document of a file, or of standard input."""
    from jara.files.content_files import FILE_BYTES_MAX, read_document
    from jara_cli.inputs import name_input, open_input

    with open_input(source) as stream:
        data = stream.read(FILE_BYTES_MAX + 1)
    return read_document(data, name_input(source))


def _read_posting(text: str) -> dict[str, str]:
    from jara.domain.errors import InvalidInput

    words = text.split()
    if len(words) != _WORDS:
        raise InvalidInput(f"'{text}' is no posting like 'assets:bank staff -12.50'.")
    return dict(zip(("account", "fund", "amount"), words, strict=True))


def _read_pair(pair: dict[str, str | None]) -> list[dict[str, object]]:
    from jara.domain.errors import InvalidInput

    missing = [name for name, value in pair.items() if value is None]
    if missing:
        raise InvalidInput(f"{', '.join(missing)} is missing beside the others.")
    cents = parse_cents(pair["--amount"] or "")
    return [
        {"account": pair["--debit"], "fund": pair["--fund"], "cents": cents},
        {"account": pair["--credit"], "fund": pair["--fund"], "cents": -cents},
    ]


def _guess_kind(document: dict[str, Any], context: Context) -> str:
    """Tell the kind from the accounts, as files that do not name it."""
    from jara.files.ledger.file_entry import kind_by_accounts
    from jara.services.books.entry_documents import read_entry

    return kind_by_accounts(read_entry(document, today=context.today()).postings).value
