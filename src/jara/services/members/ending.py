"""Ends everything that was issued to a member before a change of the account."""

from __future__ import annotations

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members.attempts import device_owner
from jara.services.members.devices import session_owner
from jara.services.ports.database import UnitOfWork


def end_all_access(context: Context, work: UnitOfWork, member: Member) -> Member:
    """End a member's sessions, mailed codes and known devices; return the updated member.

    A change of address, password or sessions calls it: nothing issued before works afterwards.
    The links that undo a change are kept, because they protect from whoever made it.
    """
    later = member._replace(session_epoch=member.session_epoch + 1)
    work.members.update(later)
    work.access.remove_all_codes(member.id)
    work.access.remove_pending_address(member.id)
    forget_devices(context, work, member.id)
    return later


def forget_devices(context: Context, work: UnitOfWork, member_id: str) -> None:
    """End a member's sessions, and forget the devices that signed in before."""
    work.sessions.end_owner(session_owner(context, member_id))
    work.access.remove_devices(device_owner(context, member_id))
