"""Mending a member's name, country, address, language and choice of emails, as an operator."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from jara.domain.content.values import check_line
from jara.domain.countries import find_country
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import InvalidInput
from jara.domain.giving.member import NAME_MAX, FieldErrors, Member, parse_email, parse_name
from jara.domain.language import Language, parse_language
from jara.records.people import MemberContact
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.members import profiles
from jara.services.members.accounts import send_invitation
from jara.services.members.address_changes import note_change
from jara.services.members.contributors import email_handle, keep_handles
from jara.services.members.sessions import end_all_access
from jara.services.notices.choices import choose
from jara.store.unit_of_work import UnitOfWork

ACTION = "members.edit"
REMOVE_ADDRESS = "members.remove-address"
POSTAL_LINES_MAX = 6


class MemberEdit(NamedTuple):
    """What an operator changes of a member, unchecked; None leaves it as it is."""

    firstname: str | None = None
    lastname: str | None = None
    country: str | None = None
    email: str | None = None
    email_choice: EmailChoice | None = None
    language: str | None = None
    postal: str | None = None
    phone: str | None = None


_OF_CONTACT = ("postal", "phone")
_OF_MEMBER = tuple(name for name in MemberEdit._fields if name not in _OF_CONTACT)
_AT_ONCE = ("firstname", "lastname", "country", "language")


def edit_member(context: Context, text: str, edit: MemberEdit, *, why: str = "") -> Member:
    """Change a member's values, and ask a new address to confirm itself.

    The old address stays valid until the link in the email is used, and is then asked to agree;
    see `jara.services.members.address_changes`. Somebody who was invited and
    has not accepted has no other address to sign in with: the invitation goes to the new one.

    Raises:
        NotFound: there is no such member.
        InvalidInput: a field breaks its rule, or nothing is to be changed.
        EmailTaken: another member has the address.
        Refused: operators are listed, and the acting one is not among them.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    with context.store.write() as work:
        require_operator(context, work, ACTION)
        before = work.members.find(text)
        known = work.members.contact(before.id)
    asked = _read(context, before, edit)
    contact = _read_contact(known, edit)
    changed = [name for name in _OF_MEMBER if getattr(before, name) != getattr(asked, name)]
    changed += [name for name in _OF_CONTACT if getattr(known, name) != getattr(contact, name)]
    is_unconfirmed = edit.email is not None and not before.email_confirmed
    if not changed and not is_unconfirmed:
        raise InvalidInput(
            "Nothing to change: {email} has these values already.", email=before.label
        )
    with context.store.read() as work:
        profiles.require_free(work, asked.email, before.id)
    values = {name: getattr(asked, name) for name in changed if name in _AT_ONCE}
    copied = profiles.copied_to_provider(context, before, before._replace(**values))
    with copied, context.store.write() as work:
        profiles.require_free(work, asked.email, before.id)
        # Another request may have changed the member while the provider was asked.
        named = profiles.require_member(work, before.id)._replace(**values)
        work.members.update(named)
        if contact != known:
            work.members.put_contact(_read_contact(work.members.contact(before.id), edit))
        if edit.email_choice is not None:
            named = choose(context, work, named, edit.email_choice, source="operator")
        if edit.email is not None and (is_unconfirmed or asked.email != before.email):
            named = _move(context, work, named, asked.email)
        record_act(context, work, ACTION, before.key, why=why, changed=changed)
    return named


def drop_address(context: Context, member_id: str, *, why: str) -> Member:
    """Remove a member's address and every way to sign in."""
    with context.store.write() as work:
        require_operator(context, work, REMOVE_ADDRESS)
        before = profiles.require_member(work, member_id)
        # Emails about open votes go to the old address.
        note_change(context, work, before, is_removal=True)
        work.access.remove_pending_address(before.id)
        work.access.remove_undos(before.id, since=0)  # or the address could come back
        after = remove_sign_in(context, work, before)
        record_act(context, work, REMOVE_ADDRESS, after.key, why=why, changed=("email",))
    return after


def remove_sign_in(context: Context, work: UnitOfWork, member: Member) -> Member:
    """Remove a member's address, password and sessions; return the member without an address."""
    bare = member._replace(email="", email_confirmed=False, is_added=True)
    after = end_all_access(context, work, bare)
    work.members.update(after)
    work.members.remove_password(after.id)
    keep_handles(context, work, after)
    return after


def parse_postal(text: str) -> str:
    """Return a postal address: its lines without blanks around them; commas divide lines too.

    Raises:
        InvalidInput: it is too long, or a line has a control character.
    """
    lines = [line.strip() for line in text.replace(", ", "\n").split("\n") if line.strip()]
    for line in lines:
        check_line("postal address", line)
    if len(lines) > POSTAL_LINES_MAX or any(len(line) > NAME_MAX for line in lines):
        raise InvalidInput(
            f"A postal address has at most {POSTAL_LINES_MAX} lines of {NAME_MAX} characters."
        )
    return "\n".join(lines)


def parse_phone(text: str) -> str:
    """Return a telephone number as it was typed.

    Raises:
        InvalidInput: it has other characters than digits, spaces, + ( ) . - / or too few digits.
    """
    phone = " ".join(text.split())
    if phone and not re.fullmatch(
        r"\+?(?:[ ()./-]*\d){5,15}(?: ?(?:x|ext\.?|poste) ?\d{1,6})?", phone
    ):
        raise InvalidInput(f"'{phone[:30]}' is not a telephone number like +1 514 555 0199.")
    return phone


def _read_contact(known: MemberContact, edit: MemberEdit) -> MemberContact:
    return known._replace(
        postal=known.postal if edit.postal is None else parse_postal(edit.postal),
        phone=known.phone if edit.phone is None else parse_phone(edit.phone),
    )


def _read(context: Context, member: Member, edit: MemberEdit) -> Member:
    """Check the new values, and return the member with them."""
    errors = FieldErrors()

    def check(name: str, text: str | None, parse: Callable[[str], str], present: str) -> str:
        return present if text is None else errors.collect(name, lambda: parse(text), present)

    def country(text: str) -> str:
        return find_country(text, context.rules.countries)

    first, last = partial(parse_name, what="first name"), partial(parse_name, what="last name")
    edited = member._replace(
        firstname=check("firstname", edit.firstname, first, member.firstname),
        lastname=check("lastname", edit.lastname, last, member.lastname),
        country=check("country", edit.country, country, member.country),
        email=check("email", edit.email, parse_email, member.email),
        email_choice=edit.email_choice or member.email_choice,
        language=Language(check("language", edit.language, parse_language, member.language)),
    )
    errors.raise_any()
    return edited


def _move(context: Context, work: UnitOfWork, member: Member, address: str) -> Member:
    """Send the link that makes an address the member's; who has one has not died."""
    contact = work.members.contact(member.id)
    if contact.died_on is not None:
        work.members.put_contact(contact._replace(died_on=None))
    if member.email_confirmed or work.members.password_hash(member.id) is not None:
        profiles.ask_to_confirm(context, work, member, address)
        return member
    if work.pledges.get(member.id) is not None or work.payments.of_member(member.key):
        note_change(context, work, member)  # otherwise there is nothing to hand over
    moved = end_all_access(context, work, member._replace(email=address))
    work.members.update(moved)
    work.contributors.forget(member.key)
    work.contributors.put(email_handle(context, address), member.key)
    send_invitation(context, work, member_id=moved.id, email=address)
    return moved
