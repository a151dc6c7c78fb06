"""Acts of operators for a member, recorded in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar

from jara.domain.content.values import check_line
from jara.domain.errors import Conflict
from jara.domain.giving.member import Member
from jara.domain.giving.pledge import Pledge
from jara.services.audit import record_act, require_operator
from jara.services.context import Context

Result = TypeVar("Result")


def act_for_member(
    context: Context, action: str, member: Member, act: Callable[[], Result], *, why: str = ""
) -> Result:
    """Act for a member as an operator, and record it in the audit log.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.write() as work:
        require_operator(context, work, action)
        before = work.pledges.get(member.id)
    result = act()
    with context.store.write() as work:
        changed = _changed(before, work.pledges.get(member.id))
        record_act(context, work, action, member.key, why=why, changed=changed)
    return result


def allow_shared_card(context: Context, text: str, *, why: str) -> Member:
    """Allow every member who pays with this member's card to vote, such as a family.

    Without this, a card has one vote on each proposal.

    Raises:
        NotFound: there is no such member.
        Conflict: the member's pledge has no known card.
    """
    check_line("reason", why)
    with context.store.write() as work:
        member = work.members.find(text)
        pledge = work.pledges.get(member.id)
        if pledge is None or pledge.card_fingerprint is None:
            raise Conflict(f"'{text}' shares no card: no card is known of that pledge.")
        work.pledges.share_card(pledge.card_fingerprint, at=context.now(), why=why)
        record_act(context, work, "members.share-card", member.key, why=why)
    return member


def act_on_sandbox(context: Context, action: str, act: Callable[[], Result]) -> Result:
    """Act on sandbox payments as an operator, and record it in the audit log.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.write() as work:
        require_operator(context, work, action)
    result = act()
    with context.store.write() as work:
        record_act(context, work, action, "sandbox")
    return result


def _changed(before: Pledge | None, after: Pledge | None) -> list[str]:
    """Return the names of a pledge's changed fields, without values."""
    return [
        field.name
        for field in fields(Pledge)
        if getattr(before, field.name, None) != getattr(after, field.name, None)
    ]
