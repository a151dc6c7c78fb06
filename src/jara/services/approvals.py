"""Approvals: acts over a limit wait until a second operator has seen them.

A use case asks `require_approval` inside its transaction, before anything is done. Over
the limit the act is stored with what it needs, and the use case returns; approving it
runs the same use case again, by a handler the caller brings, without a limit.
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
"""Approved, and its act has begun; it ends as approved, or waits again."""
APPROVED = "approved"
REFUSED = "refused"

Handler = Callable[[Context, Mapping[str, Any]], object]
"""Carries an approved act out, from the payload it was prepared with."""


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """An approved act, and what carrying it out returned."""

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
    """Let an act pass below the limit; over it, store the act so that it waits.

    Args:
        context: whose rules hold the limit and whose operator prepares the act.
        work: the transaction of the use case that asks.
        action: which handler carries it out, such as ``projects.pay``.
        payload: what the handler needs, as a JSON document.
        why: the reason for the act, for the one who approves.
        cents: how much money the act moves.

    Returns:
        None to go on, or the stored act: then nothing else may be done.
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
    """Return the acts that wait, oldest first; with the decided ones when asked."""
    with context.store.read() as work:
        return work.operations.approvals(waiting_only=not include_decided)


def approve(context: Context, text: str, *, handlers: Mapping[str, Handler]) -> CarriedOut:
    """Approve a waiting act as another operator, and carry it out.

    An act that fails waits again. One that was cut off stays `carrying_out` and is
    neither repeated nor forgotten: `jara doctor` names it.

    Raises:
        NotFound: no act waits under that id.
        Conflict: the one who prepared it approves it, or it is decided.
    """
    with context.store.write() as work:
        waiting = _find(work, text)
        _require_state(waiting, WAITING)
        require_operator(context, work)
        if waiting.prepared_by == context.operator:
            raise Conflict(
                f"'{context.operator}' prepared {waiting.id}; another operator must approve it."
            )
        handler = handlers.get(waiting.action)
        if handler is None:
            raise NotFound(f"Nothing can carry out '{waiting.action}', which {waiting.id} asks.")
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
    """Refuse an act that waits, or settle one that was cut off; nothing is done.

    Raises:
        NotFound: no act has that id.
        Conflict: it is decided.
    """
    with context.store.write() as work:
        waiting = _find(work, text)
        _require_state(waiting, WAITING, CARRYING_OUT)
        require_operator(context, work)
        refused = _decide(context, work, waiting, REFUSED)
        _record(context, work, "approvals.refuse", waiting, why)
    return refused


def describe_waiting(approval: Approval) -> str:
    """Return the sentence that tells an operator that their act waits."""
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
