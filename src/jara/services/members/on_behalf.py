"""Operators acting for a member, recorded in the audit log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar

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
    with context.store.read() as work:
        require_operator(context, work)
        before = work.pledges.get(member.id)
    result = act()
    with context.store.write() as work:
        changed = _changed(before, work.pledges.get(member.id))
        record_act(context, work, action, member.key, why=why, changed=changed)
    return result


def act_on_sandbox(context: Context, action: str, act: Callable[[], Result]) -> Result:
    """Act on sandbox payments as an operator, and record it in the audit log.

    Raises:
        Refused: operators are listed, and the acting one is not among them.
    """
    with context.store.read() as work:
        require_operator(context, work)
    result = act()
    with context.store.write() as work:
        record_act(context, work, action, "sandbox")
    return result


def _changed(before: Pledge | None, after: Pledge | None) -> list[str]:
    """Return the names of the changed fields of a pledge, without values."""
    return [
        field.name
        for field in fields(Pledge)
        if getattr(before, field.name, None) != getattr(after, field.name, None)
    ]
