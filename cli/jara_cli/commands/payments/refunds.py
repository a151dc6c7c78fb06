"""``jara payments refund``, which is also ``jara pledges refund``."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.money import format_cents, parse_cents
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.payments.listing import show_payment
from jara.services.payments.refunding import refund_payment
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit
from jara_cli.waiting import exit_waiting


def _question(context: Context, payment: str, cents: int | None) -> str:
    """Return the question to confirm: the refund, the payment and who paid it."""
    line = show_payment(context, payment).line
    paid = line.record
    amount = paid.cents - paid.returned_cents if cents is None else cents
    giver = f" by {line.name}" if line.name else ""
    whole = f"{format_cents(paid.cents)} paid on {paid.day}{giver}"
    return f"Refund {format_cents(amount)} of the {whole}?"


def refund(
    ctx: typer.Context,
    payment: Annotated[
        str, typer.Argument(metavar="PAYMENT", help="Id of the charge or of its entry.")
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")],
    cents: Annotated[
        int | None,
        typer.Option(
            "--amount",
            metavar="AMOUNT",
            parser=parse_cents,
            help="Dollars; default: the rest of the payment.",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Idempotency key: the same key never refunds twice."),
    ] = None,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Refund a payment, in full or in part, and book it.

    Repeating the command before the first refund is booked does not refund twice. In scripts,
    give each refund its own --key.

    \b
    Examples:
      jara payments refund e4c1 --why "paid twice" --yes
      jara pledges refund ch_3Nq… --amount 4.00 --why "agreed" --key case-17 --yes
    """
    context = open_application(ctx).context
    if not yes:
        confirm(_question(context, payment, cents), yes=False)
    done = refund_payment(context, payment, cents=cents, why=why, key=key)
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    emit(
        {"id": done.refund_id, "charge": done.charge_id, "cents": done.cents},
        as_json=as_json,
        columns=[
            Column("id", "Refund"),
            Column("charge", "Charge"),
            Column("cents", "Amount", Kind.CENTS),
        ],
    )
