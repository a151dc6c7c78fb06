"""What operators change about a member's pledge: amount, day, card, skip, pause, stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara.domain.errors import Conflict
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import Column, Kind, emit

if TYPE_CHECKING:
    from collections.abc import Callable

    from jara.domain.giving.member import Member
    from jara.domain.giving.pledge import Pledge
    from jara.services.context import Context

Who = Annotated[
    str, typer.Argument(metavar="MEMBER", help="Email address, id, or its unique beginning.")
]

COLUMNS = [
    Column("id", "Id", Kind.ID),
    Column("member", "Member"),
    Column("subscriptionAmount", "$ / month", Kind.COUNT),
    Column("billingDay", "Day"),
    Column("pledgeStatus", "State"),
    Column("nextChargeOn", "Next charge", Kind.DATE),
    Column("skipsOn", "Skips", Kind.DATE),
    Column("pastDueSince", "Past due since", Kind.DATE),
]


def amount(
    ctx: typer.Context,
    member: Who,
    dollars: Annotated[str, typer.Argument(metavar="DOLLARS", help="Whole dollars, 5 to 999.")],
    as_json: JsonFlag = False,
) -> None:
    """Change the monthly amount, from the next charge on.

    \b
    Example:
      jara pledges amount ama@example.org 25
    """
    from jara.services.giving.pledging import change_amount

    _act(ctx, "amount", member, lambda c, i: change_amount(c, i, dollars), as_json=as_json)


def day(
    ctx: typer.Context,
    member: Who,
    billing_day: Annotated[str, typer.Argument(metavar="DAY", help="current, 1 or 28.")],
    as_json: JsonFlag = False,
) -> None:
    """Move to another billing day, after the month that is paid for.

    \b
    Example:
      jara pledges day ama@example.org 28
    """
    from jara.services.giving.pledging import change_day

    _act(ctx, "day", member, lambda c, i: change_day(c, i, billing_day), as_json=as_json)


def card(
    ctx: typer.Context,
    member: Who,
    payment_method: Annotated[str, typer.Argument(metavar="CARD", help="pm_card_visa.")],
    as_json: JsonFlag = False,
) -> None:
    """Use another test card from now on; nothing is charged (sandbox).

    \b
    Example:
      jara pledges card ama@example.org pm_card_mastercard
    """
    from jara.services.giving.pledging import replace_card

    def replace(context: Context, member_id: str) -> Pledge:
        if context.gateway.name != "sandbox":
            raise Conflict("Members put in another card themselves, on the website.")
        return replace_card(context, member_id, payment_method)

    _act(ctx, "card", member, replace, as_json=as_json)


def skip(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Leave out the next charge; the member keeps the right to vote.

    \b
    Example:
      jara pledges skip ama@example.org
    """
    from jara.services.giving.pledging import skip_next

    _act(ctx, "skip", member, skip_next, as_json=as_json)


def pause(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """Take no charges until the pledge is resumed; the right to vote rests.

    \b
    Example:
      jara pledges pause ama@example.org
    """
    from jara.services.giving.pledging import pause_pledge

    _act(ctx, "pause", member, pause_pledge, as_json=as_json)


def resume(ctx: typer.Context, member: Who, as_json: JsonFlag = False) -> None:
    """End a pause; the next charge is on the next of the old days.

    \b
    Example:
      jara pledges resume ama@example.org
    """
    from jara.services.giving.pledging import resume_pledge

    _act(ctx, "resume", member, resume_pledge, as_json=as_json)


def cancel(ctx: typer.Context, member: Who, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """End a pledge at once; the account stays.

    \b
    Example:
      jara pledges cancel ama@example.org --yes
    """
    from jara.services.giving.pledging import cancel_pledge

    confirm(f"End the pledge of {member}?", yes=yes)
    _act(ctx, "cancel", member, cancel_pledge, as_json=as_json)


def find_member(ctx: typer.Context, text: str) -> tuple[Context, Member]:
    """Open the application and find a member in it."""
    from jara.services.members.accounts import find_member as find

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
    from jara.services.members.on_behalf import act_for_member

    context, member = find_member(ctx, text)
    pledge = act_for_member(context, f"pledges.{verb}", member, lambda: act(context, member.id))
    emit(pledge_document(member, pledge), as_json=as_json, columns=COLUMNS)


def pledge_document(member: Member, pledge: Pledge) -> dict[str, Any]:
    """Return a pledge as every command of the noun shows it."""
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
    }
