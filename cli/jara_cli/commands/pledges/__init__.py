"""``jara pledges``: monthly pledges and their charges."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

import typer

from jara.domain.dates import parse_instant
from jara.domain.errors import Conflict
from jara.domain.giving.payment_way import PaymentWay
from jara.domain.giving.pledge import PledgeState
from jara.services.giving.pledging import start_again
from jara.services.giving.statistics import forecast_pledges, pledge_statistics
from jara.services.members.operators import act_for_member, act_on_sandbox, list_pledges
from jara.services.payments.charging import charge_due
from jara.services.payments.importing import collect_movements
from jara_cli.columns import Column, Kind
from jara_cli.commands.payments.refunds import refund
from jara_cli.commands.pledges.changes import (
    COLUMNS,
    Who,
    amount,
    cancel,
    card,
    day,
    find_member,
    pause,
    pledge_document,
    resume,
    skip,
)
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, parse_whole_number
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)

Card = Annotated[str, typer.Option("--card", metavar="CARD", help="Test card.")]


@app.command("list")
def show(
    ctx: typer.Context,
    state: Annotated[
        list[PledgeState] | None, typer.Option("--state", help="Only in this state.")
    ] = None,
    way: Annotated[
        list[PaymentWay] | None, typer.Option("--way", help="Only pledges paid this way.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the pledges in order of joining.

    \b
    Examples:
      jara pledges list
      jara pledges list --state past_due --state paused
      jara pledges list --state past_due --way transfer
    """
    lines = list_pledges(open_application(ctx).context, state or (), ways=way or ())
    document = [pledge_document(line.member, line.pledge) for line in lines]
    rows = [{**one, "pastDueSince": _day(one["pastDueSince"])} for one in document]
    emit(document, as_json=as_json, columns=COLUMNS, rows=rows)


def _day(instant: datetime | None) -> date | None:
    return None if instant is None else instant.date()


@app.command()
def stats(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Count the pledges in each state, and the changemakers.

    \b
    Example:
      jara pledges stats
    """
    figures = pledge_statistics(open_application(ctx).context)
    states = [
        {"state": state.value, "count": figures.counts[state], "monthlyCents": figures.cents[state]}
        for state in PledgeState
    ]
    document = {
        "changemakers": figures.changemakers,
        "monthlyCents": figures.changemakers_cents,
        "states": states,
    }
    emit(
        document,
        as_json=as_json,
        columns=[
            Column("state", "State"),
            Column("count", "Pledges", Kind.COUNT),
            Column("monthlyCents", "Each month", Kind.CENTS),
        ],
        rows=states,
        total={
            "state": "changemakers",
            "count": figures.changemakers,
            "monthlyCents": figures.changemakers_cents,
        },
    )


@app.command()
def forecast(
    ctx: typer.Context,
    months: Annotated[
        int,
        typer.Option("--months", metavar="N", parser=parse_whole_number, help="Number of months."),
    ] = 12,
    as_json: JsonFlag = False,
) -> None:
    """Show what active pledges will pay in the rest of this month and the next ones.

    \b
    Example:
      jara pledges forecast --months 6
    """
    expected = forecast_pledges(open_application(ctx).context, months)
    rows = [
        {"month": f"{line.month:%Y-%m}", "charges": line.charges, "cents": line.cents}
        for line in expected
    ]
    total = sum(line.cents for line in expected)
    emit(
        {"months": rows, "totalCents": total},
        as_json=as_json,
        columns=[
            Column("month", "Month"),
            Column("charges", "Charges", Kind.COUNT),
            Column("cents", "Expected", Kind.CENTS),
        ],
        rows=rows,
        total={"month": "Total", "charges": sum(x.charges for x in expected), "cents": total},
    )


@app.command()
def start(
    ctx: typer.Context,
    member: Who,
    amount: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="Whole dollars a month, 5 to 999.")
    ] = None,
    day: Annotated[str | None, typer.Option(metavar="DAY", help="current, 1 or 28.")] = None,
    card: Card = "pm_card_visa",
    as_json: JsonFlag = False,
) -> None:
    """Start a pledge for a member with a test card and charge what is due (sandbox).

    \b
    Example:
      jara pledges start ama@example.org --amount 10 --day 1
    """
    context, found = find_member(ctx, member)
    if context.gateway.name != "sandbox":
        raise Conflict("Members start their pledge on the website, with their own card.")
    started = act_for_member(
        context,
        "pledges.start",
        found,
        lambda: start_again(context, found.id, payment_method=card, amount=amount, billing_day=day),
    )
    collect_movements(context)
    document = {**pledge_document(found, started.pledge), "outcome": started.outcome.value}
    if started.intent_type is not None:
        document["intentType"] = started.intent_type.value
        document["clientSecret"] = started.client_secret
        note(f"The cardholder must confirm: jara pledges confirm {started.client_secret}")
    emit(document, as_json=as_json, columns=COLUMNS)


@app.command("confirm")
def confirm_card(
    ctx: typer.Context,
    secret: Annotated[str, typer.Argument(metavar="SECRET", help="Client secret.")],
    fail: Annotated[bool, typer.Option("--fail", help="Act as a cardholder who refuses.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Confirm a payment or a card in place of the cardholder (sandbox).

    \b
    Example:
      jara pledges confirm pi_3Nq…_secret_x7…
    """
    application = open_application(ctx)

    def settle() -> None:
        application.sandbox.confirm(secret, succeed=not fail)
        charge_due(application.context, application.sandbox)

    act_on_sandbox(application.context, "pledges.confirm", settle)
    outcome = {"outcome": "fail" if fail else "succeed"}
    emit(outcome, as_json=as_json, columns=[Column("outcome", "Outcome")])


@app.command()
def charge(
    ctx: typer.Context,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="DATE|INSTANT",
            help="Advance the sandbox's clock to this time first.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Make due charges, retries and payouts, and book them (sandbox).

    \b
    Examples:
      jara pledges charge
      jara pledges charge --until 2026-12-31
    """
    application = open_application(ctx)
    context = application.context
    instant = None if until is None else parse_instant(until, today=context.today())
    report = act_on_sandbox(
        context,
        "pledges.charge",
        lambda: charge_due(context, application.sandbox, until=instant),
    )
    for failure in report.refreshed.failures:
        note(failure)
    document = {
        "happened": report.happened,
        "pledgesChanged": report.refreshed.changed,
        "posted": report.booked.posted,
        "failures": list(report.refreshed.failures),
    }
    columns = [
        Column("happened", "Charges, retries and payouts made", Kind.COUNT),
        Column("pledgesChanged", "Pledges changed", Kind.COUNT),
        Column("posted", "Movements booked", Kind.COUNT),
    ]
    emit(document, as_json=as_json, columns=columns)


for _change in (amount, day, card, skip, pause, resume, cancel, refund):
    app.command()(_change)
