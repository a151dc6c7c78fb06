"""A forgotten password: a link by email, and a new password with its code."""

from datetime import timedelta

from jara.domain.giving.member import email_key, parse_new_password
from jara.services.context import Context
from jara.services.mailed_codes import INVITATION, RESET, make_code, subject_of
from jara.services.members.attempts import remember_device
from jara.services.members.contributors import keep_handles
from jara.services.members.profiles import offer_undo
from jara.services.members.sessions import end_all_access
from jara.services.notices.emails import queue_password_reset
from jara.services.notices.returned_emails import resume_sending
from jara.services.rate_limits import Limits, MailCause, acquire_within, mail_uses, require_room

RESET_LINK_MINUTES = 30
_NOBODY = "nobody"


def request_password_reset(context: Context, limits: Limits, email: str, *, network: str) -> None:
    """Email a reset link; the caller does not learn whether the address has an account.

    For an unknown address the same rows are written and the same limits count, so that neither
    the answer nor its time reveals anything. Earlier links and an invitation still work, because
    the request may be a stranger's.

    Raises:
        TooManyRequests: too many were requested for this address, from this network or by all.
    """
    account = email_key(email)
    uses = mail_uses(MailCause.RESET, account, network=network)
    with context.store.read() as work:
        require_room(context, work, limits, uses)  # a flood must not keep others from writing
    with context.store.write() as work:
        acquire_within(context, work, limits, uses)
        member = work.members.by_email(account)
        code = make_code(
            context,
            work,
            purpose=RESET,
            subject=_NOBODY if member is None else member.id,
            life=timedelta(minutes=RESET_LINK_MINUTES),
        )
        queue_password_reset(context, work, member, code=code, minutes=RESET_LINK_MINUTES)


def check_reset_code(context: Context, code: str) -> None:
    """Check that an emailed code is valid, before the user chooses a password.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
    """
    with context.store.read() as work:
        subject_of(context, work, RESET, INVITATION, code=code)


def reset_password(context: Context, *, code: str, password: str, confirmation: str) -> str:
    """Set a new password with an emailed code; every session, passkey and other code ends.

    Returns:
        The token of the device, which is known from now on: strangers who guess passwords cannot
        keep the member from signing in there. Empty if the account was closed.

    Raises:
        UnusableCode: the code is unknown, used, or too old.
        InvalidInput: the password breaks a rule, or the confirmation differs.
    """
    parsed = parse_new_password(
        password, confirmation, common_passwords=context.rules.common_passwords
    )
    with context.store.read() as work:
        subject_of(context, work, RESET, INVITATION, code=code)
    # Hashing is slow: only for a valid code, and outside the transaction.
    password_hash = context.hasher.hash(parsed)
    with context.store.write() as work:
        member_id = subject_of(context, work, RESET, INVITATION, code=code)
        member = work.members.get(member_id)
        if member is None:
            return ""  # the account was closed
        if work.members.password_hash(member_id) is not None:  # else it is their first
            offer_undo(context, work, member, kind="password_changed")
        # The code proves access to the mailbox, so the address is confirmed.
        confirmed = end_all_access(context, work, member._replace(email_confirmed=True))
        resume_sending(context, work, member.email)
        keep_handles(context, work, confirmed)
        work.members.set_password_hash(member_id, password_hash)
        account = email_key(member.email)
        return remember_device(context, work, member_id=member_id, email=account, device=None)
