"""The answer of a command whose action waits for approval."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from jara.records.operations import Approval
from jara.services.approvals import describe_waiting
from jara.services.bank.vouching import describe_waiting_votes
from jara_cli.columns import Column, Kind
from jara_cli.exits import ExitCode
from jara_cli.verbs import Answer


def with_waiting_votes(answer: Answer, approvals: Sequence[Approval]) -> Answer:
    """Return the answer of a command that is done, while votes wait for approvals, if any do."""
    if not approvals:
        return answer
    notes = [*answer.notes, *map(describe_waiting_votes, approvals)]
    return answer._replace(notes=notes, error=typer.Exit(ExitCode.WAITING))


def waiting(approval: Approval) -> Answer:
    """Return the approval that an action waits for, and the exit code for waiting."""
    cents = approval.payload.get("cents", 0)
    document = {
        "id": approval.id,
        "approval": approval.id,
        "state": approval.state,
        "cents": cents,
    }
    return Answer(
        document,
        view={**document, "cents": cents or None},
        columns=[Column("approval", "Waits as"), Column("cents", "Amount", Kind.CENTS)],
        notes=[describe_waiting(approval)],
        error=typer.Exit(ExitCode.WAITING),
    )
