"""Commands that change a pledge: amount, day, card, skip, pause, resume, cancel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from jara.domain.errors import Conflict
from jara.domain.giving.member import Member
from jara.domain.giving.payment_way import print_reference
from jara.domain.giving.pledge import Pledge
from jara.services.context import Context
from jara.services.giving.pledging import (
    cancel_pledge,
    change_amount,
    change_day,
    pause_pledge,
    replace_card,
    resume_pledge,
    skip_next,
)
from jara.services.members.accounts import find_member as find
from jara.services.members.operators import act_for_member
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit

Who = Annotated[
    str, typer.Argument(metavar="MEMBER", help="Email address, or the id or its first characters.")
]

COLUMNS = [
    Column("id", "Id", Kind.ID, rank=3),
    Column("member", "Member"),
    Column("subscriptionAmount", "$ / month", Kind.COUNT),
    Column("billingDay", "Day"),
    Column("pledgeStatus", "State"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE, rank=2),
    Column("pastDueSince", "Late since", Kind.DATE),
    Column("way", "Way", rank=2),
    Column("reference", "Reference"),
]


def amount(
    ctx: typer.Context,
    member: Who,
    dollars: Annotated[str, typer.Argument(metavar="DOLLARS", help="Whole dollars, 5 to 999.")],
    as_json: JsonFlag = False,
) -> None:
    """Change the monthly amount from the next charge on.

    \b
    Example:
      jara pledges amount ama@example.org 25
    """
    _act(ctx, "amount", member, lambda c, i: change_amount(c, i, dollars), as_json=as_json)


def day(
    ctx: typer.Context,
    member: Who,
    billing_day: Annotated[str, typer.Argument(metavar="DAY", help="current, 1 or 28.")],
    as_json: JsonFlag = False,
) -> None:
    """Change the billing day, starting after the month already paid.

    \b
    Example:
      jara pledges day ama@example.org 28
    """
    _act(ctx, "day", member, lambda c, i: change_day(c, i, billing_day), as_json=as_json)


def card(
    ctx: typer.Context,
    member: Who,
    payment_method: Annotated[
        str, typer.Argument(metavar="CARD", help="Test card, such as pm_card_visa.")
    ],
    as_json: JsonFlag = False,
) -> None:
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

    \b
    Examples:
      jara pledges card ama@example.org pm_card_mastercard
      jara --now 2027-01-31 pledges charge
    """

    def replace(context: Context, member_id: str) -> Pledge:
        if context.gateway.name != "sandbox":
            raise Conflict("Members replace their card on the website.")
        return replace_card(context, member_id, payment_method)

    _act(ctx, "card", member, replace, as_json=as_json)


def skip(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Skip the next charge; the member keeps the right to vote.

    \b
    Example:
      jara pledges skip ama@example.org
    """
    _act(ctx, "skip", member, skip_next, as_json=as_json)


def pause(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Pause the charges until the pledge is resumed; meanwhile the member may not vote.

    \b
    Example:
      jara pledges pause ama@example.org
    """
    _act(ctx, "pause", member, pause_pledge, as_json=as_json)


def resume(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Resume a paused pledge; the next charge is on the usual day.

    \b
    Example:
      jara pledges resume ama@example.org
    """
    _act(ctx, "resume", member, resume_pledge, as_json=as_json)


def cancel(ctx: typer.Context, member: Who, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Cancel a pledge at once; the account stays.

    \b
    Example:
      jara pledges cancel ama@example.org --yes
    """
    confirm(f"Cancel the pledge of {member}?", yes=yes)
    _act(ctx, "cancel", member, cancel_pledge, as_json=as_json)


def find_member(ctx: typer.Context, text: str) -> tuple[Context, Member]:
    """Open the application and find a member in it."""
    context = open_application(ctx).context
    return context, find(context, text)


def _act(
    ctx: typer.Context,
    verb: str,
    text: str,
    act: Callable[[Context, str], Pledge],
    *,
    as_json: bool,
) -> None:
    context, member = find_member(ctx, text)
    pledge = act_for_member(context, f"pledges.{verb}", member, lambda: act(context, member.id))
    emit(pledge_document(member, pledge), as_json=as_json, columns=COLUMNS)


def pledge_document(member: Member, pledge: Pledge) -> dict[str, Any]:
    """Return a pledge as all pledge commands show it."""
    return {
        "id": pledge.id,
        "memberId": member.id,
        "member": member.email,
        "subscriptionAmount": pledge.dollars,
        "billingDay": pledge.billing_day.value,
        "pledgeStatus": pledge.state.value,
        "nextChargeOn": pledge.next_charge_on,
        "skipsOn": pledge.skips_on,
        "startedAt": pledge.started_at,
        "pastDueSince": pledge.past_due_since,
        "way": pledge.way.value,
        "reference": None if pledge.reference is None else print_reference(pledge.reference),
    }
