"""``jara payments``: payments received, refunds, and ways to pay without a card."""

from datetime import date
from functools import partial
from typing import Annotated, NamedTuple

import typer

from jara.documents import Document
from jara.domain.books.payment_state import PaymentState
from jara.domain.dates import parse_period
from jara.domain.errors import InvalidInput
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PLEDGE_LIMITS, Pledge
from jara.domain.money import format_cents, parse_cents
from jara.domain.texts import count_of
from jara.files.people.promises import read_promises
from jara.files.reading import unused_note
from jara.records.operations import Approval
from jara.records.payments import PaymentLine, PaymentQuery
from jara.services.context import Context
from jara.services.members.accounts import find_member
from jara.services.payments import promising, receiving, vouching
from jara.services.payments.listing import equal_gift, find_payments, show_payment
from jara.services.payments.receiving import Giver
from jara.services.payments.refunding import Refunded, refund_payment
from jara.services.payments.vouching import describe_waiting_vote
from jara_cli.columns import Column, Kind
from jara_cli.commands.members.moving import Encoding, opened_table
from jara_cli.commands.payments import ways
from jara_cli.exits import ExitCode
from jara_cli.inputs import name_input
from jara_cli.options import (
    Limit,
    PaidFrom,
    PeriodOptions,
    Why,
    Yes,
    argument,
    confirm,
    flag,
    option,
)
from jara_cli.papers import PaperOptions
from jara_cli.verbs import Answer, Table, verb
from jara_cli.waiting import entry_notes, waiting, with_number

app = typer.Typer(no_args_is_help=True)
app.add_typer(ways.app, name="ways")
app.add_typer(ways.gifts, name="gifts")

Payment = Annotated[str, argument("PAYMENT", "Id of the charge or of its entry.")]
ReturnedAmount = Annotated[
    int | None,
    option("AMOUNT", "Default: the rest of the payment.", "--amount", parser=parse_cents),
]
OutsideId = Annotated[
    str | None, option("TEXT", "Such as a receipt number; posted only once.", "--id")
]
GivenWay = Annotated[
    PaymentWay | None, typer.Option(help="How it was paid; default: the way of the pledge or gift.")
]
GiverName = Annotated[
    str | None, option("NAME", "A gift of somebody without an account.", "--from")
]
GiverAddress = Annotated[str | None, option("ADDRESS", "With --from: where the receipt goes.")]

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
_REFUND = [
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
_PROMISE = [
    Column("reference", "Reference"),
    Column("subscriptionAmount", "A month", Kind.UNITS),
    Column("way", "Way"),
    Column("pledgeStatus", "State"),
    Column("coveredUntil", "Paid until", Kind.DATE),
]
_FILE_ROW = [
    Column("line", "Line", Kind.COUNT),
    Column("member", "Member"),
    Column("result", "Result"),
]
_FILE_PROMISES = [*_FILE_ROW, *_PROMISE[:3]]
_FILE_FAULTS = [*_FILE_ROW, Column("reason", "Why", Kind.SENTENCE)]
_PROMISED = "Who has an email address gets one about how to pay; to send it now: jara mail send"
_UNTOLD = "Without an email address they hear nothing: tell {} the reference, and how to pay."
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
        str | None, argument("[MEMBER]", "Only of this member: email, id or a prefix.")
    ] = None,
    of_member: Annotated[
        str | None, option("MEMBER", "The same, as an option.", "--member")
    ] = None,
    state: Annotated[list[PaymentState] | None, typer.Option(help="Only in this state.")] = None,
    search: Annotated[
        str | None, option("TEXT", "Any part of a name, address, reference or id.")
    ] = None,
    limit: Limit = 100,
) -> Answer:
    """List payments received, newest first, with their current state.

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
def show(context: Context, payment: Payment) -> Answer:
    """Show one payment: who paid, what each fund got, refunds and disputes.

    Example: jara payments show e4c1
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


@verb(app, *_REFUND)
def refund(
    context: Context,
    payment: Payment,
    why: Why,
    cents: ReturnedAmount = None,
    key: Annotated[
        str | None, option("TEXT", "Idempotency key: the same key never refunds twice.")
    ] = None,
    paid_from: PaidFrom = None,
    yes: Yes = False,
) -> Answer:
    """Refund a payment, in full or in part, and book it.

    A refund by transfer or in cash leaves the account that the payment came to, or --from.

    Repeating the command before the first refund is booked does not refund twice. In scripts,
    give each refund its own --key.

    Examples:
      jara payments refund e4c1 --why "paid twice" --yes
      jara payments refund ch_3Nq… --amount 4.00 --why "agreed" --key case-17
    """
    if not yes:
        confirm(_question(context, payment, cents), yes=False)
    done = refund_payment(context, payment, cents=cents, why=why, key=key, paid_from=paid_from)
    return _refunded(context, done)


@verb(app, *_REFUND)
def returned(
    context: Context,
    payment: Payment,
    why: Why,
    cents: ReturnedAmount = None,
    day: Annotated[
        str | None, option("DATE", "Day it went back; default: today.", "--date")
    ] = None,
    paid_from: PaidFrom = None,
    yes: Yes = False,
) -> Answer:
    """Book that the bank took a payment back: a cheque without funds, a returned transfer.

    It is no refund by us: the payer hears that the payment came back, and that nothing was sent.
    The money leaves the account that the payment came to, or --from, such as the bank where the
    cheque was deposited. `jara bank import` books returned transfers itself, where the file says
    so; a line that waits is matched with this entry by `jara bank rematch`.

    Example: jara payments returned e4c1 --why "no funds" --from assets:bank
    """
    when = context.today() if day is None else parse_period(day, today=context.today()).first
    if not yes:
        confirm(_question(context, payment, cents, "Book the return of"), yes=False)
    done = refund_payment(
        context, payment, cents=cents, why=why, paid_from=paid_from, returned_on=when
    )
    return _refunded(context, done)


def _refunded(context: Context, done: Refunded | Approval) -> Answer:
    if isinstance(done, Approval):
        return waiting(done)
    document = {"id": done.refund_id, "charge": done.charge_id, "cents": done.cents}
    return Answer(document, notes=entry_notes(context, done.refund_id))


@verb(app, *_PROMISE)
def promise(
    context: Context,
    member: Annotated[str | None, argument("MEMBER", "Email, id or a prefix of either.")] = None,
    dollars: Annotated[
        str | None, argument("AMOUNT", f"Whole amount a month, {PLEDGE_LIMITS}.")
    ] = None,
    way: Annotated[PaymentWay, typer.Option(help="How the member will pay.")] = PaymentWay.TRANSFER,
    file: Annotated[
        str | None, option("FILE", "CSV: Member (or Email), Amount, perhaps Way.")
    ] = None,
    encoding: Encoding = "",
) -> Answer:
    """Record a pledge paid without a card; the member writes its reference on each payment.

    An email tells the member the reference and how to pay. A promise gives no right to vote. A
    payment does, for the months it covers and 14 more days.

    With --file, all promises of a file are recorded, or none if a row is wrong; those that are
    recorded already stay, and get no second email.

    Examples:
      jara payments promise ama@example.org 10 --way transfer
      jara payments promise --file promises.csv
    """
    if file is not None:
        if member is not None or dollars is not None:
            raise InvalidInput("Give a member and an amount, or --file, not both.")
        return _promise_all(context, file, encoding, way)
    if member is None or dollars is None:
        raise InvalidInput("Give a member and an amount, or --file with all of them.")
    pledge = promising.promise(context, member, dollars=dollars, way=way)
    person = find_member(context, pledge.member_id)
    note = _PROMISED if person.email else _UNTOLD.format(person.names[0])
    return Answer(_promise_document(pledge), notes=[note])


def _promise_all(context: Context, file: str, encoding: str, way: PaymentWay) -> Answer:
    with opened_table(file, encoding) as table:
        rows, unused = read_promises(table, name_input(file), way=way)
    results = promising.promise_all(context, rows)
    faults = [one for one in results if one.row.fault]
    shown = [
        {
            "line": one.row.line,
            "member": one.row.member,
            "result": _fate(one, is_refused=bool(faults)),
            "reason": one.row.fault,
            **({} if one.pledge is None else _promise_document(one.pledge)),
        }
        for one in results
    ]
    new = sum(one.is_new for one in results)
    document = {
        "promised": 0 if faults else new,
        "refused": len(faults),
        "unusedColumns": unused,
        "rows": shown,
    }
    hints = unused_note(unused)
    if faults:
        first = f"{name_input(file)}, line {faults[0].row.line}: {faults[0].row.fault}"
        error = InvalidInput(f"{first} Nothing was recorded.")
        return Answer(document, view=shown, columns=_FILE_FAULTS, hints=hints, error=error)
    notes = [f"{count_of(new, 'promise')} recorded, {len(rows) - new} as before.", _PROMISED]
    people = [find_member(context, one.pledge.member_id) for one in results if one.pledge]
    untold = [one.names[0] for one in people if not one.email]
    notes += [_UNTOLD.format(", ".join(untold))] if untold else []
    notes = notes if new else notes[:1]
    return Answer(document, view=shown, columns=_FILE_PROMISES, hints=hints, notes=notes)


def _fate(result: promising.PromiseResult, *, is_refused: bool) -> str:
    if result.row.fault:
        return "refused"
    if not result.is_new:
        return "as before"
    return "not recorded" if is_refused else "promised"


def _promise_document(pledge: Pledge) -> Document:
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
        str, argument("REFERENCE|MEMBER", "The reference, or the member; omit it with --from.")
    ],
    papers: PaperOptions,
    cents: Annotated[
        int | None, argument("AMOUNT", "Such as 10 or 10.50.", parser=parse_cents)
    ] = None,
    giver: GiverName = None,
    email: GiverAddress = None,
    day: Annotated[str | None, option("DATE", "Day of receipt; default: today.", "--date")] = None,
    name: OutsideId = None,
    way: GivenWay = None,
    receipt_book: Annotated[
        bool, flag("--receipt-book", "Number the receipt that the giver takes home.")
    ] = False,
    yes: Yes = False,
) -> Answer:
    """Book a payment of a member, or a gift: in cash, by cheque, mobile money or transfer.

    `jara bank import` books transfers too; it then matches the line with this entry. You are asked
    if one of this day and amount is booked. If operators have keys, its vote waits for approval.

    Examples:
      jara payments receive J7K3-QXW2 10 --id "receipt 118"
      jara payments receive ama@example.org 30 --date 2026-11-02 --way cash
      jara payments receive 50 --from "Efua Owusu" --way cash
    """
    when = None if day is None else parse_period(day, today=context.today()).first
    if giver is not None and cents is not None:
        raise InvalidInput(f"With --from give the amount only, without '{payer}'.")
    paid = cents if giver is None else parse_cents(payer)
    if not paid or (giver is None and email is not None):
        raise InvalidInput(
            "Give the reference or the member, and the amount; or --from NAME and the amount."
        )
    about = _About(when, name, way)
    if not yes:
        about = _ask_again(context, payer, giver, paid, about)
    with papers.stored(context) as inside:
        if giver is not None:
            made = _receive_from(inside, Giver(giver, email or ""), paid, about)
        else:
            made = _received(receiving.receive(inside, payer, paid, **about._asdict()), paid)
    return with_number(context, made) if receipt_book else made


class _About(NamedTuple):
    """What else `receive` is told of a payment."""

    day: date | None
    name: str | None
    way: PaymentWay | None
    unless: receiving.Find = lambda _: None


def _ask_again(
    context: Context, payer: str, giver: str | None, cents: int, about: _About
) -> _About:
    """Ask if the same is booked; else let the booking look again."""
    day = about.day or context.today()
    if giver is None:
        find = partial(receiving.equal_payment, text=payer, cents=cents, day=day)
    else:
        find = partial(equal_gift, giver=giver, cents=cents, day=day)
    earlier = receiving.find_equal(context, find)
    if earlier is None:
        return about._replace(unless=find)
    paid = f"{format_cents(cents)} by {giver or payer} on {earlier.entry.day}"
    confirm(f"{paid} is booked already, as {earlier.id}. Book another one?", yes=False)
    return about


def _received(booked: receiving.BookedPayment, cents: int) -> Answer:
    posted, waits_as = booked
    entry = {"id": posted.id, "date": posted.entry.day, "cents": cents}
    document = {**entry, "way": posted.entry.source}
    if waits_as is None:
        return Answer(document)
    return Answer(
        {**document, "approval": waits_as.id, "state": waits_as.state},
        columns=[*_RECEIVED, Column("approval", "Vote waits as")],
        notes=[describe_waiting_vote(waits_as)],
        error=typer.Exit(ExitCode.WAITING),
    )


def _receive_from(context: Context, giver: Giver, cents: int, about: _About) -> Answer:
    posted = receiving.receive_from(context, giver, cents, **about._asdict())
    document = {
        "id": posted.id,
        "date": posted.entry.day,
        "cents": cents,
        "way": posted.entry.source,
        "from": giver.name,
    }
    receipt = (
        f"A receipt for {giver.email} waits; to send it now: jara mail send"
        if giver.email
        else "There is no address, so no receipt is emailed."
    )
    return Answer(document, columns=[*_RECEIVED, Column("from", "From")], notes=[receipt])


@verb(app, *_RECEIVED)
def vouch(context: Context, payment: Payment, why: Why) -> Answer:
    """Ask another operator to vouch for a payment by hand or from a file: that it was made.

    Until then, or until a bank statement or the provider shows it, it gives its payer no vote.
    `jara payments receive` asks automatically.

    Example: jara payments vouch 7k3qxw2a --why "cash book of May, page 3"
    """
    done = vouching.vouch(context, payment, why=why)
    if isinstance(done, Approval):
        return waiting(done)
    return Answer({"id": payment, "date": done.day, "cents": done.cents, "way": done.way})


def _question(context: Context, payment: str, cents: int | None, act: str = "Refund") -> str:
    """Return the question to confirm: the act, the payment and who paid it."""
    line = show_payment(context, payment).line
    paid = line.record
    amount = paid.cents - paid.returned_cents if cents is None else cents
    giver = f" by {line.name}" if line.name else ""
    whole = f"{format_cents(paid.cents)} paid on {paid.day}{giver}"
    return f"{act} {format_cents(amount)} of the {whole}?"


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
