"""When a member has died: the pledge ends, nobody can sign in, and one last email says so."""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from jara.domain.errors import InvalidInput
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import PledgeState
from jara.records.operations import Approval
from jara.services.approvals import Handler, is_continued
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.giving.pledging import cancel_pledge
from jara.services.members.editing import remove_sign_in
from jara.services.members.operators import member_of, take_vote
from jara.services.members.profiles import require_member
from jara.services.notices.emails import queue_death_recorded

DIED_ACTION = "members.died"
DIED_ON = "died_on"
"""Payload key: the day."""


def record_death(
    context: Context, member: Member, *, died_on: date, why: str = ""
) -> Member | Approval:
    """Record that a member has died.

    The pledge ends at once, also at the payment provider. The address, every way to sign in and
    waiting emails are removed, so they are on no roll any more. Name, payments and statements
    stay; a ballot that was cast stays counted. A last email tells the address, because somebody may
    live who is recorded as dead. While a vote is open in which they may vote, another
    operator must approve it.

    Raises:
        InvalidInput: the day is to come, or the death is recorded already.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    if died_on > context.today():
        raise InvalidInput(f"{died_on} is to come; say the day of the death with --on.")
    with context.store.read() as work:
        known = work.members.contact(member.id).died_on
    if known == died_on and is_continued(context):
        return member  # it was recorded before the interruption
    if known is not None:
        raise InvalidInput(f"It is recorded already that {member.label} died on {known}.")
    act = partial(_end, context, member.id, died_on, why)
    return take_vote(
        context, DIED_ACTION, member, act, why=why, more={DIED_ON: died_on.isoformat()}
    )


def _end(context: Context, member_id: str, died_on: date, why: str) -> Member:
    with context.store.write() as work:
        require_operator(context, work, DIED_ACTION)
        pledge = work.pledges.get(member_id)
    if pledge is not None and pledge.state is not PledgeState.CANCELED:
        cancel_pledge(context, member_id)  # the provider must not charge any more
    with context.store.write() as work:
        before = require_member(work, member_id)
        contact = work.members.contact(member_id)
        work.access.forget_person(before.id, before.email)
        work.outbox.erase_member(before.id)
        after = remove_sign_in(context, work, before)
        work.members.put_contact(contact._replace(died_on=died_on))
        queue_death_recorded(context, work, before, died_on=died_on)
        changed = ("died_on", "email")
        record_act(context, work, DIED_ACTION, after.key, why=why, changed=changed)
    return after


def _approved(context: Context, payload: Mapping[str, Any]) -> object:
    died_on = date.fromisoformat(payload[DIED_ON])
    member = member_of(context, payload)
    return record_death(context, member, died_on=died_on, why=payload["why"])


HANDLERS: Mapping[str, Handler] = {DIED_ACTION: _approved}
