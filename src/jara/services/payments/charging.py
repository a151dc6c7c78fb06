"""Synchronising with the payment provider: subscriptions to pledges, movements to the books."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from jara.domain.errors import Conflict, JaraError, Unavailable
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.services.books.imports import ImportOutcome
from jara.services.context import Context
from jara.services.giving.pledge_emails import queue_pledge_ended
from jara.services.giving.pledging import cancel_pledge, refresh_stored, start_again
from jara.services.giving.subscription_sync import StartedPledge
from jara.services.members.operators import act_for_member
from jara.services.members.profiles import require_member
from jara.services.payments.importing import collect_movements
from jara.services.ports.payments import SandboxClockwork

SANDBOX = "sandbox"
OVERDUE_AFTER = timedelta(days=30)
"""A pledge that is past due for this long ends; nothing is owed."""


class RefreshReport(NamedTuple):
    """How many pledges changed, and which failed to refresh."""

    changed: int
    failures: tuple[str, ...]


class ChargeReport(NamedTuple):
    """What happened when the sandbox's time passed."""

    happened: int
    refreshed: RefreshReport
    booked: ImportOutcome


def start_for_member(
    context: Context, text: str, *, payment_method: str, amount: str | None, billing_day: str | None
) -> tuple[Member, StartedPledge]:
    """Start a member's pledge with a test card as an operator, and book what was charged.

    Raises:
        NotFound: there is no such member.
        Conflict: payments are live; and whatever ``start_again`` raises.
    """
    with context.store.read() as work:
        member = work.members.find(text)
    context.require_cards()
    if context.gateway.name != SANDBOX:
        raise Conflict("Members start their pledge on the website, with their own card.")
    started = act_for_member(
        context,
        "pledges.start",
        member,
        lambda: start_again(
            context,
            member.id,
            payment_method=payment_method,
            amount=amount,
            billing_day=billing_day,
        ),
    )
    collect_movements(context)
    return member, started


def book_sandbox_rows(context: Context) -> None:
    """Book the sandbox's newest charges; the sandbox sends no webhooks.

    If the database has just gone away, the next request or the daily run books them: the call
    that caused them is carried out.
    """
    if context.gateway.name == SANDBOX:
        with suppress(Unavailable):
            collect_movements(context)


def refresh_pledges(context: Context) -> RefreshReport:
    """Read the subscription of every pledge that is not canceled, and store changes.

    A pledge that fails is reported, and the others continue.

    Raises:
        Unavailable: the provider does not answer; it would fail for every pledge.
    """
    with context.store.read() as work:
        open_pledges = [p for p in work.pledges.all() if p.state is not PledgeState.CANCELED]
        joining = {pending.member_id for pending in work.registrations.all()}
    changed = 0
    failures: list[str] = []
    for pledge in open_pledges:
        try:
            is_joining = pledge.member_id in joining
            changed += refresh_stored(context, pledge, is_joining=is_joining) != pledge
        except Unavailable:
            raise
        except JaraError as error:
            failures.append(f"{pledge.id}: {error.message}")
        except Exception as error:  # noqa: BLE001 - a defect met by one must not stop the others
            failures.append(f"{pledge.id}: {type(error).__name__}: {error} (a defect of Jara)")
    return RefreshReport(changed, tuple(failures))


def charge_due(
    context: Context, clockwork: SandboxClockwork, *, until: datetime | None = None
) -> ChargeReport:
    """Let the sandbox make its charges, then refresh the pledges and book the rows."""
    happened = clockwork.run_until(until or context.now())
    return ChargeReport(happened, refresh_pledges(context), collect_movements(context))


def cancel_overdue(context: Context) -> int:
    """End the pledges that have been past due for thirty days; return how many."""
    limit = context.now() - OVERDUE_AFTER
    with context.store.read() as work:
        overdue = [
            pledge
            for pledge in work.pledges.in_states(PledgeState.PAST_DUE)
            if pledge.past_due_since is not None and pledge.past_due_since <= limit
        ]
    ended = 0
    for pledge in overdue:
        if context.store.read_once().pledges.get(pledge.member_id) != pledge:
            continue  # it was paid while others ended
        cancel_pledge(context, pledge.member_id)
        with context.store.write() as work:
            member = require_member(work, pledge.member_id)
            queue_pledge_ended(context, work, member, pledge)
        ended += 1
    return ended
