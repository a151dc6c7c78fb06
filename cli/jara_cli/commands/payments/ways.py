"""``jara payments ways``, ``promise`` and ``receive``: pledges paid without a card."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.dates import parse_period
from jara.domain.giving.payment_way import PaymentWay, print_iban, print_reference
from jara.domain.money import parse_cents
from jara.records.book_settings import WaySetting
from jara.services.payments import receiving
from jara.services.payments import ways as payment_ways
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit

ways = typer.Typer(no_args_is_help=True, help="Ways to pay without a card.")

_COLUMNS = (
    Column("way", "Way"),
    Column("account", "Account"),
    Column("details", "Details", Kind.SENTENCE),
    Column("iban", "IBAN"),
)
Way = Annotated[PaymentWay, typer.Argument(metavar="WAY", help="transfer, cash or mobile.")]


@ways.command("set")
def set_command(
    ctx: typer.Context,
    way: Way,
    account: Annotated[
        str, typer.Option("--account", metavar="ACCOUNT", help="Account that gets the money.")
    ],
    details: Annotated[
        str,
        typer.Option(
            "--details", metavar="TEXT", help="Shown to payers, such as an account number."
        ),
    ] = "",
    iban: Annotated[
        str, typer.Option("--iban", metavar="IBAN", help="Account that transfers go to.")
    ] = "",
    holder: Annotated[
        str, typer.Option("--holder", metavar="NAME", help="Name of the account holder.")
    ] = "",
    euro: Annotated[
        bool, typer.Option("--euro", help="The account takes euros: show a SEPA QR code.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Set up a way to pay, or replace it; the website then offers it besides cards.

    \b
    Examples:
      jara payments ways set transfer --account assets:bank --holder "Jara e.V." \\
          --iban "DE89 3704 0044 0532 0130 00" --euro
      jara payments ways set transfer --account assets:bank --details "IBAN DE89…"
      jara payments ways set cash --account assets:cash
    """
    context = open_application(ctx).context
    made = payment_ways.set_way(
        context, way, ledger=account, details=details, iban=iban, holder=holder, takes_euro=euro
    )
    emit([_way_document(made)], as_json=as_json, columns=_COLUMNS)


def _way_document(setting: WaySetting) -> dict[str, object]:
    document: dict[str, object] = {
        "way": setting.way,
        "account": setting.ledger,
        "details": setting.details,
    }
    if setting.iban:
        document |= {"iban": print_iban(setting.iban), "holder": setting.holder}
    return document | ({"euro": True} if setting.takes_euro else {})


@ways.command("list")
def list_command(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the ways to pay other than by card.

    \b
    Example:
      jara payments ways list
    """
    found = payment_ways.list_ways(open_application(ctx, any_mode=True).context)
    emit(
        [_way_document(one) for one in found],
        as_json=as_json,
        columns=_COLUMNS,
    )


@ways.command("remove")
def remove_command(ctx: typer.Context, way: Way, as_json: JsonFlag = False) -> None:
    """Remove a way to pay; received payments stay.

    \b
    Example:
      jara payments ways remove cash
    """
    payment_ways.remove_way(open_application(ctx).context, way)
    emit({"removed": way.value}, as_json=as_json, columns=[Column("removed", "Removed")])


def promise(
    ctx: typer.Context,
    member: Annotated[
        str, typer.Argument(metavar="MEMBER", help="Email, id or a prefix of either.")
    ],
    dollars: Annotated[
        str, typer.Argument(metavar="DOLLARS", help="Whole dollars a month, 5 to 999.")
    ],
    way: Annotated[
        PaymentWay, typer.Option("--way", help="How the member will pay.")
    ] = PaymentWay.TRANSFER,
    as_json: JsonFlag = False,
) -> None:
    """Record a pledge paid without a card; the member writes its reference on each payment.

    A promise gives no right to vote. A payment does, for the months it covers and 14 more days.

    \b
    Example:
      jara payments promise ama@example.org 10 --way transfer
    """
    context = open_application(ctx).context
    pledge = receiving.promise(context, member, dollars=dollars, way=way)
    emit(
        {
            "reference": print_reference(pledge.reference or ""),
            "subscriptionAmount": pledge.dollars,
            "way": pledge.way.value,
            "pledgeStatus": pledge.state.value,
            "coveredUntil": pledge.next_charge_on,
        },
        as_json=as_json,
        columns=[
            Column("reference", "Reference"),
            Column("subscriptionAmount", "Dollars a month", Kind.COUNT),
            Column("way", "Way"),
            Column("pledgeStatus", "State"),
            Column("coveredUntil", "Paid until", Kind.DATE),
        ],
    )


def receive(
    ctx: typer.Context,
    payer: Annotated[
        str, typer.Argument(metavar="REFERENCE|MEMBER", help="The reference, or the member.")
    ],
    cents: Annotated[
        int, typer.Argument(metavar="AMOUNT", parser=parse_cents, help="Dollars: 10, 10.50.")
    ],
    day: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="Day of receipt; default: today.")
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--id", metavar="TEXT", help="Such as a receipt number; posted only once."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Book a member's payment: in cash, by mobile money, or by transfer.

    `jara bank import` books transfers too; it then matches the line with this entry.

    \b
    Examples:
      jara payments receive J7K3-QXW2 10 --id "receipt 118"
      jara payments receive ama@example.org 30 --date 2026-11-02
    """
    context = open_application(ctx).context
    when = None if day is None else parse_period(day, today=context.today()).first
    posted = receiving.receive(context, payer, cents, day=when, name=name)
    emit(
        {"id": posted.id, "date": posted.entry.day, "cents": cents, "way": posted.entry.source},
        as_json=as_json,
        columns=[
            Column("id", "Entry", Kind.ID),
            Column("date", "Date", Kind.DATE),
            Column("cents", "Amount", Kind.CENTS),
            Column("way", "Way"),
        ],
    )
