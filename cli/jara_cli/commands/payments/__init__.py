"""``jara payments``: list, show and refund payments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.domain.books.payment_state import PaymentState
from jara.records.payments import PaymentLine, PaymentQuery
from jara.services.payments.listing import find_payments, show_payment
from jara_cli.columns import Column, Kind
from jara_cli.commands.payments.refunds import refund
from jara_cli.commands.payments.ways import promise, receive, ways
from jara_cli.context import open_application
from jara_cli.dates import choose_period
from jara_cli.options import FromDay, JsonFlag, Limit, Month, ToDay, Year
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)

COLUMNS = [
    Column("date", "Date", Kind.DATE),
    Column("entry", "Payment", Kind.ID),
    Column("name", "Name", rank=1),
    Column("email", "Email"),
    Column("kind", "Kind", rank=2),
    Column("amountCents", "Amount", Kind.CENTS),
    Column("returnedCents", "Returned", Kind.CENTS, rank=1),
    Column("state", "State"),
    Column("charge", "Charge", Kind.ID, rank=3),
]
_CARD = [*COLUMNS, Column("description", "Description"), Column("reference", "Reference")]
_LATER = [
    Column("date", "Date", Kind.DATE),
    Column("entry", "Entry", Kind.ID),
    Column("kind", "Kind"),
    Column("description", "Description"),
]


@app.command("list")
def show_all(
    ctx: typer.Context,
    member: Annotated[
        str | None,
        typer.Argument(metavar="[MEMBER]", help="Only of this member: email, id or a prefix."),
    ] = None,
    state: Annotated[
        list[PaymentState] | None, typer.Option("--state", help="Only in this state.")
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Any part of a name, address, reference or id."),
    ] = None,
    from_day: FromDay = None,
    to_day: ToDay = None,
    month: Month = None,
    year: Year = None,
    limit: Limit = 100,
    as_json: JsonFlag = False,
) -> None:
    """List payments received, newest first, with their current state.

    \b
    Examples:
      jara payments list ama@example.org
      jara payments list --since 2026-11
      jara payments list --month last-month --state refunded --state disputed
    """
    context = open_application(ctx, any_mode=True).context
    period = choose_period(
        from_day=from_day, to_day=to_day, month=month, year=year, today=context.today()
    )
    query = PaymentQuery(
        states=tuple(state or ()),
        text=search,
        first_day=None if period is None else period.first,
        last_day=None if period is None else period.last,
        limit=limit + 1,  # one extra row shows whether there are more
    )
    found = find_payments(context, query, member=member)
    emit([payment_document(line) for line in found[:limit]], as_json=as_json, columns=COLUMNS)
    if len(found) > limit:
        note(f"There are more than {limit}; show more with --limit.")


@app.command()
def show(
    ctx: typer.Context,
    payment: Annotated[
        str, typer.Argument(metavar="PAYMENT", help="Id of the charge or of its entry.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Show one payment: who paid, what each fund got, refunds and disputes.

    \b
    Example:
      jara payments show e4c1
    """
    story = show_payment(open_application(ctx, any_mode=True).context, payment)
    parts = {fund.value: cents for fund, cents in story.line.record.parts.items()}
    later = [
        {
            "date": posted.entry.day,
            "entry": posted.id,
            "kind": posted.entry.kind.value,
            "description": posted.entry.description,
        }
        for posted in story.later
    ]
    document = {**payment_document(story.line), "funds": parts, "later": later}
    shares = [Column(fund, f"To {fund}", Kind.CENTS) for fund in parts]
    shown = document if as_json else {**document, **parts}
    emit(shown, as_json=as_json, columns=[*_CARD, *shares])
    if later and not as_json:
        note("What happened to it:")
        emit(later, as_json=False, columns=_LATER)


app.command()(refund)
app.command()(promise)
app.command()(receive)
app.add_typer(ways, name="ways")


def payment_document(line: PaymentLine) -> dict[str, Any]:
    """Return a payment as ``--json`` shows it."""
    record = line.record
    return {
        "entry": line.entry,
        "date": record.day,
        "kind": record.kind,
        "name": line.name,
        "email": line.email,
        "amountCents": record.cents,
        "returnedCents": record.returned_cents,
        "state": record.state.value,
        "charge": record.source_id,
        "description": line.description,
        "reference": line.reference,
    }
