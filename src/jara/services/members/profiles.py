"""Profile changes: name, address, password, news, checklist."""

from __future__ import annotations

from dataclasses import replace

from jara.domain.errors import EmailTaken, NotFound
from jara.domain.giving.member import (
    FieldErrors,
    Member,
    parse_email,
    parse_name,
    parse_new_password,
)
from jara.domain.giving.todo import TodoItem, todo_list, toggle_todo
from jara.services.context import Context
from jara.services.members.contributors import customer_handle, email_handle
from jara.services.members.ending import end_all_access
from jara.services.ports.database import UnitOfWork
from jara.services.ports.people import NOTIFICATIONS, Consent


def rename(context: Context, member_id: str, *, firstname: str, lastname: str) -> Member:
    """Change a member's name, here and at the payment provider.

    Raises:
        InvalidInput: a name breaks its rule.
    """
    errors = FieldErrors()
    first = errors.collect("firstname", lambda: parse_name(firstname, "first name"), "")
    last = errors.collect("lastname", lambda: parse_name(lastname, "last name"), "")
    errors.raise_any()
    with context.store.read() as work:
        member = replace(require_member(work, member_id), firstname=first, lastname=last)
    _tell_provider(context, member)
    with context.store.write() as work:
        work.members.update(member)
    return member


def change_email(context: Context, member_id: str, email: str) -> Member:
    """Change a member's address; every earlier session ends.

    Raises:
        InvalidInput: it is not an email address.
        EmailTaken: another member has it.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    address = parse_email(email)
    with context.store.read() as work:
        before = require_member(work, member_id)
        other = work.members.by_email(address)
        if other is not None and other.id != member_id:
            raise EmailTaken("Another account has this email address.")
    _tell_provider(context, replace(before, email=address))
    with context.store.write() as work:
        current = require_member(work, member_id)
        member = end_all_access(context, work, replace(current, email=address))
        _keep_handles(context, work, member)
        pending = work.registrations.by_member(member_id)
        if pending is not None:
            work.registrations.put(replace(pending, email=address))
    return member


def change_password(
    context: Context, member_id: str, *, password: str, confirmation: str
) -> Member:
    """Set a new password; every earlier session ends.

    Raises:
        InvalidInput: it breaks a rule, or the two differ.
    """
    parsed = parse_new_password(
        password, confirmation, common_passwords=context.rules.common_passwords
    )
    password_hash = context.hasher.hash(parsed)  # slow, so outside the transaction
    with context.store.write() as work:
        current = require_member(work, member_id)
        member = end_all_access(context, work, current)
        work.members.set_password_hash(member_id, password_hash)
    return member


def set_notifications(
    context: Context, member_id: str, *, wanted: bool, source: str = "website"
) -> Member:
    """Turn news on or off, and record the consent with its wording."""
    with context.store.write() as work:
        member = require_member(work, member_id)
        if member.notifications is wanted:
            return member
        member = replace(member, notifications=wanted)
        work.members.update(member)
        at = context.now()
        work.members.add_consent(
            Consent.of(member_id, NOTIFICATIONS, given=wanted, source=source, at=at)
        )
    return member


def set_todo(
    context: Context, member_id: str, item_id: str, *, completed: bool
) -> tuple[TodoItem, ...]:
    """Check or uncheck an item of the member's checklist.

    Raises:
        NotFound: the checklist has no such item.
    """
    with context.store.write() as work:
        require_member(work, member_id)
        toggled = toggle_todo(work.members.todo_done(member_id), item_id, completed=completed)
        work.members.set_todo_done(member_id, toggled)
    return todo_list(toggled)


def require_member(work: UnitOfWork, member_id: str) -> Member:
    """Return a member.

    Raises:
        NotFound: there is no member with that id.
    """
    member = work.members.get(member_id)
    if member is None:
        raise NotFound(f"There is no member '{member_id}'.")
    return member


def _tell_provider(context: Context, member: Member) -> None:
    """Copy name and address to the provider's customer."""
    with context.store.read() as work:
        pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        context.gateway.change_customer(
            pledge.customer_id,
            email=member.email,
            name=f"{member.firstname} {member.lastname}",
        )


def _keep_handles(context: Context, work: UnitOfWork, member: Member) -> None:
    work.contributors.forget(member.key)
    work.contributors.put(email_handle(context, member.email), member.key)
    pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        work.contributors.put(customer_handle(pledge.customer_id), member.key)
