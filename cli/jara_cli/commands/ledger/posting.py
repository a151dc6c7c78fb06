"""The commands of ``jara ledger`` that post an entry."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import typer

from jara.domain.books.account import parse_fund
from jara.domain.books.journal import PostedEntry
from jara.domain.books.years import require_near
from jara.domain.dates import parse_period
from jara.domain.errors import InvalidInput
from jara.domain.money import parse_cents
from jara.records.operations import Approval
from jara.services.books.bank_charges import post_bank_charge
from jara.services.books.bookkeeping import (
    move_between_funds,
    post_entry,
    return_payment,
    reverse_entry,
)
from jara.services.books.entry_documents import read_entry
from jara.services.context import Context
from jara_cli.commands.ledger.documents import POSTINGS
from jara_cli.commands.ledger.entry_input import guess_kind, read_entry_document
from jara_cli.context import open_application
from jara_cli.inputs import naming
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note
from jara_cli.waiting import exit_waiting

app = typer.Typer(rich_markup_mode=None)

Day = Annotated[str | None, typer.Option("--date", metavar="DATE", help="Date; default: today.")]
Description = Annotated[
    str | None, typer.Option("--description", metavar="TEXT", help="Free text.")
]
Reference = Annotated[
    str | None,
    typer.Option("--reference", metavar="TEXT", help="What it belongs to, such as a slug."),
]
ExternalId = Annotated[
    str | None,
    typer.Option("--external-id", metavar="ID", help="Id in another system; posted only once."),
]
Amount = Annotated[
    int, typer.Argument(metavar="AMOUNT", parser=parse_cents, help="Dollars: 10, 10.50.")
]
Source = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="YAML or JSON with the entry; - is standard input."),
]
Postings = Annotated[
    list[str] | None,
    typer.Option(
        "--posting",
        metavar='"ACCOUNT FUND AMOUNT"',
        help="One posting, debits positive; two or more.",
    ),
]
Debit = Annotated[
    str | None,
    typer.Option("--debit", metavar="ACCOUNT", help="Account to debit: where the money goes."),
]
Credit = Annotated[
    str | None,
    typer.Option("--credit", metavar="ACCOUNT", help="Account to credit: where money comes from."),
]
FundName = Annotated[str | None, typer.Option("--fund", help="Fund of both postings.")]
AmountText = Annotated[
    str | None, typer.Option("--amount", metavar="AMOUNT", help="Dollars: 10, 10.50.")
]
Future = Annotated[bool, typer.Option("--future", help="Allow a date more than 7 days ahead.")]
KindName = Annotated[str | None, typer.Option("--kind", help="Such as salary, expense or grant.")]
Entry = Annotated[str, typer.Argument(metavar="ENTRY", help="Id, or its first characters.")]


@app.command("post")
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
    future: Future = False,
    as_json: JsonFlag = False,
) -> None:
    """Post an entry from a file or from options.

    A file contains {date, kind, description, reference, postings: [{account, fund, amount}]}.

    \b
    Examples:
      jara ledger post rent.yaml
      jara ledger post --debit expenses:operations --credit assets:bank \\
          --fund other --amount 12.50 --description "Domain name"
      jara ledger post --posting "assets:bank other -5.00" \\
          --posting "expenses:fees:bank other 5.00"
    """
    context = open_application(ctx).context
    pair = {"--debit": debit, "--credit": credit, "--fund": fund, "--amount": amount}
    document = read_entry_document(source, posting or [], pair)
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
            document.setdefault("kind", guess_kind(document, context))
        entry = read_entry(document, today=context.today())
        posted = post_entry(context, entry, future=future)
    _emit_posted(posted, as_json=as_json)


@app.command("reverse")
def reverse_command(
    ctx: typer.Context,
    entry: Entry,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason.")],
    day: Day = None,
    as_json: JsonFlag = False,
) -> None:
    """Reverse an entry with a new one of opposite signs.

    \b
    Example:
      jara ledger reverse rsty2ynocrfsabcd --why "Booked twice."
    """
    context = open_application(ctx).context
    when = None if day is None else _near_day(context, day)
    _emit_posted(reverse_entry(context, entry, why=why, day=when), as_json=as_json)


@app.command("return")
def return_command(
    ctx: typer.Context,
    entry: Entry,
    cost: Amount,
    received: Annotated[
        str | None,
        typer.Option(
            "--received", metavar="AMOUNT", help="Amount the bank received, if different."
        ),
    ] = None,
    day: Day = None,
    description: Description = None,
    as_json: JsonFlag = False,
) -> None:
    """Book money that a payee sent back, at the amount first booked for it.

    \b
    Example:
      jara ledger return rsty2ynocrfsabcd 400 --received 396.80
    """
    context = open_application(ctx).context
    posted = return_payment(
        context,
        entry,
        cost_cents=cost,
        received_cents=cost if received is None else parse_cents(received),
        day=None if day is None else _near_day(context, day),
        note=description,
    )
    _emit_posted(posted, as_json=as_json)


@app.command("transfer")
def transfer_command(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FROM", help="Source fund.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="Target fund.")],
    amount: Amount,
    day: Day = None,
    description: Description = None,
    as_json: JsonFlag = False,
) -> None:
    """Transfer free money from one fund to another.

    \b
    Example:
      jara ledger transfer other staff 25 --description "Covers the fees of March"
    """
    context = open_application(ctx).context
    posted = move_between_funds(
        context,
        source=parse_fund(source),
        target=parse_fund(target),
        cents=amount,
        day=None if day is None else _near_day(context, day),
        note=description,
    )
    _emit_posted(posted, as_json=as_json)


@app.command("bank-charge")
def bank_charge_command(
    ctx: typer.Context,
    amount: Amount,
    day: Day = None,
    description: Description = None,
    external_id: ExternalId = None,
    as_json: JsonFlag = False,
) -> None:
    """Book a bank charge; the funds that pay card fees pay it.

    \b
    Example:
      jara ledger bank-charge 12.00 --date 2026-11-30
    """
    context = open_application(ctx).context
    posted = post_bank_charge(
        context,
        cents=amount,
        day=None if day is None else _near_day(context, day),
        external_id=external_id,
        note=description,
    )
    _emit_posted(posted, as_json=as_json)


def _day(context: Context, text: str) -> date:
    period = parse_period(text, today=context.today())
    if period.first != period.last:
        raise InvalidInput(f"'{text}' is not a single day; write it like 2026-11-20.")
    return period.first


def _near_day(context: Context, text: str) -> date:
    day = _day(context, text)
    require_near(day, today=context.today())
    return day


def _emit_posted(done: PostedEntry | Approval, *, as_json: bool) -> None:
    """Show an entry that was posted, or the approval it needs."""
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    document = _posted_document(done)
    if not as_json:
        note(f"Posted {done.id} on {done.entry.day}.")
    emit(document, as_json=as_json, columns=POSTINGS, rows=document["postings"])


def _posted_document(posted: PostedEntry) -> dict[str, Any]:
    """Return what ``jara ledger post`` prints."""
    return {
        "id": posted.id,
        "index": posted.index,
        "date": posted.entry.day,
        "postings": [
            {"account": p.account, "fund": p.fund, "cents": p.cents} for p in posted.entry.postings
        ],
    }
