"""``jara payments``: payments received, refunds, and ways to pay without a card."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.books.payment_state import PaymentState
from jara.domain.dates import parse_period
from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PLEDGE_LIMITS
from jara.domain.money import format_cents, parse_cents
from jara.records.operations import Approval
from jara.records.payments import PaymentLine, PaymentQuery
from jara.services.context import Context
from jara.services.payments import receiving, vouching
from jara.services.payments.listing import find_payments, show_payment
from jara.services.payments.refunding import refund_payment
from jara.services.payments.vouching import describe_waiting_vote
from jara_cli.columns import Column, Kind
from jara_cli.commands.payments import ways
from jara_cli.exits import ExitCode
from jara_cli.options import (
    Limit,
    PaidFrom,
    PeriodOptions,
    Why,
    Yes,
    confirm,
)
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import overdrawn_notes, waiting

app = typer.Typer(no_args_is_help=True)
app.add_typer(ways.app, name="ways")

Payment = Annotated[
    str, typer.Argument(metavar="PAYMENT", help="Id of the charge or of its entry.")
]

_PAYMENTS = [
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
_CARD = [*_PAYMENTS, Column("description", "Description"), Column("reference", "Reference")]
REFUND = [
    Column("id", "Refund"),
    Column("charge", "Charge"),
    Column("cents", "Amount", Kind.CENTS),
]
_RECEIVED = [
    Column("id", "Entry", Kind.ID),
    Column("date", "Date", Kind.DATE),
    Column("cents", "Amount", Kind.CENTS),
    Column("way", "Way"),
]
_LATER = [
    Column("date", "Date", Kind.DATE),
    Column("entry", "Entry", Kind.ID),
    Column("kind", "Kind"),
    Column("description", "Description"),
]


@verb(app, *_PAYMENTS, name="list")
def show_all(
    context: Context,
    days: PeriodOptions,
    member: Annotated[
        str | None,
        typer.Argument(metavar="[MEMBER]", help="Only of this member: email, id or a prefix."),
    ] = None,
    of_member: Annotated[
        str | None, typer.Option("--member", metavar="MEMBER", help="The same, as an option.")
    ] = None,
    state: Annotated[
        list[PaymentState] | None, typer.Option("--state", help="Only in this state.")
    ] = None,
    search: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Any part of a name, address, reference or id."),
    ] = None,
    limit: Limit = 100,
) -> Answer:
    """List payments received, newest first, with their current state.

    \b
    Examples:
      jara payments list ama@example.org
      jara payments list --since 2026-11
      jara payments list --month last-month --state refunded --state disputed
    """
    period = days.choose(today=context.today())
    query = PaymentQuery(
        states=tuple(state or ()),
        text=search,
        first_day=None if period is None else period.first,
        last_day=None if period is None else period.last,
        limit=limit + 1,  # one extra row shows whether there are more
    )
    if member is not None and of_member is not None:
        raise InvalidInput("Name the member once: as an argument, or with --member.")
    lines = find_payments(context, query, member=member or of_member)
    more = f"There are more than {limit}; show more with --limit."
    return Answer(
        [_payment_document(line) for line in lines[:limit]],
        notes=[more] if len(lines) > limit else (),
    )


@verb(app)
def show(
    context: Context,
    payment: Payment,
) -> Answer:
    """Show one payment: who paid, what each fund got, refunds and disputes.

    \b
    Example:
      jara payments show e4c1
    """
    story = show_payment(context, payment)
    parts = story.line.record.parts
    later = [
        {
            "date": posted.entry.day,
            "entry": posted.id,
            "kind": posted.entry.kind,
            "description": posted.entry.description,
        }
        for posted in story.later
    ]
    document = {**_payment_document(story.line), "funds": parts, "later": later}
    return Answer(
        document,
        view=document | {fund.value: cents for fund, cents in parts.items()},
        columns=[*_CARD, *(Column(fund, f"To {fund}", Kind.CENTS) for fund in parts)],
        tables=[Table("What happened to it:", later, _LATER)],
    )


@verb(app, *REFUND)
def refund(
    context: Context,
    payment: Payment,
    why: Why,
    cents: Annotated[
        int | None,
        typer.Option(
            "--amount",
            metavar="AMOUNT",
            parser=parse_cents,
            help="Default: the rest of the payment.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Idempotency key: the same key never refunds twice."),
    ] = None,
    paid_from: PaidFrom = None,
    yes: Yes = False,
) -> Answer:
    """Refund a payment, in full or in part, and book it.

    A refund by transfer or in cash leaves the account that the payment came to, or --from.

    Repeating the command before the first refund is booked does not refund twice. In scripts,
    give each refund its own --key.

    \b
    Examples:
      jara payments refund e4c1 --why "paid twice" --yes
      jara pledges refund ch_3Nq… --amount 4.00 --why "agreed" --key case-17 --yes
    """
    if not yes:
        confirm(_question(context, payment, cents), yes=False)
    done = refund_payment(context, payment, cents=cents, why=why, key=key, paid_from=paid_from)
    if isinstance(done, Approval):
        return waiting(done)
    document = {"id": done.refund_id, "charge": done.charge_id, "cents": done.cents}
    return Answer(document, notes=overdrawn_notes(context, done.refund_id))


@verb(
    app,
    Column("reference", "Reference"),
    Column("subscriptionAmount", "A month", Kind.UNITS),
    Column("way", "Way"),
    Column("pledgeStatus", "State"),
    Column("coveredUntil", "Paid until", Kind.DATE),
)
def promise(
    context: Context,
    member: Annotated[
        str, typer.Argument(metavar="MEMBER", help="Email, id or a prefix of either.")
    ],
    dollars: Annotated[
        str, typer.Argument(metavar="AMOUNT", help=f"Whole amount a month, {PLEDGE_LIMITS}.")
    ],
    way: Annotated[
        PaymentWay, typer.Option("--way", help="How the member will pay.")
    ] = PaymentWay.TRANSFER,
) -> Document:
    """Record a pledge paid without a card; the member writes its reference on each payment.

    A promise gives no right to vote. A payment does, for the months it covers and 14 more days.

    \b
    Example:
      jara payments promise ama@example.org 10 --way transfer
    """
    pledge = receiving.promise(context, member, dollars=dollars, way=way)
    return {
        "reference": print_reference(pledge.reference or ""),
        "subscriptionAmount": pledge.dollars,
        "way": pledge.way,
        "pledgeStatus": pledge.state,
        "coveredUntil": pledge.next_charge_on,
    }


@verb(app, *_RECEIVED)
def receive(
    context: Context,
    payer: Annotated[
        str, typer.Argument(metavar="REFERENCE|MEMBER", help="The reference, or the member.")
    ],
    cents: Annotated[
        int, typer.Argument(metavar="AMOUNT", parser=parse_cents, help="Such as 10 or 10.50.")
    ],
    day: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="Day of receipt; default: today.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--id", metavar="TEXT", help="Such as a receipt number; posted only once."),
    ] = None,
    way: Annotated[
        PaymentWay | None,
        typer.Option("--way", help="How it was paid; default: the way of the pledge."),
    ] = None,
    yes: Yes = False,
) -> Answer:
    """Book a member's payment: in cash, by cheque, by mobile money, or by transfer.

    `jara bank import` books transfers too; it then matches the line with this entry. You are asked
    if one of this day and amount is booked. If operators have keys, its vote waits for approval.

    \b
    Examples:
      jara payments receive J7K3-QXW2 10 --id "receipt 118"
      jara payments receive ama@example.org 30 --date 2026-11-02 --way cash
    """
    when = None if day is None else parse_period(day, today=context.today()).first
    earlier = None if yes else receiving.equal_payment(context, payer, cents, day=when)
    if earlier is not None:
        paid = f"{format_cents(cents)} by {payer} on {earlier.entry.day}"
        confirm(f"{paid} is booked already, as {earlier.id}. Book another one?", yes=False)
    posted, waits_as = receiving.receive(context, payer, cents, day=when, name=name, way=way)
    booked = {"id": posted.id, "date": posted.entry.day, "cents": cents}
    document = {**booked, "way": posted.entry.source}
    if waits_as is None:
        return Answer(document)
    return Answer(
        {**document, "approval": waits_as.id, "state": waits_as.state},
        columns=[*_RECEIVED, Column("approval", "Vote waits as")],
        notes=[describe_waiting_vote(waits_as)],
        error=typer.Exit(ExitCode.WAITING),
    )


@verb(app, *_RECEIVED)
def vouch(context: Context, payment: Payment, why: Why) -> Answer:
    """Ask another operator to confirm a payment that was booked by hand or from a file.

    Until then, or until a bank statement or the provider shows it, it gives its payer no vote.
    `jara payments receive` asks automatically.

    \b
    Example:
      jara payments vouch 7k3qxw2a --why "cash book of May, page 3"
    """
    done = vouching.vouch(context, payment, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return Answer({"id": payment, "date": done.day, "cents": done.cents, "way": done.way})


def _question(context: Context, payment: str, cents: int | None) -> str:
    """Return the question to confirm: the refund, the payment and who paid it."""
    line = show_payment(context, payment).line
    paid = line.record
    amount = paid.cents - paid.returned_cents if cents is None else cents
    giver = f" by {line.name}" if line.name else ""
    whole = f"{format_cents(paid.cents)} paid on {paid.day}{giver}"
    return f"Refund {format_cents(amount)} of the {whole}?"


def _payment_document(line: PaymentLine) -> Document:
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
        "state": record.state,
        "charge": record.source_id,
        "description": line.description,
        "reference": line.reference,
    }
