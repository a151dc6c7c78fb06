"""Undoes a change of address or password within 72 hours, with an emailed link."""

from __future__ import annotations

from datetime import timedelta

from jara.domain.giving.member import Member
from jara.records.access import UndoCode
from jara.services.context import Context
from jara.services.mailed_codes import draw_code, hash_of, unusable
from jara.services.members.customers import copy_to_provider, keep_handles
from jara.services.members.ending import end_all_access
from jara.services.notices.account_emails import queue_change_notice
from jara.store.unit_of_work import UnitOfWork

UNDO_HOURS = 72


def offer_undo(
    context: Context, work: UnitOfWork, before: Member, *, kind: str, after: Member | None = None
) -> None:
    """Store the account's earlier state, and email the link that undoes the change.

    Call it before the password is replaced.

    Args:
        context: the application context.
        work: the transaction of the change.
        before: the member before the change.
        kind: the email that reports it.
        after: the member with the new address, who gets the email too.
    """
    code = draw_code(context)
    work.access.put_undo(
        UndoCode(
            code_hash=hash_of(code),
            member_id=before.id,
            seq=work.access.next_undo(before.id),
            email=before.email,
            email_confirmed=before.email_confirmed,
            password_hash=work.members.password_hash(before.id) or "",
            expires_at=context.now() + timedelta(hours=UNDO_HOURS),
        )
    )
    for member in (before,) if after is None else (before, after):
        queue_change_notice(context, work, kind, member, code=code, hours=UNDO_HOURS)


def undo_change(context: Context, code: str) -> None:
    """Restore address and password as they were before a change; every session ends.

    Passkeys are removed, because an attacker may have added one.

    An attacker who changed the account several times cannot revert the undo: links of later
    changes stop working, while links of earlier ones still work.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        EmailTaken: another member has the earlier address now.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    with context.store.read() as work:
        undo = _undo_of(context, work, code)
        member = work.members.get(undo.member_id)
    if member is not None and member.email != undo.email:
        copy_to_provider(context, member._replace(email=undo.email))
    with context.store.write() as work:
        undo = _undo_of(context, work, code)
        work.access.remove_undos(undo.member_id, since=undo.seq)
        member = work.members.get(undo.member_id)
        if member is None:
            raise unusable()
        restored = end_all_access(
            context,
            work,
            member._replace(email=undo.email, email_confirmed=undo.email_confirmed),
        )
        work.members.set_password_hash(restored.id, undo.password_hash)
        work.passkeys.remove_all(restored.id)  # one of them may be an attacker's
        keep_handles(context, work, restored)


def _undo_of(context: Context, work: UnitOfWork, code: str) -> UndoCode:
    undo = work.access.undo(hash_of(code), now=context.now())
    if undo is None:
        raise unusable()
    return undo
