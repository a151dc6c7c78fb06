"""The audit log: what operators did, and never a person's data (trust §4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import AuditRow


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
