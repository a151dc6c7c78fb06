"""A member with a password, limits, and the changes that owners or others make to an account."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jara.domain.giving.member import Member, RegistrationForm
from jara.domain.organisation import PaymentMode
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.members.accounts import add_member, find_member
from jara.services.members.operators import confirm_member
from jara.services.members.password_resets import request_password_reset, reset_password
from jara.services.members.profiles import (
    change_password,
    confirm_address,
    request_email_change,
)
from jara.services.members.sessions import Session, sign_out_everywhere
from jara.services.rate_limits import Allowance, Limit
from tests.sent_emails import mailed_code
from tests.services.giving import joiners

PASSWORD = "woven-in-lagos"
NEW = "a-new-cloth-2026"
ADDRESS = "192.0.2.7"
LIMITS = {
    Limit.SIGN_IN_ACCOUNT: Allowance(3, 3600),
    Limit.SIGN_IN_ADDRESS: Allowance(5, 3600),
    Limit.SIGN_IN_UNKNOWN: Allowance(100, 86_400),
    Limit.EMAIL_EXISTS_ADDRESS: Allowance(3, 60),
    Limit.REGISTER_ADDRESS: Allowance(3, 3600),
    Limit.DECLINED_ADDRESS: Allowance(3, 3600),
    Limit.DECLINED_EMAIL: Allowance(2, 3600),
    Limit.VOTE_MEMBER: Allowance(3, 60),
    Limit.STATEMENT_MEMBER: Allowance(3, 60),
    Limit.PROVIDER_MEMBER: Allowance(3, 60),
    Limit.MAIL_ADDRESS: Allowance(2, 3600),
    Limit.MAIL_NETWORK: Allowance(8, 3600),
    Limit.MAIL_ALL: Allowance(10, 3600),
    Limit.DECLINED_ALL: Allowance(8, 3600),
}


def issuer() -> JwtIssuer:
    """Return an issuer with a key of its own."""
    return JwtIssuer(lambda: bytes(range(32)))


def form(**changes: Any) -> RegistrationForm:
    """Return the form of a person who joins."""
    own = {"password": PASSWORD, "country": "Canada", "notifications": True}
    return joiners.form(**{**own, **changes})


def a_member(context: Context, email: str = "ama@example.org") -> Member:
    """Make an account with a password and a confirmed address, and an empty outbox."""
    sandbox = replace(context, payment_mode=PaymentMode.SANDBOX)  # which operators confirm in
    member = confirm_member(sandbox, add_member(context, form(email=email)).email)
    with context.store.write() as work:
        work.outbox.erase_member(member.id)
    return member


def ask_for_reset(context: Context, email: str) -> None:
    """Ask for a link that sets a new password."""
    request_password_reset(context, LIMITS, email, network=ADDRESS)


def ask_for_address(
    context: Context, member_id: str, email: str, *, caller: Session | None = None
) -> Member:
    """Ask for a new address."""
    return request_email_change(context, LIMITS, member_id, email, network=ADDRESS, caller=caller)


def move_to(context: Context, member_id: str, email: str) -> Member:
    """Change the address and confirm the new one."""
    ask_for_address(context, member_id, email)
    confirm_address(context, mailed_code(context, "address_confirm", email))
    return find_member(context, member_id)


def move_away(context: Context, member_id: str) -> None:
    """Change the address to another one of the member."""
    move_to(context, member_id, "moved@example.org")


def set_password(context: Context, member_id: str) -> None:
    """Change the password."""
    change_password(context, member_id, password=NEW, confirmation=NEW)


def reset_by_mail(context: Context, member: str, password: str = NEW) -> str | None:
    """Set a password with an emailed code, for a member's id or address; return the device."""
    ask_for_reset(context, find_member(context, member).email)
    code = mailed_code(context, "password_reset")
    return reset_password(context, code=code, password=password, confirmation=password)


def accept_invitation(context: Context, address: str) -> None:
    """Set the password with the link of an invitation."""
    code = mailed_code(context, "invitation", address)
    reset_password(context, code=code, password=PASSWORD, confirmation=PASSWORD)


SECURED: dict[str, Callable[[Context, str], object]] = {
    "address": move_away,
    "password": set_password,
    "reset": reset_by_mail,
    "sessions": sign_out_everywhere,
}
"""The changes with which an owner secures an account."""
