"""Output and exit code of a command whose action waits for approval."""

from __future__ import annotations

from typing import NoReturn

import typer

from jara.records.operations import Approval
from jara.services.approvals import describe_waiting
from jara_cli.columns import Column, Kind
from jara_cli.exits import ExitCode
from jara_cli.output import emit, note


def exit_waiting(approval: Approval, *, as_json: bool) -> NoReturn:
    """Show the approval that an action waits for, and exit with the code for waiting.

    Raises:
        typer.Exit: always.
    """
    document = {
        "id": approval.id,
        "approval": approval.id,
        "state": approval.state,
        "cents": approval.payload.get("cents", 0),
    }
    columns = [Column("approval", "Waits as"), Column("cents", "Amount", Kind.CENTS)]
    card = {**document, "cents": document["cents"] or None}
    emit(document if as_json else card, as_json=as_json, columns=columns)
    note(describe_waiting(approval))
    raise typer.Exit(ExitCode.WAITING)
