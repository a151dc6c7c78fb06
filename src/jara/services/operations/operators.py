"""Operators: who may run commands.

Until an operator is listed, anyone who can open the database may act.
"""

from __future__ import annotations

from dataclasses import replace

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.services.audit import active_operators, record_act, require_operator
from jara.services.context import Context
from jara.services.ports.operations import AuditRow, Operator

NAME_MAX = 100


def list_operators(context: Context) -> list[Operator]:
    """Return every operator ever added, by name, also removed ones."""
    with context.store.read() as work:
        return work.operations.operators()


def list_acts(context: Context, *, subject: str | None = None, limit: int) -> list[AuditRow]:
    """Return the newest rows of the audit log, oldest first; on request of one subject."""
    with context.store.read() as work:
        return work.operations.audit(subject=subject)[-limit:]


def add_operator(context: Context, name: str, *, why: str = "") -> Operator:
    """Add an operator; the first one must add themselves.

    Raises:
        InvalidInput: the name is empty, too long or not printable.
        Conflict: the name is listed already, or the first operator would be someone else.
        Refused: other operators are listed, but not this one.
    """
    name = name.strip()
    if not name or len(name) > NAME_MAX or not name.isprintable():
        raise InvalidInput(
            f"'{name[:NAME_MAX]}' is not a valid name; use 1 to {NAME_MAX} printable characters."
        )
    with context.store.write() as work:
        require_operator(context, work)
        listed = active_operators(work)
        if name in listed:
            raise Conflict(f"'{name}' is an operator already.")
        if not listed and name != context.operator:
            raise Conflict(
                f"Nobody is listed yet, and listing '{name}' would lock you out; "
                f"begin with yourself: jara operators add {context.operator}"
            )
        operator = Operator(name, context.now())
        work.operations.put_operator(operator)
        record_act(context, work, "operators.add", name, why=why)
    return operator


def remove_operator(context: Context, name: str, *, why: str = "") -> Operator:
    """Remove an operator; their actions stay in the audit log.

    Raises:
        NotFound: there is no operator of that name.
        Conflict: it is the last operator; without one anybody could act.
        Refused: the acting operator is not listed.
    """
    with context.store.write() as work:
        require_operator(context, work)
        listed = active_operators(work)
        if name not in listed:
            raise NotFound(f"'{name}' is not an operator.")
        if len(listed) == 1:
            raise Conflict(f"'{name}' is the last operator; add another one first.")
        removed = replace(listed[name], removed_at=context.now())
        record_act(context, work, "operators.remove", name, why=why)  # while one is listed
        work.operations.put_operator(removed)
    return removed
