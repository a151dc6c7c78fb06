"""``jara operators``: who may work with this organisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import Column, Kind, emit

if TYPE_CHECKING:
    from jara.services.ports.operations import Operator

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="As JARA_OPERATOR has it.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="The reason, for the audit log.")]

_COLUMNS = [
    Column("id", "Name"),
    Column("addedAt", "Added", Kind.DATE),
    Column("removedAt", "Removed", Kind.DATE),
]


@app.command("list")
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List every operator there has been; while nobody is listed, anybody may act.

    \b
    Example:
      jara operators list
    """
    from jara.services.operators import list_operators

    operators = list_operators(open_application(ctx).context)
    emit([_document(one) for one in operators], as_json=as_json, columns=_COLUMNS)


@app.command()
def add(ctx: typer.Context, name: Name, why: Why = "", as_json: JsonFlag = False) -> None:
    """List an operator; begin with yourself, since from then only the listed may act.

    \b
    Example:
      jara operators add ada --why "treasurer from 2026"
    """
    from jara.services.operators import add_operator

    operator = add_operator(open_application(ctx).context, name, why=why)
    emit(_document(operator), as_json=as_json, columns=_COLUMNS)


@app.command()
def remove(
    ctx: typer.Context, name: Name, why: Why = "", yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Take an operator off the list; what they did stays in the audit log.

    \b
    Example:
      jara operators remove ada --why "moved on" --yes
    """
    from jara.services.operators import remove_operator

    confirm(f"Take '{name}' off the list of operators?", yes=yes)
    operator = remove_operator(open_application(ctx).context, name, why=why)
    emit(_document(operator), as_json=as_json, columns=_COLUMNS)


def _document(operator: Operator) -> dict[str, Any]:
    return {
        "id": operator.name,
        "addedAt": operator.added_at,
        "removedAt": operator.removed_at,
    }
