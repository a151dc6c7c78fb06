"""Emails about an account: its password, its address, and its end."""

from __future__ import annotations

from jara.domain.giving.member import Member
from jara.domain.language import ENGLISH
from jara.services.context import Context
from jara.services.notices.emails import (
    confirm_url,
    make_email,
    queue_email,
    queue_member_email,
)
from jara.store.unit_of_work import UnitOfWork

_NOBODY = "nobody"


def queue_password_reset(
    context: Context, work: UnitOfWork, member: Member | None, *, code: str, minutes: int
) -> None:
    """Queue the link with which a member sets a new password.

    Without a member it does the same work but queues nothing, so that the response time does not
    reveal whether an address has an account.
    """
    email = make_email(
        context,
        "password_reset",
        address=_NOBODY if member is None else member.email,
        values={
            "firstname": _NOBODY if member is None else member.greeting_name,
            "language": ENGLISH if member is None else member.language,
            "link": f"{context.rules.site_url}/reset-password?code={code}",
            "minutes": str(minutes),
        },
        member_id=_NOBODY if member is None else member.id,
        once_key=None,
    )
    work.outbox.add(email)
    work.outbox.remove(email.id if member is None else _NOBODY)


def queue_address_confirmation(
    context: Context, work: UnitOfWork, member: Member, *, address: str, code: str, hours: int
) -> None:
    """Queue the email that asks a member to confirm an address; it greets nobody by name."""
    values = {
        "firstname": "",
        "language": member.language,
        "link": confirm_url(context, code),
        "hours": str(hours),
    }
    queue_email(
        context, work, "address_confirm", address=address, values=values, member_id=member.id
    )


def queue_change_notice(
    context: Context,
    work: UnitOfWork,
    kind: str,
    member: Member,
    *,
    code: str,
    hours: int,
) -> None:
    """Report a changed address or password, with the link that undoes it."""
    values = {"link": f"{context.rules.site_url}/undo-change?code={code}", "hours": str(hours)}
    queue_member_email(context, work, kind, member, values=values)


def queue_account_closed(context: Context, work: UnitOfWork, member: Member) -> bool:
    """Queue the goodbye; without a member id, so that erasing the member keeps it."""
    return queue_email(
        context,
        work,
        "account_closed",
        address=member.email,
        values={"firstname": member.greeting_name, "language": member.language},
    )
