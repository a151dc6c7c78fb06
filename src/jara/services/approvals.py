"""Approvals: actions over a limit wait for a second operator's approval.

A use case calls `require_approval` in its transaction, before it changes anything. Over the
limit the action is stored with its parameters, and the use case returns. Approving it runs the
same use case again, through a handler and without a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from jara.domain.errors import Conflict, JaraError, NotFound
from jara.domain.money import format_cents
from jara.services.audit import record_act, require_operator
from jara.services.context import Context
from jara.services.ports.database import UnitOfWork
from jara.services.ports.operations import Approval

WAITING = "waiting"
CARRYING_OUT = "carrying_out"
"""Approved and started; it ends as approved, or waits again if it fails."""
APPROVED = "approved"
REFUSED = "refused"

Handler = Callable[[Context, Mapping[str, Any]], object]
"""Carries out an approved action from its stored payload."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """An approved action and its result."""

    approval: Approval
    result: object


def require_approval(
    context: Context,
    work: UnitOfWork,
    *,
    action: str,
    payload: Mapping[str, Any],
    why: str,
    cents: int,
) -> Approval | None:
    """Return None below the limit; over it, store the action until it is approved.

    Args:
        context: its rules hold the limit, its operator prepares the action.
        work: the transaction of the use case that asks.
        action: the handler's name, such as ``projects.pay``.
        payload: what the handler needs, as a JSON document.
        why: the reason, shown to the second operator.
        cents: the amount of the action.

    Returns:
        None to continue, or the stored approval: then change nothing else.
    """
    limit = context.rules.approval_cents
    if limit is None or abs(cents) < limit:
        return None
    require_operator(context, work)
    approval = Approval(
        id=context.new_key("appr_"),
        action=action,
        payload={**payload, "cents": cents},
        why=why,
        state=WAITING,
        prepared_by=context.operator,
        prepared_at=context.now(),
    )
    work.operations.put_approval(approval)
    _record(context, work, "approvals.prepare", approval, why)
    return approval


def list_approvals(context: Context, *, include_decided: bool = False) -> list[Approval]:
    """Return the waiting approvals, oldest first; on request the decided ones too."""
    with context.store.read() as work:
        return work.operations.approvals(waiting_only=not include_decided)


def approve(context: Context, text: str, *, handlers: Mapping[str, Handler]) -> CarriedOut:
    """Approve a waiting action as another operator, and carry it out.

    An action that fails waits again. One that was interrupted stays `carrying_out`: it is not
    repeated, and `jara doctor` reports it.

    Raises:
        NotFound: there is no such approval.
        Conflict: the operator prepared it, or it is decided already.
    """
    with context.store.write() as work:
        waiting = _find(work, text)
        _require_state(waiting, WAITING)
        require_operator(context, work)
        if waiting.prepared_by == context.operator:
            raise Conflict(
                f"'{context.operator}' prepared {waiting.id}; it needs another operator's approval."
            )
        handler = handlers.get(waiting.action)
        if handler is None:
            raise NotFound(f"There is no handler for '{waiting.action}' of {waiting.id}.")
        _decide(context, work, waiting, CARRYING_OUT)
    try:
        result = handler(_without_limit(context), waiting.payload)
    except JaraError as error:
        with context.store.write() as work:
            work.operations.put_approval(waiting)
            _record(context, work, "approvals.fail", waiting, error.message)
        raise
    with context.store.write() as work:
        approved = _decide(context, work, waiting, APPROVED)
        _record(context, work, "approvals.approve", waiting, "")
    return CarriedOut(approved, result)


def refuse(context: Context, text: str, *, why: str) -> Approval:
    """Refuse a waiting action, or settle an interrupted one; nothing is carried out.

    Raises:
        NotFound: there is no such approval.
        Conflict: it is decided already.
    """
    with context.store.write() as work:
        waiting = _find(work, text)
        _require_state(waiting, WAITING, CARRYING_OUT)
        require_operator(context, work)
        refused = _decide(context, work, waiting, REFUSED)
        _record(context, work, "approvals.refuse", waiting, why)
    return refused


def describe_waiting(approval: Approval) -> str:
    """Return the message that an action waits for approval."""
    return (
        f"{format_cents(int(approval.payload['cents']))} needs a second operator; it waits as "
        f"{approval.id}: jara approvals approve {approval.id}"
    )


def _find(work: UnitOfWork, text: str) -> Approval:
    known = work.operations.approvals(waiting_only=False)
    found = [a for a in known if a.id.removeprefix("appr_").startswith(text.removeprefix("appr_"))]
    if not found:
        raise NotFound(f"There is no approval '{text}'.")
    if len(found) > 1:
        raise Conflict(f"'{text}' begins {len(found)} approvals; write more of the id.")
    return found[0]


def _require_state(approval: Approval, *states: str) -> None:
    if approval.state not in states:
        by = f" by '{approval.decided_by}'" if approval.decided_by else ""
        raise Conflict(f"{approval.id} is {approval.state}{by} already.")


def _decide(context: Context, work: UnitOfWork, approval: Approval, state: str) -> Approval:
    decided = replace(approval, state=state, decided_by=context.operator, decided_at=context.now())
    work.operations.put_approval(decided)
    return decided


def _without_limit(context: Context) -> Context:
    return replace(context, rules=replace(context.rules, approval_cents=None))


def _record(context: Context, work: UnitOfWork, action: str, approval: Approval, why: str) -> None:
    facts = {"action": approval.action, "cents": approval.payload["cents"]}
    record_act(context, work, action, approval.id, why=why, facts=facts)
