"""Set-up for the sign-in tests: a token issuer, limits, and a member with a password."""

from dataclasses import replace

from jara.domain.giving.member import Member, RegistrationForm
from jara.domain.organisation import PaymentMode
from jara.security.tokens import JwtIssuer
from jara.services.context import Context
from jara.services.members.accounts import add_member
from jara.services.members.operators import confirm_member
from jara.services.rate_limits import Allowance, Limit

PASSWORD = "woven-in-lagos"
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


def form(**changes: object) -> RegistrationForm:
    """Return the form of a person who joins."""
    fields: dict[str, object] = {
        "firstname": "Ama",
        "lastname": "Mensah",
        "email": "ama@example.org",
        "password": PASSWORD,
        "country": "Canada",
        "notifications": True,
        "privacy_policy": True,
        **changes,
    }
    return RegistrationForm(**fields)  # type: ignore[arg-type] # given by the test, by name


def a_member(context: Context, email: str = "ama@example.org") -> Member:
    """Make an account with a password and a confirmed address, and an empty outbox."""
    sandbox = replace(context, payment_mode=PaymentMode.SANDBOX)  # which operators confirm in
    member = confirm_member(sandbox, add_member(context, form(email=email)).email)
    with context.store.write() as work:
        work.outbox.erase_member(member.id)
    return member
