"""A member's customer at the payment provider, and the member's handles."""

from __future__ import annotations

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members.contributors import customer_handle, email_handle
from jara.store.unit_of_work import UnitOfWork


def copy_to_provider(context: Context, member: Member) -> None:
    """Copy name and email address to the provider's customer.

    Raises:
        Unavailable: the provider did not answer.
    """
    with context.store.read() as work:
        pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        context.gateway.change_customer(
            pledge.customer_id,
            email=member.email,
            name=f"{member.firstname} {member.lastname}",
        )


def keep_handles(context: Context, work: UnitOfWork, member: Member) -> None:
    """Replace the handles of a member; only a confirmed address adds gifts to the account."""
    work.contributors.forget(member.key)
    if member.email_confirmed:
        work.contributors.put(email_handle(context, member.email), member.key)
    pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        work.contributors.put(customer_handle(pledge.customer_id), member.key)
