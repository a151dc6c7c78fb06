"""Addresses that an operator changed: the account has no vote until somebody else agrees.

Whoever reads the new mailbox can sign in. So the member is on no roll of a vote that is open or
opens within 14 days, until the old address agrees by an emailed link, or a second operator signs.
Somebody who had no address has nobody to object, so this waits for the second operator.
A ballot that was cast before the change counts.
"""

from collections.abc import Mapping
from datetime import date

from jara.domain.errors import Conflict
from jara.domain.giving.changemaker import ADDRESS_HOLD
from jara.domain.giving.member import Member
from jara.domain.publiclog.leaves import LeafType
from jara.domain.voting.proposal import ProposalStatus
from jara.records.access import AddressChange, Agreement
from jara.records.operations import Approval
from jara.services.approvals import Handler, Shared, require_not_waiting, share
from jara.services.audit import record_act
from jara.services.context import Context
from jara.services.mailed_codes import draw_code, hash_of, unusable
from jara.services.notices.emails import queue_address_agreement
from jara.services.notices.returned_emails import EMAILS_KEPT
from jara.store.unit_of_work import UnitOfWork

ACTION = "members.vouch"
MEMBER = "member"
"""Payload key: the id of the member whom a waiting act concerns."""
_CHANGES = "changes"


def note_change(
    context: Context,
    work: UnitOfWork,
    before: Member,
    *,
    undo_hash: str = "",
    is_removal: bool = False,
) -> None:
    """Note that an operator changed an address, and ask the old one to agree.

    `undo_hash` is of the code that undoes it; with `is_removal` there is no new address.
    """
    code, now = draw_code(context), context.now()
    work.address_changes.add(AddressChange(hash_of(code), before.id, before.email, now, undo_hash))
    until = context.zone.day_of(now + ADDRESS_HOLD)
    queue_address_agreement(context, work, before, code=code, until=until, is_removal=is_removal)


def agree_to_address(context: Context, code: str) -> None:
    """Agree, at the old address, that an operator changed it.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
    """
    with context.store.write() as work:
        change = work.address_changes.by_code(hash_of(code))
        if change is None or change.state is Agreement.OWNER:
            raise unusable()
        work.address_changes.agree(change, Agreement.OWNER)


def vouch_for_address(context: Context, text: str, *, why: str) -> Member | Approval:
    """Vouch for the address that an operator gave a member; another operator has to approve.

    Raises:
        NotFound: there is no such member.
        Conflict: no change of the address waits, or it waits for approval already.
    """
    with context.store.write() as work:
        member = work.members.find(text)
        changes = [one.code_hash for one in work.address_changes.waiting(member.id)]
        if context.approved is not None:
            changes = list(context.approved.payload[_CHANGES])  # not those made since it was asked
        elif not changes:
            raise Conflict(f"'{text}' needs nobody to vouch for the address.")
        else:
            require_not_waiting(work, ACTION, {MEMBER: member.id}, member.label)
        waiting = share(
            context,
            work,
            Shared(
                action=ACTION,
                payload={MEMBER: member.id, _CHANGES: changes, "why": why},
                why=why,
                public={},
                leaf_type=LeafType.APPROVAL,
            ),
        )
        if waiting is not None:
            return waiting
        for change in work.address_changes.waiting(member.id):
            if change.code_hash in changes:
                work.address_changes.agree(change, Agreement.OPERATORS)
        record_act(context, work, ACTION, member.key, why=why)
    return member


def held_since(context: Context, work: UnitOfWork, member_id: str) -> date | None:
    """Return the day of the change that holds a member's vote; None if nothing holds it."""
    waiting = work.address_changes.waiting(member_id)
    if not waiting:
        return None
    opened = (one.opened_at for one in work.proposals.all(ProposalStatus.OPEN))
    first = min([context.now(), *(at for at in opened if at)]) - ADDRESS_HOLD
    held = [one for one in waiting if one.changed_at >= first or not one.email]
    days = [context.zone.day_of(one.changed_at) for one in held]
    return days[-1] if days else None


def forget_changes(context: Context, work: UnitOfWork) -> int:
    """Delete the changes that concern no open vote and no email any more; return how many."""
    cut = context.now() - EMAILS_KEPT
    opened = (one.opened_at for one in work.proposals.all(ProposalStatus.OPEN))
    return work.address_changes.forget(min([cut, *(at - ADDRESS_HOLD for at in opened if at)]))


HANDLERS: Mapping[str, Handler] = {
    ACTION: lambda context, payload: vouch_for_address(context, payload[MEMBER], why=payload["why"])
}
