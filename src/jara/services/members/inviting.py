"""Invitations by email: the invited person sets the password; nobody else ever knows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from jara.domain.countries import find_country
from jara.domain.errors import EmailTaken
from jara.domain.giving.member import FieldErrors, Member, parse_email, parse_name
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.mailed_codes import make_code
from jara.services.members.contributors import KEY_PREFIX, email_handle
from jara.services.members.password_reset import PURPOSE
from jara.services.notices.emails import queue_email
from jara.store.unit_of_work import UnitOfWork

INVITATION_LIFE = timedelta(days=7)
ACTION = "members.invite"
_FIELDS = ("country", "email", "firstname", "lastname")


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationForm:
    """An operator's unchecked data about a new member."""

    firstname: str
    lastname: str
    email: str
    country: str


def invite_member(context: Context, form: InvitationForm) -> Member:
    """Add a member without a password, and email the link to set one.

    A member who has not accepted yet gets a new link; the old link stops working.

    Raises:
        InvalidInput: a field breaks its rule.
        EmailTaken: the address has a member who accepted, or an unfinished sign-up.
        Refused: operators are listed, and the acting one is not among them.
    """
    member = _read_form(context, form)
    with context.store.write() as work:
        require_operator(context, work, ACTION)
        if work.registrations.by_email(member.email) is not None:
            raise EmailTaken(f"Somebody is signing up with the address '{member.email}'.")
        known = work.members.by_email(member.email)
        if known is not None and known.email_confirmed:
            raise EmailTaken(f"'{member.email}' has an account already.")
        if known is None:
            work.members.add(member, password_hash=None)
            work.contributors.put(email_handle(context, member.email), member.key)
        invited = known or member
        send_invitation(context, work, member_id=invited.id, email=invited.email)
        record_act(context, work, ACTION, invited.key, changed=_FIELDS)
    return invited


def send_invitation(context: Context, work: UnitOfWork, *, member_id: str, email: str) -> None:
    """Queue the email with a link to set a password; an earlier link stops working."""
    code = make_code(context, work, purpose=PURPOSE, subject=member_id, life=INVITATION_LIFE)
    site = context.rules.site_url
    values = {
        "firstname": "",  # emails to an unconfirmed address contain no name
        "link": f"{site}/reset-password?code={code}",
        "privacy": f"{site}/privacy",
        "days": str(INVITATION_LIFE.days),
    }
    queue_email(context, work, "invitation", address=email, values=values, member_id=member_id)
    work.newcomers.invited(member_id, at=context.now())


def _read_form(context: Context, form: InvitationForm) -> Member:
    errors = FieldErrors()
    countries = context.rules.countries
    member = Member(
        id=context.new_id(),
        key=context.new_key(KEY_PREFIX),
        firstname=errors.collect("firstname", lambda: parse_name(form.firstname, "first name"), ""),
        lastname=errors.collect("lastname", lambda: parse_name(form.lastname, "last name"), ""),
        email=errors.collect("email", lambda: parse_email(form.email), ""),
        country=errors.collect("country", lambda: find_country(form.country, countries), ""),
        notifications=False,
        joined_at=context.now(),
        email_confirmed=False,
    )
    errors.raise_any()
    return member
