"""Operators: who may work with the organisation at the terminal.

As long as nobody is listed, whoever can open the database may act; the first to be
listed closes that door behind them.
"""

from __future__ import annotations

from dataclasses import replace

from jara.domain.errors import Conflict, InvalidInput, NotFound
from jara.services.audit import active_operators, record_act, require_operator
from jara.services.context import Context
from jara.services.ports.operations import AuditRow, Operator

NAME_MAX = 100


def list_operators(context: Context) -> list[Operator]:
    """Return every operator ever added, by name; removed ones carry the day."""
    with context.store.read() as work:
        return work.operations.operators()


def list_acts(context: Context, *, subject: str | None = None, limit: int) -> list[AuditRow]:
    """Return the newest acts of the audit log, oldest first; of one subject when asked."""
    with context.store.read() as work:
        return work.operations.audit(subject=subject)[-limit:]


def add_operator(context: Context, name: str, *, why: str = "") -> Operator:
    """List an operator; the first to be listed is the one who acts.

    Raises:
        InvalidInput: the name is empty, too long or not printable.
        Conflict: the name is listed, or somebody else would be the first.
        Refused: the one who acts is not listed, and others are.
    """
    name = name.strip()
    if not name or len(name) > NAME_MAX or not name.isprintable():
        raise InvalidInput(
            f"'{name[:NAME_MAX]}' is no operator's name; it has 1 to {NAME_MAX} printable signs."
        )
    with context.store.write() as work:
        require_operator(context, work)
        listed = active_operators(work)
        if name in listed:
            raise Conflict(f"'{name}' is listed as an operator already.")
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
    """Take an operator off the list; what they did stays in the audit log.

    Raises:
        NotFound: nobody of that name is listed.
        Conflict: it is the last one, and then anybody could act again.
        Refused: the one who acts is not listed.
    """
    with context.store.write() as work:
        require_operator(context, work)
        listed = active_operators(work)
        if name not in listed:
            raise NotFound(f"'{name}' is not listed as an operator.")
        if len(listed) == 1:
            raise Conflict(f"'{name}' is the last operator; add another one first.")
        removed = replace(listed[name], removed_at=context.now())
        record_act(context, work, "operators.remove", name, why=why)  # while one is listed
        work.operations.put_operator(removed)
    return removed
