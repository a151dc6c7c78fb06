"""Account changes made by the owner or by somebody else."""

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members.accounts import find_member
from jara.services.members.password_resets import request_password_reset
from jara.services.members.profiles import confirm_address, request_email_change
from jara.services.members.sessions import Session
from tests.sent_emails import mailed_code
from tests.services.members.codes_world import ADDRESS, LIMITS


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
