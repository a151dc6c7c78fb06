"""Changes of a member's email address, confirmed by an emailed code."""

from __future__ import annotations

from datetime import timedelta

from jara.domain.errors import EmailTaken
from jara.domain.giving.member import Member, parse_email
from jara.records.access import PendingAddress
from jara.services.context import Context
from jara.services.mailed_codes import hash_of, make_address_code, unusable
from jara.services.members.customers import copy_to_provider, keep_handles
from jara.services.members.ending import end_all_access
from jara.services.members.profiles import require_member
from jara.services.members.undoing import offer_undo
from jara.services.notices.account_emails import queue_address_confirmation
from jara.services.rate_limits import Limit, Limits, acquire, acquire_within
from jara.store.unit_of_work import UnitOfWork

CODE_HOURS = 24
_TAKEN = "Another account has this email address."


def request_email_change(
    context: Context, limits: Limits, member_id: str, email: str, *, network: str
) -> Member:
    """Email a code to a new address; the old address stays valid until the code is used.

    Every earlier session ends. For the current address, it only asks for confirmation.

    Raises:
        InvalidInput: it is not an email address.
        EmailTaken: another member has it.
        TooManyRequests: too many requests about addresses, or emails to this one.
    """
    address = parse_email(email)
    question = Limit.EMAIL_EXISTS_ADDRESS
    acquire(context, limits, (question, network), (question, f"member {member_id}"))
    with context.store.write() as work:
        member = require_member(work, member_id)
        _require_free(work, address, member_id)
        if address != member.email or not member.email_confirmed:
            acquire_within(context, work, limits, [(Limit.MAIL_ADDRESS, f"confirm {address}")])
        member = end_all_access(context, work, member)
        if address != member.email or not member.email_confirmed:
            _ask(context, work, member, address)
    return member


def confirm_address(context: Context, code: str) -> None:
    """Confirm the address that a code was sent to; its earlier gifts join the account.

    If the address changes, old and new address get an email with a link to undo it.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        EmailTaken: another member has the address now.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    with context.store.read() as work:
        pending = _pending_of(context, work, code)
        member = require_member(work, pending.member_id)
        _require_free(work, pending.email, member.id)
    if member.email != pending.email:
        copy_to_provider(context, member._replace(email=pending.email))
    with context.store.write() as work:
        pending = _pending_of(context, work, code)
        before = require_member(work, pending.member_id)
        _require_free(work, pending.email, before.id)
        work.access.remove_pending_address(before.id)
        after = before._replace(email=pending.email, email_confirmed=True)
        if after.email != before.email:
            work.access.remove_all_codes(before.id)
            offer_undo(context, work, before, kind="address_changed", after=after)
        work.members.update(after)
        keep_handles(context, work, after)


def _ask(context: Context, work: UnitOfWork, member: Member, address: str) -> None:
    life = timedelta(hours=CODE_HOURS)
    code = make_address_code(context, work, member_id=member.id, email=address, life=life)
    queue_address_confirmation(context, work, member, address=address, code=code, hours=CODE_HOURS)


def _require_free(work: UnitOfWork, address: str, member_id: str) -> None:
    other = work.members.by_email(address)
    if other is not None and other.id != member_id:
        raise EmailTaken(_TAKEN)


def _pending_of(context: Context, work: UnitOfWork, code: str) -> PendingAddress:
    pending = work.access.pending_by_code(hash_of(code), now=context.now())
    if pending is None:
        raise unusable()
    return pending
