"""Profile changes: name, password, news, checklist."""

from __future__ import annotations

from jara.domain.errors import NotFound
from jara.domain.giving.member import (
    FieldErrors,
    Member,
    TodoItem,
    parse_name,
    parse_new_password,
    todo_list,
    toggle_todo,
)
from jara.domain.language import parse_language
from jara.records.people import NOTIFICATIONS, Consent
from jara.services.context import Context
from jara.services.members.customers import copy_to_provider
from jara.services.members.ending import end_all_access
from jara.services.members.undoing import offer_undo
from jara.store.unit_of_work import UnitOfWork


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
        member = require_member(work, member_id)._replace(firstname=first, lastname=last)
    copy_to_provider(context, member)
    with context.store.write() as work:
        work.members.update(member)
    return member


def change_password(
    context: Context, member_id: str, *, password: str, confirmation: str
) -> Member:
    """Set a new password; every earlier session ends, and an email has a link to undo it.

    Raises:
        InvalidInput: it breaks a rule, or the confirmation differs.
    """
    parsed = parse_new_password(
        password, confirmation, common_passwords=context.rules.common_passwords
    )
    password_hash = context.hasher.hash(parsed)  # slow, so outside the transaction
    with context.store.write() as work:
        current = require_member(work, member_id)
        offer_undo(context, work, current, kind="password_changed")
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
        member = member._replace(notifications=wanted)
        work.members.update(member)
        at = context.now()
        work.members.add_consent(
            Consent.of(member_id, NOTIFICATIONS, given=wanted, source=source, at=at)
        )
    return member


def set_language(context: Context, member_id: str, language: str) -> Member:
    """Set the language of a member's emails, and of the website when they are signed in.

    Raises:
        InvalidInput: it is not a language code.
    """
    parsed = parse_language(language)
    with context.store.write() as work:
        member = require_member(work, member_id)._replace(language=parsed)
        work.members.update(member)
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
