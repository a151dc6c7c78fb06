"""``jara pledges``: monthly pledges and their charges."""

from collections.abc import Callable
from typing import Annotated

import typer

from jara.bootstrap import Application
from jara.documents import Document
from jara.domain.dates import parse_first_day, parse_instant
from jara.domain.giving.billing_day import BILLING_DAYS
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import PaymentWay, print_reference
from jara.domain.giving.pledge import PLEDGE_LIMITS, Pledge, PledgeState
from jara.records.operations import Approval
from jara.services.context import Context
from jara.services.giving import pledging
from jara.services.giving.statistics import forecast_pledges, pledge_statistics
from jara.services.members.accounts import find_member
from jara.services.members.operators import (
    PledgeQuery,
    act_for_member,
    act_on_sandbox,
    list_pledges,
)
from jara.services.payments.charging import charge_due, start_for_member
from jara_cli.columns import Column, Kind
from jara_cli.options import (
    MaybeLimit,
    Who,
    Yes,
    argument,
    confirm,
    flag,
    more_than_shown,
    option,
    parse_whole_number,
)
from jara_cli.output import note
from jara_cli.verbs import Answer, verb
from jara_cli.waiting import waiting

app = typer.Typer(no_args_is_help=True)

_PLEDGE = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("member", "Member"),
    Column("subscriptionAmount", "A month", Kind.UNITS),
    Column("billingDay", "Day"),
    Column("pledgeStatus", "State"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE, rank=2),
    Column("pastDueSince", "Late since", Kind.DATE),
    Column("way", "Way", rank=2),
    Column("reference", "Reference"),
]

Card = Annotated[str, option("CARD", "Test card.")]


@verb(app, *_PLEDGE, name="list")
def show(
    context: Context,
    state: Annotated[list[PledgeState] | None, typer.Option(help="Only in this state.")] = None,
    way: Annotated[
        list[PaymentWay] | None, typer.Option(help="Only pledges paid this way.")
    ] = None,
    search: Annotated[
        str | None, option("TEXT", "Any part of a name, address, id or reference.")
    ] = None,
    since: Annotated[str | None, option("DATE", "Made since this day.")] = None,
    limit: MaybeLimit = None,
) -> Answer:
    """List the pledges in order of joining.

    Examples:
      jara pledges list
      jara pledges list --state past_due --state paused
      jara pledges list --state past_due --way transfer
      jara pledges list --search mensah --since 2026-01
    """
    first = None if since is None else parse_first_day(since, today=context.today())
    lines = list_pledges(context, PledgeQuery(state or (), way or (), search, first))
    documents = [_document(line.member, line.pledge) for line in lines[:limit]]
    notes = more_than_shown(len(lines), documents)
    return Answer(documents, view=[_row(context, one) for one in documents], notes=notes)


@verb(
    app,
    Column("state", "State"),
    Column("count", "Pledges", Kind.COUNT),
    Column("monthlyCents", "Each month", Kind.CENTS),
)
def stats(context: Context) -> Answer:
    """Count the pledges in each state, and the changemakers.

    Example: jara pledges stats
    """
    figures = pledge_statistics(context)
    states = [
        {"state": state.value, "count": figures.counts[state], "monthlyCents": figures.cents[state]}
        for state in PledgeState
    ]
    document = {
        "changemakers": figures.changemakers,
        "monthlyCents": figures.changemakers_cents,
        "states": states,
    }
    return Answer(
        document,
        view=states,
        total={
            "state": "changemakers",
            "count": figures.changemakers,
            "monthlyCents": figures.changemakers_cents,
        },
    )


@verb(
    app,
    Column("month", "Month"),
    Column("charges", "Charges", Kind.COUNT),
    Column("cents", "Expected", Kind.CENTS),
)
def forecast(
    context: Context,
    months: Annotated[int, option("N", "Number of months.", parser=parse_whole_number)] = 12,
) -> Answer:
    """Show what active pledges will pay in the rest of this month and the next ones.

    Example: jara pledges forecast --months 6
    """
    expected = forecast_pledges(context, months)
    rows = [
        {"month": f"{line.month:%Y-%m}", "charges": line.charges, "cents": line.cents}
        for line in expected
    ]
    total = sum(line.cents for line in expected)
    return Answer(
        {"months": rows, "totalCents": total},
        view=rows,
        total={"month": "Total", "charges": sum(x.charges for x in expected), "cents": total},
    )


@verb(app, *_PLEDGE)
def start(
    context: Context,
    member: Who,
    amount: Annotated[
        str | None, option("AMOUNT", f"Whole amount a month, {PLEDGE_LIMITS}.")
    ] = None,
    day: Annotated[str | None, option("DAY", f"{BILLING_DAYS}.")] = None,
    card: Card = "pm_card_visa",
) -> Document:
    """Start a pledge for a member with a test card and charge what is due (sandbox).

    Example: jara pledges start ama@example.org --amount 10 --day 1
    """
    person, started = start_for_member(
        context, member, payment_method=card, amount=amount, billing_day=day
    )
    document = {**_document(person, started.pledge), "outcome": started.outcome}
    if started.intent_type is not None:
        document["intentType"] = started.intent_type
        document["clientSecret"] = started.client_secret
        note(f"The cardholder must confirm: jara pledges confirm {started.client_secret}")
    return document


@verb(app, Column("outcome", "Outcome"), name="confirm")
def confirm_card(
    application: Application,
    secret: Annotated[str, argument("SECRET", "Client secret.")],
    fail: Annotated[bool, flag("--fail", "Act as a cardholder who refuses.")] = False,
) -> Document:
    """Confirm a payment or a card in place of the cardholder (sandbox).

    Example: jara pledges confirm pi_3Nq…_secret_x7…
    """

    def settle() -> None:
        application.sandbox.confirm(secret, succeed=not fail)
        charge_due(application.context, application.sandbox)

    act_on_sandbox(application.context, "pledges.confirm", settle)
    return {"outcome": "fail" if fail else "succeed"}


@verb(
    app,
    Column("happened", "Charges, retries and payouts made", Kind.COUNT),
    Column("pledgesChanged", "Pledges changed", Kind.COUNT),
    Column("posted", "Movements booked", Kind.COUNT),
)
def charge(
    application: Application,
    until: Annotated[
        str | None, option("DATE|INSTANT", "Advance the sandbox's clock to this time first.")
    ] = None,
) -> Document:
    """Make due charges, retries and payouts, and book them (sandbox).

    Examples:
      jara pledges charge
      jara pledges charge --until 2026-12-31
    """
    context = application.context
    instant = (
        None if until is None else parse_instant(until, today=context.today(), zone=context.zone)
    )
    report = act_on_sandbox(
        context, "pledges.charge", lambda: charge_due(context, application.sandbox, until=instant)
    )
    failures = report.refreshed.failures
    for failure in failures:
        note(failure)
    return {
        "happened": report.happened,
        "pledgesChanged": report.refreshed.changed,
        "posted": report.booked.posted,
        "failures": failures,
    }


@verb(app, *_PLEDGE)
def amount(
    context: Context,
    member: Who,
    dollars: Annotated[str, argument("AMOUNT", f"Whole amount, {PLEDGE_LIMITS}.")],
) -> Document:
    """Change the monthly amount from the next charge on.

    Example: jara pledges amount ama@example.org 25
    """
    return _act(context, "amount", member, lambda c, i: pledging.change_amount(c, i, dollars))


@verb(app, *_PLEDGE)
def day(
    context: Context, member: Who, billing_day: Annotated[str, argument("DAY", f"{BILLING_DAYS}.")]
) -> Document:
    """Change the billing day, starting after the month already paid.

    Example: jara pledges day ama@example.org 28
    """
    return _act(context, "day", member, lambda c, i: pledging.change_day(c, i, billing_day))


@verb(app, *_PLEDGE)
def card(
    context: Context,
    member: Who,
    payment_method: Annotated[str, argument("CARD", "Test card, such as pm_card_visa.")],
) -> Document:
    """Replace the card with another test card; nothing is charged (sandbox).

    \b
    Test cards, by name or number:
      pm_card_visa
        4242424242424242: pays
      pm_card_mastercard
        5555555555554444: pays
      pm_card_visa_debit
        4000056655665556: pays; one card for all members
      pm_card_chargeDeclined
        4000000000000002: refused at entry: Your card was declined.
      pm_card_chargeDeclinedInsufficientFunds
        4000000000009995: refused at entry: Your card has insufficient funds.
      pm_card_chargeDeclinedExpiredCard
        4000000000000069: refused at entry: Your card has expired.
      pm_card_authenticationRequired
        4000002760003184: asks the cardholder to confirm at every charge
      pm_card_authenticationRequiredOnSetup
        4000002500003155: asks the cardholder to confirm once
      pm_card_chargeCustomerFail
        4000000000000341: accepted, and every charge fails
      pm_card_createDispute
        4000000000000259: every charge is disputed at once, lost after 30 days

    Examples:
      jara pledges card ama@example.org pm_card_mastercard
      jara --now 2027-01-31 pledges charge
    """
    return _act(
        context, "card", member, lambda c, i: pledging.replace_test_card(c, i, payment_method)
    )


@verb(app, *_PLEDGE)
def skip(context: Context, member: Who) -> Document:
    """Skip the next charge; the member keeps the right to vote for that month.

    Example: jara pledges skip ama@example.org
    """
    return _act(context, "skip", member, pledging.skip_next)


@verb(app, *_PLEDGE)
def pause(context: Context, member: Who) -> Answer | Document:
    """Pause the charges until the pledge is resumed; meanwhile the member may not vote.

    While a vote is open in which the member may vote, another operator must approve it.

    Example: jara pledges pause ama@example.org
    """
    return _stop(context, "pledges.pause", member)


@verb(app, *_PLEDGE)
def resume(context: Context, member: Who) -> Document:
    """Resume a paused pledge; the next charge is on the usual day.

    Example: jara pledges resume ama@example.org
    """
    return _act(context, "resume", member, pledging.resume_pledge)


@verb(app, *_PLEDGE)
def cancel(context: Context, member: Who, yes: Yes = False) -> Answer | Document:
    """Cancel a pledge at once; the account stays.

    While a vote is open in which the member may vote, another operator must approve it.

    Example: jara pledges cancel ama@example.org --yes
    """
    confirm(f"Cancel the pledge of {member}?", yes=yes)
    return _stop(context, "pledges.cancel", member)


def _act(
    context: Context, action: str, text: str, act: Callable[[Context, str], Pledge]
) -> Document:
    member = find_member(context, text)
    pledge = act_for_member(context, f"pledges.{action}", member, lambda: act(context, member.id))
    return _document(member, pledge)


def _stop(context: Context, action: str, text: str) -> Answer | Document:
    member = find_member(context, text)
    done = pledging.stop_for_member(context, action, member)
    return waiting(done) if isinstance(done, Approval) else _document(member, done)


def _document(member: Member, pledge: Pledge) -> Document:
    """Return a pledge as all pledge commands show it."""
    return {
        "id": pledge.id,
        "memberId": member.id,
        "member": member.label,
        "subscriptionAmount": pledge.dollars,
        "billingDay": pledge.billing_day,
        "pledgeStatus": pledge.state,
        "nextChargeOn": pledge.next_charge_on,
        "skipsOn": pledge.skips_on,
        "startedAt": pledge.started_at,
        "pastDueSince": pledge.past_due_since,
        "way": pledge.way,
        "reference": None if pledge.reference is None else print_reference(pledge.reference),
    }


def _row(context: Context, pledge: Document) -> Document:
    since = pledge["pastDueSince"]
    return {**pledge, "pastDueSince": None if since is None else context.zone.day_of(since)}
