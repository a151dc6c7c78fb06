"""``jara votes``: count, check and watch ballots."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from jara.documents import to_document
from jara.domain.errors import Conflict, InvalidInput
from jara.domain.voting.tally import parse_choice
from jara.services.ballots.casting import cast_ballot
from jara.services.ballots.counting import show_roll
from jara.services.members.operators import act_on_sandbox
from jara.services.operations.upkeep import wipe_erased
from jara.services.proposals.closing import destroy_ballot_key
from jara.services.proposals.views import tally_vote, verify_vote
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.options import JsonFlag, Yes, confirm, parse_whole_number
from jara_cli.output import emit
from jara_cli.proposal_parts import rounded_shares

app = typer.Typer(no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(metavar="PROPOSAL", help="Id or slug, or its first characters.")
]

_TALLY = [
    Column("title", "Proposal"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
    Column("void", "Voided", Kind.COUNT),
    Column("notVoted", "Not voted", Kind.COUNT),
    Column("roll", "Roll", Kind.COUNT),
    Column("upvotePercentage", "Yes of the roll", Kind.PERCENT),
    Column("downvotePercentage", "No of the roll", Kind.PERCENT),
    Column("needed", "Yes still needed", Kind.COUNT),
    Column("passes", "Passes"),
    Column("final", "Final"),
]
_POINTS = [Column("name", "Check"), Column("ok", "Holds"), Column("message", "", Kind.SENTENCE)]


@app.command()
def tally(
    ctx: typer.Context,
    name: Name,
    check: Annotated[
        bool, typer.Option("--check", help="Exit with 1 if it does not pass.")
    ] = False,
    as_json: JsonFlag = False,
) -> int:
    """Count a vote: yes, no, electoral roll, and whether it passes.

    \b
    Example:
      jara votes tally wells --check
    """
    document = tally_vote(open_application(ctx).context, name)
    _emit_tally(document, as_json=as_json)
    return ExitCode.NO if check and not document["passes"] else ExitCode.DONE


@app.command()
def roll(ctx: typer.Context, name: Name, as_json: JsonFlag = False) -> None:
    """Show the electoral roll: members while the vote is open, voter tokens once it is closed.

    \b
    Example:
      jara votes roll wells
    """
    view = show_roll(open_application(ctx).context, name)
    document: dict[str, Any] = {"final": view.final, "size": view.size}
    if view.final:
        document |= {"root": view.root, "voters": list(view.voters)}
        rows = [{"elector": voter} for voter in view.voters]
    else:
        document |= {"members": list(view.members), "othersWhoVoted": view.voted}
        rows = [{"elector": member} for member in view.members]
        rows += [{"elector": "voted, and is no longer a changemaker"}] * view.voted
    emit(document, as_json=as_json, columns=[Column("elector", "Elector")], rows=rows)


@app.command()
def cast(
    ctx: typer.Context,
    name: Name,
    member: Annotated[str, typer.Option("--member", metavar="MEMBER", help="Email or id.")],
    choice: Annotated[str, typer.Option("--choice", metavar="up|down", help="Yes or no.")],
    nonce: Annotated[
        str | None,
        typer.Option(
            "--nonce", metavar="HEX", help="16 bytes in hex; makes the receipt reproducible."
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Cast a member's ballot and print the receipt (sandbox).

    \b
    Example:
      jara votes cast wells --member ada@example.org --choice up --json
    """
    parsed = parse_choice(choice)
    own = None if nonce is None else _nonce(nonce)
    context = open_application(ctx).context
    if context.gateway.name != "sandbox":
        raise Conflict(
            "Members vote on the website; this command works with sandbox payments only."
        )
    with context.store.read() as work:
        member_id = work.members.find(member).id
    receipt = act_on_sandbox(
        context, "votes.cast", lambda: cast_ballot(context, name, member_id, parsed, nonce=own)
    ).document()
    emit(
        receipt,
        as_json=as_json,
        columns=[
            Column("tracker", "Tracker"),
            Column("index", "Log index", Kind.COUNT),
            Column("leaf", "Leaf"),
            Column("nonce", "Nonce"),
        ],
    )


@app.command()
def verify(ctx: typer.Context, name: Name, as_json: JsonFlag = False) -> int:
    """Recount a vote, check its roll, and prove each ballot in the log.

    \b
    Example:
      jara votes verify wells
    """
    checked = verify_vote(open_application(ctx).context, name)
    points = [to_document(point) for point in checked.points]
    document = {
        "ok": checked.ok,
        "proposal": to_document(checked.proposal),
        "size": checked.size,
        "root": checked.root,
        "checks": points,
        "ballots": [to_document(ballot) for ballot in checked.ballots],
    }
    emit(document, as_json=as_json, columns=_POINTS, rows=points)
    return ExitCode.DONE if checked.ok else ExitCode.NO


@app.command()
def watch(
    ctx: typer.Context,
    name: Name,
    once: Annotated[bool, typer.Option("--once", help="Show the count once and exit.")] = False,
    every: Annotated[
        int,
        typer.Option(
            "--every", metavar="SECONDS", parser=parse_whole_number, help="Refresh interval."
        ),
    ] = 2,
    as_json: JsonFlag = False,
) -> None:
    """Watch the count until the vote is closed or you press Ctrl+C.

    \b
    Example:
      jara votes watch wells --every 5
    """
    context = open_application(ctx).context
    shown: dict[str, Any] | None = None
    while True:
        document = tally_vote(context, name)
        if document != shown:
            _emit_tally(document, as_json=as_json)
            shown = document
        if once or document["proposal"]["status"] != "open":
            return
        time.sleep(every)


@app.command("seal", hidden=True)  # the former name, for scripts
@app.command("destroy-key")
def destroy_key(
    ctx: typer.Context, name: Name, yes: Yes = False, as_json: JsonFlag = False
) -> None:
    """Destroy the ballot key of an ended vote now instead of after 14 days.

    \b
    Example:
      jara votes destroy-key wells --yes
    """
    context = open_application(ctx).context
    confirm(f"Destroy the ballot key of '{name}'? This cannot be undone.", yes=yes)
    record = destroy_ballot_key(context, name)
    wipe_erased(context)
    emit(
        {"id": record.proposal.id, "keyDestroyedAt": record.key_destroyed_at},
        as_json=as_json,
        columns=[Column("id", "Proposal"), Column("keyDestroyedAt", "Key destroyed", Kind.DATE)],
    )


def _emit_tally(document: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit(document, as_json=True, columns=_TALLY)
    else:
        card = {**document, **document["proposal"], **rounded_shares(document)}
        emit(card, as_json=False, columns=_TALLY)


def _nonce(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise InvalidInput(f"'{text[:40]}' is not a nonce; write 16 bytes in hex.") from None
