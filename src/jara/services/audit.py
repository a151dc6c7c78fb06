"""The audit log: what operators did, and never a person's data (trust §4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from jara.domain.giving.member import Member
from jara.services.context import Context
from jara.services.operators import require_operator
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import AuditRow

Result = TypeVar("Result")


def record_act(
    context: Context,
    work: UnitOfWork,
    action: str,
    subject: str,
    *,
    why: str = "",
    changed: Iterable[str] = (),
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Record an act in the transaction that did it.

    Args:
        context: whose operator acts, and when.
        work: the transaction of the act.
        action: what was done, such as ``pledges.pause``.
        subject: the key of what it was done to.
        why: the operator's reason.
        changed: the names of the changed fields, without their values.
        facts: figures that are nobody's personal data.
    """
    work.operations.record(
        AuditRow(
            at=context.now(),
            operator=context.operator,
            action=action,
            subject=subject,
            why=why,
            before={},
            after={"changed": sorted(changed), **(facts or {})},
        )
    )


def act_for_member(
    context: Context, action: str, member: Member, act: Callable[[], Result], *, why: str = ""
) -> Result:
    """Do for a member what they could do themselves, as an operator, and record it.

    Raises:
        Refused: operators are listed, and the one who acts is not among them.
    """
    with context.store.read() as work:
        require_operator(context, work)
    result = act()
    with context.store.write() as work:
        record_act(context, work, action, member.key, why=why)
    return result
