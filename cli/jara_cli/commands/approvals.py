"""``jara approvals``: what waits for a second operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import Column, Kind, emit

if TYPE_CHECKING:
    from jara.services.ports.operations import Approval

app = typer.Typer(no_args_is_help=True)

Id = Annotated[str, typer.Argument(metavar="ID", help="The approval, or its unique beginning.")]

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
    everything: Annotated[bool, typer.Option("--all", help="The decided ones too.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """List the acts over JARA_APPROVAL_CENTS that wait for another operator.

    \b
    Example:
      jara approvals list
    """
    from jara.services.approvals import list_approvals

    found = list_approvals(open_application(ctx).context, include_decided=everything)
    emit([_document(one) for one in found], as_json=as_json, columns=_COLUMNS)


@app.command()
def approve(ctx: typer.Context, approval: Id, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Approve what another operator prepared, and carry it out.

    \b
    Example:
      jara approvals approve appr_4f7k --yes
    """
    from jara.services.approvals import approve as approve_act
    from jara.services.operations.approved_acts import HANDLERS

    context = open_application(ctx).context
    confirm(f"Approve {approval} and carry it out?", yes=yes)
    decided = approve_act(context, approval, handlers=HANDLERS).approval
    emit(_document(decided), as_json=as_json, columns=_COLUMNS)


@app.command()
def refuse(
    ctx: typer.Context,
    approval: Id,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason.")],
    as_json: JsonFlag = False,
) -> None:
    """Refuse an act that waits; nothing is done.

    \b
    Example:
      jara approvals refuse appr_4f7k --why "wrong account"
    """
    from jara.services.approvals import refuse as refuse_act

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
