"""``jara operators``: who may work with this organisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import Column, Kind, emit, note

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
    from jara.services.operations.operators import list_operators

    operators = list_operators(open_application(ctx).context)
    emit([_document(one) for one in operators], as_json=as_json, columns=_COLUMNS)


@app.command()
def add(ctx: typer.Context, name: Name, why: Why = "", as_json: JsonFlag = False) -> None:
    """List an operator; begin with yourself, since from then only the listed may act.

    \b
    Example:
      jara operators add ada --why "treasurer from 2026"
    """
    from jara.services.operations.operators import add_operator

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
    from jara.services.operations.operators import remove_operator

    confirm(f"Take '{name}' off the list of operators?", yes=yes)
    operator = remove_operator(open_application(ctx).context, name, why=why)
    emit(_document(operator), as_json=as_json, columns=_COLUMNS)


@app.command("end-sessions")
def end_sessions(ctx: typer.Context, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Make a new key for sessions: every member has to sign in again.

    For the day on which a stranger may have seen token.key. Stop the server before, and
    write a new file of secrets with jara backup afterwards.

    \b
    Example:
      jara operators end-sessions --yes
    """
    from jara.services.organisation import renew_token_key

    confirm("End the sessions of all members?", yes=yes)
    context = open_application(ctx).context
    renew_token_key(context)
    document = {"key": "token.key", "fingerprint": context.vault.fingerprint()}
    columns = [Column("key", "Renewed"), Column("fingerprint", "Fingerprint of the secrets")]
    emit(document, as_json=as_json, columns=columns)
    note("Start the server again, and make a new backup of the secrets.")


@app.command()
def log(
    ctx: typer.Context,
    limit: Annotated[
        int,
        typer.Option("--limit", metavar="N", parser=parse_whole_number, help="The newest N acts."),
    ] = 50,
    subject: Annotated[
        str | None,
        typer.Option("--of", metavar="ID", help="Only what was done to this: an entry, a slug."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show the audit log, oldest first: who did what, when, why, before and after.

    Of a person's data it holds the names of the changed fields alone.

    \b
    Examples:
      jara operators log
      jara operators log --of prop_01 --json
    """
    from jara.services.operations.operators import list_acts

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
