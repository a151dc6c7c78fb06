"""The answer of a command whose action waits for approval."""

from __future__ import annotations

import typer

from jara.records.operations import Approval
from jara.services.approvals import describe_waiting
from jara_cli.columns import Column, Kind
from jara_cli.exits import ExitCode
from jara_cli.verbs import Answer


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
