"""The audit log: who may act, and what they did; never a person's data (trust §4).

As long as nobody is listed as an operator, whoever can open the database may act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jara.domain.errors import Refused
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import AuditRow, Operator

SCHEDULER = "scheduler"
"""In whose name the daily run does what is due; it decides nothing, so nobody lists it."""


def active_operators(work: UnitOfWork) -> dict[str, Operator]:
    """Return the listed operators by name."""
    return {
        operator.name: operator
        for operator in work.operations.operators()
        if operator.removed_at is None
    }


def require_operator(context: Context, work: UnitOfWork) -> None:
    """Let an act pass when nobody is listed, or the one who acts is.

    Raises:
        Refused: others are listed.
    """
    listed = active_operators(work)
    if listed and context.operator not in {SCHEDULER, *listed}:
        raise Refused(
            f"'{context.operator}' is not among the operators of this organisation; "
            f"one of them can add you: jara operators add {context.operator}"
        )


def write_audit(context: Context, work: UnitOfWork, row: AuditRow) -> None:
    """Append an act to the audit log, in the transaction that did it.

    Raises:
        Refused: operators are listed, and the one who acts is not among them.
    """
    require_operator(context, work)
    work.operations.record(row)


def record_unattended(
    context: Context, work: UnitOfWork, action: str, subject: str, **after: object
) -> None:
    """Record an act that is nobody's decision, such as a nightly backup, whoever starts it.

    A timer's user is on no list, and whoever could read the files needs no command for it.
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
    """Record an act in the transaction that did it.

    Args:
        context: whose operator acts, and when.
        work: the transaction of the act.
        action: what was done, such as ``pledges.pause``.
        subject: the key of what it was done to.
        why: the operator's reason.
        changed: the names of the changed fields; of a person that is all that is told.
        before: how it was; nobody's personal data.
        facts: how it is now; nobody's personal data.

    Raises:
        Refused: operators are listed, and the one who acts is not among them.
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
