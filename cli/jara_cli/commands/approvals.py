"""``jara approvals``: actions that need a second operator's approval."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from jara.domain.counts import count_of
from jara.domain.money import format_cents
from jara.records.operations import Approval
from jara.services.approvals import WAITING
from jara.services.approvals import approve as approve_act
from jara.services.approvals import refuse as refuse_act
from jara.services.context import Context
from jara.services.operations.approved_acts import (
    HANDLERS,
    describe_values,
    list_approval_documents,
    show_approval,
)
from jara_cli.columns import Column, Kind, spell_key
from jara_cli.context import open_application
from jara_cli.foreign import say_foreign
from jara_cli.options import JsonFlag, Yes, confirm
from jara_cli.output import emit, fold, note, show_line, write
from jara_cli.waiting import exit_waiting

app = typer.Typer(no_args_is_help=True)

_VALUES_AT = 12
"""The column at which values start in the details."""

Id = Annotated[str, typer.Argument(metavar="APPROVAL", help="Id, or its first characters.")]

_COLUMNS = [
    Column("id", "Id", Kind.ID),
    Column("action", "Act"),
    Column("cents", "Amount", Kind.CENTS),
    Column("about", "About"),
    Column("preparedBy", "By"),
    Column("preparedAt", "On", Kind.DATE),
]
_DECIDED = [*_COLUMNS, Column("state", "State"), Column("decidedBy", "Decided by")]


@app.command("list")
def list_command(
    ctx: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include decided approvals.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """List actions above the limit that need another operator's approval.

    \b
    Example:
      jara approvals list
    """
    context = open_application(ctx).context
    found = list_approval_documents(context, include_decided=everything)
    rows = [
        {**one, "preparedAt": one["preparedAt"].date(), "cents": one["cents"] or None}
        for one in found
    ]
    emit(found, as_json=as_json, columns=_DECIDED if everything else _COLUMNS, rows=rows)


@app.command()
def show(ctx: typer.Context, approval: Id, as_json: JsonFlag = False) -> None:
    """Show the details of an approval: payee, postings, vote, evidence, who asked and why.

    \b
    Example:
      jara approvals show appr_4f7k
    """
    _emit_details(show_approval(open_application(ctx).context, approval), as_json=as_json)


@app.command()
def approve(ctx: typer.Context, approval: Id, yes: Yes = False, as_json: JsonFlag = False) -> None:
    """Show a waiting action and approve it; the last approval it needs carries it out.

    \b
    Example:
      jara approvals approve appr_4f7k --yes
    """
    context = open_application(ctx).context
    details = show_approval(context, approval)
    if not as_json:
        for line in _lines(details):
            for piece in fold(line, sys.stderr, indent=_VALUES_AT):
                note(piece)
    confirm(f"Approve {details['id']} and carry it out?", yes=yes)
    decided = approve_act(context, details["id"], handlers=HANDLERS).approval
    if decided.state == WAITING:
        exit_waiting(decided, as_json=as_json)
    _emit_decided(context, decided, as_json=as_json)


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
    context = open_application(ctx).context
    _emit_decided(context, refuse_act(context, approval, why=why), as_json=as_json)


def _emit_decided(context: Context, decided: Approval, *, as_json: bool) -> None:
    known = list_approval_documents(context, include_decided=True)
    (document,) = (one for one in known if one["id"] == decided.id)
    card = {**document, "cents": document["cents"] or None}
    emit(document if as_json else card, as_json=as_json, columns=_DECIDED)


def _emit_details(details: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit(details, as_json=True, columns=[])
    else:
        for line in _lines(details):
            for piece in fold(line, sys.stdout, indent=_VALUES_AT):
                write(f"{show_line(piece)}\n")


def _lines(details: dict[str, Any]) -> Iterator[str]:
    """Yield the details as text, one fact per line."""
    yield f"{details['id']}: {details['action']}, {details['about']}"
    if details["cents"]:
        yield f"Amount      {format_cents(details['cents'])}"
    yield f"Asked by    {details['preparedBy']}, {details['preparedAt']:%Y-%m-%d %H:%M} UTC"
    yield f"Why         {details['why']}"
    people = count_of(details["needed"], "person", "people")
    left = f"; {people} must agree" if details["state"] == WAITING else ""
    yield f"State       {details['state']}{left}"
    for one in details["signatures"]:
        yield f"Signed      {one['operator']}, {one['key']}"
    if details.get("project"):
        yield f"Project     {details['project']} ({details['payee']})"
    elif details.get("payee"):
        yield f"Payee       {details['payee']}"
    for posting in details.get("postings", ()):
        amount = format_cents(posting["cents"])
        yield f"Posting     {amount:>14}  {posting['account']} ({posting['fund']})"
    if not details.get("postings"):
        said = describe_values(details["payload"])
        yield from (f"{spell_key(name):<11} {text}" for name, text in said.items())
    yield from _effects(details)
    yield from _proposal_lines(details)
    if details.get("key"):
        yield f"Key         {details['key']} ({details['kind']})"


def _effects(details: dict[str, Any]) -> Iterator[str]:
    """Yield side effects: reversals, an amount abroad, the bank's charge."""
    if details.get("entries"):
        yield f"Entries     {details['entries']:,} to be reversed"
    if details.get("bankLines"):
        yield f"Bank lines  {details['bankLines']:,} of {details['statement']}, to be dropped"
    if details.get("foreign"):
        yield f"Abroad      {say_foreign(details['foreign'])}"
    if details.get("bankChargeCents"):
        charge = format_cents(details["bankChargeCents"])
        yield f"Bank charge {charge}, paid by the funds that pay card fees"


def _proposal_lines(details: dict[str, Any]) -> Iterator[str]:
    vote = details.get("proposal")
    if vote:
        yield f"Proposal    {vote['title']} ({vote['id']})"
        yield (
            f"Result      {vote['status']}: {vote['yes']} yes, {vote['no']} no of {vote['roll']}; "
            f"{format_cents(vote['heldCents'])} held"
        )
    for step in details.get("milestones", ()):
        done = "done" if step["completed"] else "not done"
        yield f"Milestone   {step['title']}: {done}"
        for file in step["evidence"]:
            yield f"Evidence    {file['sha256']}"
