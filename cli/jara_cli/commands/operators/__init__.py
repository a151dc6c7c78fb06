"""``jara operators``: who may run commands, and the audit log."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.bootstrap.keys import make_scheduler_key
from jara.records.operations import Approval, Operator
from jara.services.context import Context
from jara.services.operations.operators import (
    ListedOperator,
    add_operator,
    invite_operator,
    list_acts,
    list_operators,
    remove_operator,
)
from jara.services.organisation import renew_token_key
from jara_cli.columns import Column, Kind
from jara_cli.commands.operators import policy
from jara_cli.context import open_application
from jara_cli.inputs import open_input
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import emit, note, write
from jara_cli.waiting import exit_waiting

app = typer.Typer(no_args_is_help=True)
app.add_typer(policy.app, name="policy")

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name, as in JARA_OPERATOR.")]
Why = Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")]

_COLUMNS = [
    Column("id", "Name"),
    Column("addedAt", "Added", Kind.DATE),
    Column("removedAt", "Removed", Kind.DATE),
    Column("roles", "Roles"),
    Column("key", "Key"),
]
_KEY_BYTES_MAX = 100_000


@app.command("list")
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List current and past operators with their keys; without operators, anybody may act.

    \b
    Example:
      jara operators list
    """
    found = [_document(one) for one in list_operators(open_application(ctx).context)]
    rows = [{**one, **key} for one in found for key in (one["keys"] or [{}])]
    emit(found, as_json=as_json, columns=_COLUMNS, rows=rows)


@app.command()
def add(
    ctx: typer.Context,
    name: Name,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="FILE", help="The operator's OpenSSH public key, Ed25519."),
    ] = None,
    roles: Annotated[
        list[str] | None,
        typer.Option("--role", metavar="ROLE", help="What the key may do; may be repeated."),
    ] = None,
    why: Why = "",
    as_json: JsonFlag = False,
) -> None:
    """Add an operator, or an operator's key; add yourself first: then only operators may act.

    From the first key on, every change needs the signature of an enrolled key. Later keys need
    the approval of other operators. Roles: admin, bookkeeper, approver, editor, auditor,
    scheduler. Without --role the first key is an admin key, and later keys may do everything
    except change keys and limits.

    \b
    Examples:
      jara operators add ada --key ~/.ssh/id_ed25519.pub
      jara operators add ben --key ben.pub --role approver \\
          --why "treasurer from 2026"
    """
    text = None if key is None else _read_key(key)
    context = open_application(ctx).context
    done = add_operator(context, name, key=text, roles=tuple(roles or ()), why=why)
    _emit_changed(context, done, as_json=as_json)


@app.command()
def invite(
    ctx: typer.Context,
    name: Name,
    email: Annotated[str, typer.Option(metavar="ADDRESS", help="Email address.")],
    as_json: JsonFlag = False,
) -> None:
    """Email a person the steps to create their own key and send you its public half.

    Nothing changes until `jara operators add NAME --key FILE` enrols that key.

    \b
    Example:
      jara operators invite ben --email ben@example.org
    """
    invite_operator(open_application(ctx).context, name, email=email)
    columns = [Column("name", "Invited"), Column("email", "Email")]
    emit({"name": name, "email": email}, as_json=as_json, columns=columns)
    note(f"Once you have the key: jara operators add {name} --key FILE")


@app.command()
def remove(
    ctx: typer.Context,
    name: Name,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="SHA256:…", help="Only this key, by its fingerprint."),
    ] = None,
    why: Why = "",
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Remove an operator or one of their keys; their actions stay in the audit log.

    \b
    Example:
      jara operators remove ada --why "moved on" --yes
    """
    confirm(f"Remove the operator '{name}'?", yes=yes)
    context = open_application(ctx).context
    _emit_changed(context, remove_operator(context, name, key=key, why=why), as_json=as_json)


@app.command("scheduler-key")
def scheduler_key(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Create the key of the daily run in the secrets folder, and print its public key.

    Once it is enrolled, `jara run daily` signs with it automatically.

    \b
    Example:
      jara operators scheduler-key > scheduler.pub
      jara operators add scheduler --role scheduler --key scheduler.pub
    """
    text = make_scheduler_key(open_application(ctx))
    if as_json:
        emit({"publicKey": text}, as_json=True, columns=[])
    else:
        write(f"{text}\n")


@app.command("end-sessions")
def end_sessions(ctx: typer.Context, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Replace the session key: every member has to sign in again.

    Use it when someone may have seen token.key. Running servers take the new key at once.
    Afterwards write the new keys to a file with jara backup --secrets.

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
    note("Every member has to sign in again. Back up the keys.")


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


def _read_key(source: str) -> str:
    with open_input(source) as stream:
        return stream.read(_KEY_BYTES_MAX).decode("utf-8", "replace")


def _emit_changed(context: Context, done: Operator | Approval, *, as_json: bool) -> None:
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    (now,) = (one for one in list_operators(context) if one.operator.name == done.name)
    document = _document(now)
    rows = [{**document, **key} for key in (document["keys"] or [{}])]
    emit(document, as_json=as_json, columns=_COLUMNS, rows=rows)


def _document(listed: ListedOperator) -> dict[str, Any]:
    return {
        "id": listed.operator.name,
        "addedAt": listed.operator.added_at,
        "removedAt": listed.operator.removed_at,
        "keys": [
            {"key": key.fingerprint, "kind": key.kind, "roles": list(key.roles)}
            for key in listed.keys
        ],
    }
