"""Account changes made by the owner or by somebody else."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.members.accounts import find_member
from jara.services.members.profiles import confirm_address, request_email_change
from tests.services.members.codes_world import ADDRESS, LIMITS


def mailed_code(context: Context, kind: str, address: str | None = None) -> str:
    """Return the code in the newest email of a kind, requested for one address."""
    with context.store.read() as work:
        email = next(
            one for one in work.outbox.all() if one.kind == kind and address in {None, one.address}
        )
    return parse_qs(urlsplit(str(email.doc["link"])).query)["code"][0]


def ask_for_address(context: Context, member_id: str, email: str) -> Member:
    """Ask for a new address."""
    return request_email_change(context, LIMITS, member_id, email, network=ADDRESS)


def move_to(context: Context, member_id: str, email: str) -> Member:
    """Change the address and confirm the new one."""
    ask_for_address(context, member_id, email)
    confirm_address(context, mailed_code(context, "address_confirm", email))
    return find_member(context, member_id)
