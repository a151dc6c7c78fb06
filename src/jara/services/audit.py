"""The audit log: which operators may act, and what they did. It holds no personal data.

Until an operator is listed, anyone who can open the database may act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jara.domain.errors import Refused
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import AuditRow, Operator

SCHEDULER = "scheduler"
"""The operator name of the daily run; it needs no listing, because it decides nothing."""


def active_operators(work: UnitOfWork) -> dict[str, Operator]:
    """Return the listed operators by name."""
    return {
        operator.name: operator
        for operator in work.operations.operators()
        if operator.removed_at is None
    }


def require_operator(context: Context, work: UnitOfWork) -> None:
    """Check that the acting operator is listed, if any operator is.

    Raises:
        Refused: other operators are listed, but not this one.
    """
    listed = active_operators(work)
    if listed and context.operator not in {SCHEDULER, *listed}:
        raise Refused(
            f"'{context.operator}' is not among the operators of this organisation; "
            f"one of them can add you: jara operators add {context.operator}"
        )


def write_audit(context: Context, work: UnitOfWork, row: AuditRow) -> None:
    """Append a row to the audit log, in the transaction of the action.

    Raises:
        Refused: other operators are listed, but not this one.
    """
    require_operator(context, work)
    work.operations.record(row)


def record_unattended(
    context: Context, work: UnitOfWork, action: str, subject: str, **after: object
) -> None:
    """Record an automatic action, such as a nightly backup, without checking the operator.

    A timer's user is not listed, and anyone who can read the files could do the same by hand.
    """
    row = AuditRow(context.now(), context.operator, action, subject, "", {}, after)
    work.operations.record(row)


def record_act(
    context: Context,
    work: UnitOfWork,
    action: str,
    subject: str,
    *,
    why: str = "",
    changed: Iterable[str] = (),
    before: Mapping[str, Any] | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Record an action in its own transaction.

    Args:
        context: names the operator and the time.
        work: the transaction of the action.
        action: what was done, such as ``pledges.pause``.
        subject: the key of the changed object.
        why: the operator's reason.
        changed: the names of the changed fields; for a person only these are recorded.
        before: the old values, without personal data.
        facts: the new values, without personal data.

    Raises:
        Refused: other operators are listed, but not this one.
    """
    write_audit(
        context,
        work,
        AuditRow(
            at=context.now(),
            operator=context.operator,
            action=action,
            subject=subject,
            why=why,
            before=dict(before or {}),
            after={"changed": sorted(changed), **(facts or {})},
        ),
    )
