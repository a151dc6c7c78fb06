"""``jara approvals``: actions that need a second operator's approval."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.services.approvals import approve as approve_act
from jara.services.approvals import list_approvals
from jara.services.approvals import refuse as refuse_act
from jara.services.operations.approved_acts import HANDLERS
from jara.services.ports.operations import Approval
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit

app = typer.Typer(no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="ID", help="Id, or its first characters.")]

_COLUMNS = [
    Column("id", "Id"),
    Column("action", "Act"),
    Column("cents", "Amount", Kind.CENTS),
    Column("why", "Why"),
    Column("state", "State"),
    Column("preparedBy", "Prepared by"),
    Column("preparedAt", "At", Kind.DATE),
    Column("decidedBy", "Decided by"),
]


@app.command("list")
def show(
    ctx: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include decided approvals.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """List actions above JARA_APPROVAL_CENTS that need another operator's approval.

    \b
    Example:
      jara approvals list
    """
    found = list_approvals(open_application(ctx).context, include_decided=everything)
    emit([_document(one) for one in found], as_json=as_json, columns=_COLUMNS)


@app.command()
def approve(ctx: typer.Context, approval: Id, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Approve and carry out what another operator prepared.

    \b
    Example:
      jara approvals approve appr_4f7k --yes
    """
    context = open_application(ctx).context
    confirm(f"Approve {approval} and carry it out?", yes=yes)
    decided = approve_act(context, approval, handlers=HANDLERS).approval
    emit(_document(decided), as_json=as_json, columns=_COLUMNS)


@app.command()
def refuse(
    ctx: typer.Context,
    approval: Id,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason.")],
    as_json: JsonFlag = False,
) -> None:
    """Refuse a waiting action; nothing is carried out.

    \b
    Example:
      jara approvals refuse appr_4f7k --why "wrong account"
    """
    decided = refuse_act(open_application(ctx).context, approval, why=why)
    emit(_document(decided), as_json=as_json, columns=_COLUMNS)


def _document(approval: Approval) -> dict[str, Any]:
    return {
        "id": approval.id,
        "action": approval.action,
        "cents": approval.payload["cents"],
        "why": approval.why,
        "state": approval.state,
        "preparedBy": approval.prepared_by,
        "preparedAt": approval.prepared_at,
        "decidedBy": approval.decided_by,
        "decidedAt": approval.decided_at,
        "payload": dict(approval.payload),
    }
