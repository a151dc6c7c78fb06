"""Ends all access issued to a member before a change of the account."""

from __future__ import annotations

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members.attempts import device_owner
from jara.services.members.devices import session_owner
from jara.store.unit_of_work import UnitOfWork


def end_all_access(context: Context, work: UnitOfWork, member: Member) -> Member:
    """End a member's sessions, mailed codes and known devices; return the updated member.

    Changes of address, password or sessions call this: nothing issued earlier works afterwards.
    Undo links stay valid, because they protect against an attacker who made the change.
    """
    later = member._replace(session_epoch=member.session_epoch + 1)
    work.members.update(later)
    work.access.remove_all_codes(member.id)
    work.access.remove_pending_address(member.id)
    forget_devices(context, work, member.id)
    return later


def forget_devices(context: Context, work: UnitOfWork, member_id: str) -> None:
    """End a member's sessions, and forget the known devices."""
    work.sessions.end_owner(session_owner(context, member_id))
    work.access.remove_devices(device_owner(context, member_id))
