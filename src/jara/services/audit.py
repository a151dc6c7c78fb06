"""The audit log: what the operators did. It holds no personal data of members."""

from collections.abc import Iterable, Mapping
from typing import Any

from jara.records.operations import AuditRow
from jara.services.authority import Authority, authorise
from jara.services.context import Context
from jara.store.unit_of_work import UnitOfWork


def require_operator(context: Context, work: UnitOfWork, action: str) -> Authority:
    """Check that the acting operator may do an act, before it is recorded.

    Raises:
        Refused: operators are listed, but not this one; or there is no signature that counts.
    """
    return authorise(context, work, action)


def write_audit(context: Context, work: UnitOfWork, row: AuditRow) -> None:
    """Append a row to the audit log, in the transaction of the action.

    The row names the operator whose key signed, and the nonce of the signed act; of an approved
    act also who asked for it.

    Raises:
        Refused: operators are listed, but not this one; or there is no signature that counts.
    """
    authority = authorise(context, work, row.action)
    more = {} if authority.act is None else {"signed": authority.act.nonce}
    if context.approved is not None and row.subject != context.approved.id:
        more |= {"askedBy": context.approved.prepared_by, "approval": context.approved.id}
    work.operations.record(row._replace(operator=authority.name, after={**row.after, **more}))


def record_unattended(
    context: Context, work: UnitOfWork, action: str, subject: str, *, why: str = "", **after: object
) -> None:
    """Record an automatic action, such as a nightly backup, without checking the operator.

    The user of a timer is no listed operator, and anyone who can read the files could do the
    same by hand.
    """
    row = AuditRow(context.now(), context.operator, action, subject, why, {}, after)
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
    """Record an action, such as ``pledges.pause``, in its own transaction.

    `subject` is the key of the changed object, `changed` the names of the changed fields; for a
    person only these are recorded. `before` has the old values, `facts` the new ones, without
    personal data.

    Raises:
        Refused: operators are listed, but not this one; or there is no signature that counts.
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
