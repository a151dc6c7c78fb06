"""Accounts: added by an operator, invited by email, closed by the member, erased."""

from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta

from jara.domain.countries import find_country
from jara.domain.email_kinds import EmailChoice
from jara.domain.errors import Conflict, EmailTaken, InvalidInput, Unavailable
from jara.domain.giving.member import (
    FieldErrors,
    Member,
    RegistrationForm,
    parse_email,
    parse_name,
    parse_registration,
)
from jara.domain.giving.pledge import Pledge, PledgeState, move_pledge
from jara.domain.lookup import fold
from jara.records.people import NOTIFICATIONS, Consent
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.mailed_codes import INVITATION, make_code
from jara.services.members.contributors import KEY_PREFIX, email_handle
from jara.services.members.profiles import PLEDGE_CHANGED, require_member
from jara.services.members.sessions import forget_devices
from jara.services.notices.emails import password_url, queue_account_closed, queue_email
from jara.services.organisation import REWRITES_DUE
from jara.store.unit_of_work import UnitOfWork

PERSONAL_FIELDS = (
    *("country", "email", "email_choice", "firstname", "lastname", "password"),
    *("phone", "postal"),
)
"""The fields that the audit log lists when an account is added or erased."""

INVITATION_LIFE = timedelta(days=7)
ADD_ACTION = "members.add"
INVITE_ACTION = "members.invite"
ERASE_ACTION = "members.erase"
_INVITED_FIELDS = ("country", "email", "firstname", "lastname")


def find_member(context: Context, text: str) -> Member:
    """Return the member with that email, id, or unique prefix of an id or key.

    Raises:
        NotFound: no member matches.
        Conflict: several members match.
    """
    with context.store.read() as work:
        return work.members.find(text)


def add_member(context: Context, form: RegistrationForm) -> Member:
    """Add an account without a pledge, on the command line, and email the link to accept it.

    Until the member has set a password of their own with the link, the account cannot vote.

    Raises:
        InvalidInput: a field breaks its rule.
        EmailTaken: the address has a member or an unfinished sign-up.
        Refused: operators are listed, and the acting one is not among them.
    """
    rules = context.rules
    parsed = parse_registration(
        form, countries=rules.countries, common_passwords=rules.common_passwords
    )
    member = Member(
        id=context.new_id(),
        key=context.new_key(KEY_PREFIX),
        firstname=parsed.firstname,
        lastname=parsed.lastname,
        email=parsed.email,
        country=parsed.country,
        email_choice=EmailChoice.of(notifications=parsed.notifications),
        joined_at=context.now(),
        language=parsed.language,
        is_added=True,
    )
    password_hash = context.hasher.hash(parsed.password)  # outside the transaction
    with context.store.write() as work:
        require_operator(context, work, ADD_ACTION)
        if work.registrations.by_email(member.email) is not None:
            raise EmailTaken(
                "Somebody is signing up with the address '{email}'.", email=member.email
            )
        work.members.add(member, password_hash=password_hash)
        work.contributors.put(email_handle(context, member.email), member.key)
        send_invitation(context, work, member_id=member.id, email=member.email)
        if member.notifications:
            at = context.now()
            work.members.add_consent(
                Consent.of(member.id, NOTIFICATIONS, given=True, source="operator", at=at)
            )
        record_act(context, work, ADD_ACTION, member.key, changed=PERSONAL_FIELDS)
    return member


def close_account(context: Context, member_id: str) -> None:
    """Close an account at the member's request, with a goodbye email, and erase it.

    Raises:
        NotFound: there is no such member.
        Unavailable: the provider did not cancel; the account stays open.
    """
    member, customers = _leave_provider(context, member_id)
    with context.store.write() as work:
        pledge = _erase(context, work, member, customers)
        queue_account_closed(context, work, member, pledge, by_operator=False)
    context.store.truncate_log()


def erase_member(context: Context, member_id: str, *, why: str) -> Member:
    """As an operator, erase a member with all personal data, and say so; return the member.

    Entries and accepted ballots stay, under a random key that identifies nobody.

    Raises:
        NotFound: there is no such member.
        Unavailable: the provider did not cancel; the account stays open.
    """
    with context.store.write() as work:
        require_operator(context, work, ERASE_ACTION)
    member, customers = _leave_provider(context, member_id)
    with context.store.write() as work:
        pledge = _erase(context, work, member, customers)
        queue_account_closed(context, work, member, pledge, by_operator=True)
        changed = PERSONAL_FIELDS
        record_act(context, work, ERASE_ACTION, member.key, why=why, changed=changed)
    context.store.truncate_log()
    return member


def _leave_provider(context: Context, member_id: str) -> tuple[Member, set[str | None]]:
    """Cancel at the provider first, so that nobody is charged after leaving.

    Return the member and the customers that were deleted there.
    """
    with context.store.read() as work:
        member, pledge = require_member(work, member_id), work.pledges.get(member_id)
    customers = {None if pledge is None else pledge.customer_id}
    try:
        customers |= set(context.gateway.find_customers(member_id=member.id, email=member.email))
        for customer in sorted(filter(None, customers)):
            context.gateway.delete_customer(customer)
    except Unavailable as error:
        raise type(error)(
            "The account is still open: the payment provider could not cancel the pledge; "
            "try again in a moment."
        ) from error
    return member, {None, *customers}


def erase_account(context: Context, work: UnitOfWork, member_id: str) -> None:
    """Erase a member who is not a customer at the provider, in the caller's transaction."""
    _erase(context, work, require_member(work, member_id), {None})


def _erase(
    context: Context, work: UnitOfWork, member: Member, customers: Container[str | None]
) -> Pledge | None:
    """Erase a member; return the pledge that it ended, if there was one.

    Raises:
        Conflict: the pledge has a customer that was not deleted at the provider.
    """
    work.meta.count_up(REWRITES_DUE)
    pledge = work.pledges.get(member.id)
    if pledge is not None:
        if pledge.customer_id not in customers:
            raise Conflict(PLEDGE_CHANGED)
        # The pledge history stays for the reports, and ends now.
        now = context.now()
        canceled = move_pledge(pledge, PledgeState.CANCELED, at=now)
        work.pledges.put(canceled, member_key=member.key, at=now)
    pending = work.registrations.by_member(member.id)
    if pending is not None:
        work.registrations.remove(pending.id)
    work.contributors.forget(member.key)
    work.outbox.erase_member(member.id)
    work.gift_promises.forget_address(member.email)
    work.access.forget_person(member.id, member.email)
    forget_devices(context, work, member.id)
    work.passkeys.remove_all(member.id)
    work.members.erase(member.id)
    return pledge


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationForm:
    """An operator's unchecked data about a new member."""

    firstname: str
    lastname: str
    email: str
    country: str


def add_without_address(context: Context, form: InvitationForm) -> Member:
    """Add a member who has no email address: they can give, and cannot sign in or vote.

    Raises:
        InvalidInput: a field breaks its rule, or there is a member of that name without an address.
        Refused: operators are listed, and the acting one is not among them.
    """
    member = _read_invitation(context, form, has_address=False)
    with context.store.write() as work:
        require_operator(context, work, ADD_ACTION)
        for one in work.members.without_address():
            if fold(one.names[0]) == fold(member.names[0]):
                raise InvalidInput(f"There is a member {one.label} without an address already.")
        work.members.add(member, password_hash=None)
        record_act(context, work, ADD_ACTION, member.key, changed=PERSONAL_FIELDS)
    return member


def invite_member(context: Context, form: InvitationForm) -> Member:
    """Add a member without a password, and email the link to set one.

    A member who has not accepted yet gets a new link; the old link stops working.

    Raises:
        InvalidInput: a field breaks its rule.
        EmailTaken: the address has a member who accepted, or an unfinished sign-up.
        Refused: operators are listed, and the acting one is not among them.
    """
    member = _read_invitation(context, form)
    with context.store.write() as work:
        require_operator(context, work, INVITE_ACTION)
        if work.registrations.by_email(member.email) is not None:
            raise EmailTaken(
                "Somebody is signing up with the address '{email}'.", email=member.email
            )
        existing = work.members.by_email(member.email)
        if existing is not None and existing.email_confirmed:
            raise EmailTaken("'{email}' has an account already.", email=member.email)
        if existing is None:
            work.members.add(member, password_hash=None)
            work.contributors.put(email_handle(context, member.email), member.key)
        invited = existing or member
        send_invitation(context, work, member_id=invited.id, email=invited.email)
        record_act(context, work, INVITE_ACTION, invited.key, changed=_INVITED_FIELDS)
    return invited


def send_invitation(context: Context, work: UnitOfWork, *, member_id: str, email: str) -> None:
    """Queue the email with a link to set a password; an earlier link stops working.

    Raises:
        Conflict: there is no address to send it to.
    """
    if not email:
        raise Conflict(
            f"There is no address; add one first: jara members edit {member_id} --email ADDRESS"
        )
    work.access.remove_codes(INVITATION, member_id)
    code = make_code(context, work, purpose=INVITATION, subject=member_id, life=INVITATION_LIFE)
    values = {
        "firstname": "",  # emails to an unconfirmed address contain no name
        "privacy": f"{context.rules.site_url}/privacy",
        "days": str(INVITATION_LIFE.days),
    }
    queue_email(
        context,
        work,
        "invitation",
        address=email,
        values=values,
        member_id=member_id,
        link=password_url(context, code, is_first=True),
    )
    work.newcomers.invited(member_id, at=context.now())


def _read_invitation(context: Context, form: InvitationForm, *, has_address: bool = True) -> Member:
    errors = FieldErrors()
    countries = context.rules.countries
    member = Member(
        id=context.new_id(),
        key=context.new_key(KEY_PREFIX),
        firstname=errors.collect("firstname", lambda: parse_name(form.firstname, "first name"), ""),
        lastname=errors.collect("lastname", lambda: parse_name(form.lastname, "last name"), ""),
        email=errors.collect("email", lambda: parse_email(form.email), "") if has_address else "",
        country=errors.collect("country", lambda: find_country(form.country, countries), ""),
        email_choice=EmailChoice.NOTHING,
        joined_at=context.now(),
        language=context.rules.language,
        is_added=True,
    )
    errors.raise_any()
    return member
