"""``jara operators``: who may run commands, and the audit log."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.services.operations.operators import (
    add_operator,
    list_acts,
    list_operators,
    remove_operator,
)
from jara.services.organisation import renew_token_key
from jara.services.ports.operations import Operator
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name, as in JARA_OPERATOR.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")]

_COLUMNS = [
    Column("id", "Name"),
    Column("addedAt", "Added", Kind.DATE),
    Column("removedAt", "Removed", Kind.DATE),
]


@app.command("list")
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List all current and past operators; while there are none, anybody may act.

    \b
    Example:
      jara operators list
    """
    operators = list_operators(open_application(ctx).context)
    emit([_document(one) for one in operators], as_json=as_json, columns=_COLUMNS)


@app.command()
def add(ctx: typer.Context, name: Name, why: Why = "", as_json: JsonFlag = False) -> None:
    """Add an operator; add yourself first, because then only operators may act.

    \b
    Example:
      jara operators add ada --why "treasurer from 2026"
    """
    operator = add_operator(open_application(ctx).context, name, why=why)
    emit(_document(operator), as_json=as_json, columns=_COLUMNS)


@app.command()
def remove(
    ctx: typer.Context, name: Name, why: Why = "", yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Remove an operator; their actions stay in the audit log.

    \b
    Example:
      jara operators remove ada --why "moved on" --yes
    """
    confirm(f"Remove the operator '{name}'?", yes=yes)
    operator = remove_operator(open_application(ctx).context, name, why=why)
    emit(_document(operator), as_json=as_json, columns=_COLUMNS)


@app.command("end-sessions")
def end_sessions(ctx: typer.Context, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Replace the session key: every member has to sign in again.

    Use it when someone may have seen token.key. Stop the server first, and afterwards
    write the new keys to a file with jara backup --secrets.

    \b
    Example:
      jara operators end-sessions --yes
    """
    confirm("End the sessions of all members?", yes=yes)
    context = open_application(ctx).context
    renew_token_key(context)
    document = {"key": "token.key", "fingerprint": context.vault.fingerprint()}
    columns = [Column("key", "Renewed"), Column("fingerprint", "Fingerprint of the secrets")]
    emit(document, as_json=as_json, columns=columns)
    note("Start the server again, and back up the keys.")


@app.command()
def log(
    ctx: typer.Context,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", metavar="N", parser=parse_whole_number, help="Show the newest N actions."
        ),
    ] = 50,
    subject: Annotated[
        str | None,
        typer.Option("--of", metavar="ID", help="Only actions on this id: an entry, a slug."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the audit log, oldest first: who did what, when, why, before and after.

    For personal data it contains only the names of the changed fields.

    \b
    Examples:
      jara operators log
      jara operators log --of prop_01 --json
    """
    acts = list_acts(open_application(ctx).context, subject=subject, limit=limit)
    emit(
        [
            {
                "at": act.at,
                "operator": act.operator,
                "action": act.action,
                "subject": act.subject,
                "why": act.why,
                "before": dict(act.before),
                "after": dict(act.after),
            }
            for act in acts
        ],
        as_json=as_json,
        columns=[
            Column("at", "When", Kind.DATE),
            Column("operator", "Who"),
            Column("action", "What"),
            Column("subject", "To"),
            Column("why", "Why"),
        ],
    )


def _document(operator: Operator) -> dict[str, Any]:
    return {
        "id": operator.name,
        "addedAt": operator.added_at,
        "removedAt": operator.removed_at,
    }
