"""``jara operators policy``: the amounts that need approval, and by how many people."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jara.domain.control.roles import MEANINGS
from jara.domain.control.state import APPROVALS, Limits
from jara.domain.money import format_cents, parse_cents
from jara.records.operations import Approval
from jara.services.operations.control import set_limits, show_limits
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import emit, note
from jara_cli.waiting import exit_waiting

app = typer.Typer(no_args_is_help=True, help="The amounts at which an act needs approval.")

_COLUMNS = [
    Column("limitCents", "One act from", Kind.CENTS),
    Column("dayLimitCents", "A payee's day from", Kind.CENTS),
    Column("approvals", "People in all", Kind.COUNT),
]


@app.command()
def show(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show the limits in force, and what each role may do.

    \b
    Example:
      jara operators policy show
    """
    limits = show_limits(open_application(ctx).context)
    roles = {role.value: meaning for role, meaning in MEANINGS.items()}
    _emit(limits, {**_document(limits), "roles": roles}, as_json=as_json)
    if not as_json:
        for role, meaning in roles.items():
            note(f"{role:<11} {meaning}")


@app.command("set")
def set_command(
    ctx: typer.Context,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason, for the audit log.")],
    limit: Annotated[
        str | None,
        typer.Option(
            "--limit", metavar="AMOUNT", help="Amount from which an act needs approval, or none."
        ),
    ] = None,
    day_limit: Annotated[
        str | None,
        typer.Option(
            "--day-limit",
            metavar="AMOUNT",
            help="The same for one payee's payments of one day, or none; default: --limit.",
        ),
    ] = None,
    approvals: Annotated[
        int,
        typer.Option(
            "--approvals",
            metavar="N",
            parser=parse_whole_number,
            help="People who must agree, including the one who asks.",
        ),
    ] = APPROVALS,
    yes: Yes = False,
    as_json: JsonFlag = False,
) -> None:
    """Set the limits; other operators must approve the change.

    \b
    Example:
      jara operators policy set --limit 500 --day-limit 1000 \\
          --why "Voted by the trustees"
    """
    act_cents = _cents(limit)
    wanted = Limits(act_cents, act_cents if day_limit is None else _cents(day_limit), approvals)
    context = open_application(ctx).context
    confirm(
        f"One act from: {_say(wanted.limit_cents)}; a payee's day from: "
        f"{_say(wanted.day_limit_cents)}; people in all: {wanted.approvals}. Set these limits?",
        yes=yes,
    )
    done = set_limits(context, wanted, why=why)
    if isinstance(done, Approval):
        exit_waiting(done, as_json=as_json)
    _emit(done, _document(done), as_json=as_json)


def _emit(limits: Limits, document: dict[str, Any], *, as_json: bool) -> None:
    card = {
        "limitCents": _say(limits.limit_cents),
        "dayLimitCents": _say(limits.day_limit_cents),
        "approvals": limits.approvals,
    }
    emit(document if as_json else card, as_json=as_json, columns=_COLUMNS)


def _say(cents: int | None) -> str:
    return "none" if cents is None else format_cents(cents)


def _cents(text: str | None) -> int | None:
    return None if text in {None, "none"} else parse_cents(str(text))


def _document(limits: Limits) -> dict[str, Any]:
    return {
        "limitCents": limits.limit_cents,
        "dayLimitCents": limits.day_limit_cents,
        "approvals": limits.approvals,
    }
