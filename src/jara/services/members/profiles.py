"""Changes that members make to their account: name, address, password, and their undoing."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from jara.domain.countries import find_country
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import EmailTaken, JaraError, NotFound
from jara.domain.giving.member import (
    FieldErrors,
    Member,
    TodoItem,
    address_allows_vote,
    parse_email,
    parse_name,
    parse_new_password,
    todo_list,
    toggle_todo,
)
from jara.domain.language import parse_language
from jara.records.access import Passkey, PendingAddress, UndoCode
from jara.records.people import CONSENT_WORDING, NOTIFICATIONS
from jara.services.context import Context
from jara.services.mailed_codes import draw_code, hash_of, make_address_code, unusable
from jara.services.members import sessions
from jara.services.members.address_changes import note_change
from jara.services.members.contributors import keep_handles
from jara.services.members.sessions import Session, end_all_access
from jara.services.notices.choices import choose
from jara.services.notices.emails import queue_address_confirmation, queue_change_notice
from jara.services.notices.returned_emails import resume_sending, stopped
from jara.services.rate_limits import Limit, Limits, MailCause, acquire, mail_uses
from jara.store.unit_of_work import UnitOfWork

ADDRESS_CODE_HOURS = 24
_TAKEN = "Another account has this email address."
PLEDGE_CHANGED = "Your pledge was changed at the same time; please try again."
UNDO_HOURS = 72
_WEBSITE = "website"


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
        before = require_member(work, member_id)
    asked = before._replace(firstname=first, lastname=last)
    with copied_to_provider(context, before, asked), context.store.write() as work:
        member = require_member(work, member_id)._replace(firstname=first, lastname=last)
        work.members.update(member)
    return member


def change_password(
    context: Context,
    member_id: str,
    *,
    password: str,
    confirmation: str,
    caller: Session | None = None,
) -> Member:
    """Set a new password; other sessions and passkeys end, and an email has a link to undo it.

    The session of `caller`, which makes the change, continues.

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
        member = end_all_access(context, work, current, but=_name(caller))
        work.members.set_password_hash(member_id, password_hash)
    return member


def set_notifications(context: Context, member_id: str, *, wanted: bool) -> Member:
    """Turn emails on or off; a finer choice that was made before stays when they are on."""
    with context.store.write() as work:
        member = require_member(work, member_id)
        choice = EmailChoice.of(notifications=wanted)
        if member.notifications and wanted:
            choice = member.email_choice
        wording = CONSENT_WORDING[NOTIFICATIONS]
        return choose(context, work, member, choice, source=_WEBSITE, wording=wording)


def set_email_choice(context: Context, member_id: str, choice: EmailChoice) -> Member:
    """Set which emails a member gets, and record the consent with its wording."""
    with context.store.write() as work:
        return choose(context, work, require_member(work, member_id), choice, source=_WEBSITE)


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


def set_country(context: Context, member_id: str, country: str) -> Member:
    """Set a member's country.

    Raises:
        InvalidInput: there is no such country.
    """
    name = find_country(country, context.rules.countries)
    with context.store.write() as work:
        member = require_member(work, member_id)._replace(country=name)
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
        raise NotFound("There is no member '{member}'.", member=member_id)
    return member


@contextmanager
def copied_to_provider(context: Context, before: Member, after: Member) -> Iterator[None]:
    """Copy name and address to the provider's customer, which ends with what is stored here.

    That differs if the block fails, or if another request changes the member meanwhile.

    Raises:
        Unavailable: the provider did not answer.
    """
    if _for_provider(before) == _for_provider(after):
        yield
        return
    _copy_to_provider(context, after)
    try:
        yield
    finally:
        with suppress(JaraError):  # the first error is the one to tell
            copied = after
            while _for_provider(current := _stored(context, after)) != _for_provider(copied):
                _copy_to_provider(context, current)
                copied = current


def _for_provider(member: Member) -> tuple[str, str, str]:
    return member.firstname, member.lastname, member.email


def _stored(context: Context, member: Member) -> Member:
    """Return what is stored of a member; the same if the account is closed."""
    with context.store.read() as work:
        return work.members.get(member.id) or member


def _copy_to_provider(context: Context, member: Member) -> None:
    with context.store.read() as work:
        pledge = work.pledges.get(member.id)
    if pledge is not None and pledge.customer_id is not None:
        context.gateway.change_customer(
            pledge.customer_id, email=member.email, name=f"{member.firstname} {member.lastname}"
        )


def request_email_change(
    context: Context,
    limits: Limits,
    member_id: str,
    email: str,
    *,
    network: str,
    caller: Session | None = None,
) -> Member:
    """Email a code to a new address; the old address stays valid until the code is used.

    Every session except the caller's ends. For the current address, it only asks for
    confirmation.

    Raises:
        InvalidInput: it is not an email address.
        EmailTaken: another member has it.
        TooManyRequests: too many requests about addresses, or emails to this one.
    """
    address = parse_email(email)
    question = Limit.EMAIL_EXISTS_ADDRESS
    acquire(
        context,
        limits,
        (question, network),
        (question, f"member {member_id}"),
        *mail_uses(MailCause.CONFIRMATION, address, network=network),
    )
    with context.store.write() as work:
        member = require_member(work, member_id)
        require_free(work, address, member_id)
        member = sessions.end_sessions(context, work, member, but=_name(caller))
        is_fine = member.email_confirmed and stopped(context, work, address) is None
        if address != member.email or not is_fine:
            ask_to_confirm(context, work, member, address, session=_name(caller))
    return member


def confirm_address(context: Context, code: str) -> None:
    """Confirm the address that a code was sent to; its earlier gifts join the account.

    If the address changes, passkeys and sessions end, except the session that asked for the
    change, and old and new address get an email with a link to undo it.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        EmailTaken: another member has the address now.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    with context.store.read() as work:
        pending = _pending_of(context, work, code)
        member = require_member(work, pending.member_id)
        require_free(work, pending.email, member.id)
    asked = member._replace(email=pending.email)
    with copied_to_provider(context, member, asked), context.store.write() as work:
        pending = _pending_of(context, work, code)
        before = require_member(work, pending.member_id)
        require_free(work, pending.email, before.id)
        work.access.remove_pending_address(before.id)
        after = before._replace(email=pending.email, email_confirmed=True)
        if after.email != before.email:
            undo_hash = offer_undo(context, work, before, kind="address_changed", after=after)
            if not _is_own_change(before, code):
                note_change(context, work, before, undo_hash=undo_hash)
            asker = sessions.session_that_asked(context, work, before.id, code)
            after = end_all_access(context, work, after, but=asker)
        elif before.is_added and not before.email_confirmed:
            # An operator typed the password of the account, and so may have signed in.
            after = end_all_access(context, work, after)
            work.members.set_password_hash(after.id, "")
        work.members.update(after)
        resume_sending(context, work, before.email, after.email)
        keep_handles(context, work, after)


def _is_own_change(member: Member, code: str) -> bool:
    """Return whether a session of the member asked for a new address.

    An account that an operator added is not the member's own before they confirmed the address.
    """
    return sessions.has_asker(code) and address_allows_vote(
        email_confirmed=member.email_confirmed, is_added=member.is_added
    )


def ask_to_confirm(
    context: Context, work: UnitOfWork, member: Member, address: str, *, session: str | None = None
) -> None:
    """Queue the email with the link that confirms an address; an earlier link stops working.

    The link works for some hours, and does not end the session of that name, which asked for it.
    """
    code = make_address_code(
        context,
        work,
        member_id=member.id,
        email=address,
        life=timedelta(hours=ADDRESS_CODE_HOURS),
        ending="" if session is None else sessions.asked_by(context, session),
    )
    queue_address_confirmation(
        context, work, member, address=address, code=code, hours=ADDRESS_CODE_HOURS
    )


def require_free(work: UnitOfWork, address: str, member_id: str) -> None:
    """Require that no other member has an address.

    Raises:
        EmailTaken: another member has it.
    """
    other = work.members.by_email(address)
    if other is not None and other.id != member_id:
        raise EmailTaken(_TAKEN)


def _name(caller: Session | None) -> str | None:
    return None if caller is None else sessions.session_name(caller.claims.session_id)


def _pending_of(context: Context, work: UnitOfWork, code: str) -> PendingAddress:
    pending = work.access.pending_by_code(hash_of(code), now=context.now())
    if pending is None:
        raise unusable()
    return pending


def offer_undo(
    context: Context,
    work: UnitOfWork,
    before: Member,
    *,
    kind: str,
    after: Member | None = None,
    added: Passkey | None = None,
) -> str:
    """Store the account's earlier state, email the link that undoes the change, return its hash.

    Call it before the password is replaced and passkeys are removed: the email names them. `kind`
    is the email that reports it, `after` the member with the new address, who gets it too, and
    `added` the passkey that the change is about.
    """
    passkeys = work.passkeys.of_member(before.id) if added is None else [added]
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
        queue_change_notice(
            context, work, kind, member, passkeys=passkeys, code=code, hours=UNDO_HOURS
        )
    return hash_of(code)


def undo_change(context: Context, code: str) -> None:
    """Restore address and password as they were before a change; sessions and passkeys end.

    An attacker who changed the account several times cannot revert the undo: links of later
    changes stop working, while links of earlier ones still work.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        EmailTaken: another member has the earlier address now.
        Unavailable: the payment provider did not answer; nothing was changed.
    """
    with context.store.read() as work:
        undo, member = _undo_of(context, work, code)
    asked = member._replace(email=undo.email)
    with copied_to_provider(context, member, asked), context.store.write() as work:
        undo, member = _undo_of(context, work, code)
        work.address_changes.undo(undo.member_id, since=undo.seq)
        work.access.remove_undos(undo.member_id, since=undo.seq)
        restored = end_all_access(
            context, work, member._replace(email=undo.email, email_confirmed=undo.email_confirmed)
        )
        work.members.set_password_hash(restored.id, undo.password_hash)
        keep_handles(context, work, restored)


def _undo_of(context: Context, work: UnitOfWork, code: str) -> tuple[UndoCode, Member]:
    undo = work.access.undo(hash_of(code), now=context.now())
    member = None if undo is None else work.members.get(undo.member_id)
    if undo is None or member is None:
        raise unusable()
    return undo, member
