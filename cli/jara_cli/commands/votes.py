"""``jara votes``: count, check and watch ballots."""

import time
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.texts import count_of
from jara.domain.voting.tally import parse_choice, passes_words, read_rule
from jara.services.ballots.counting import show_roll
from jara.services.context import Context
from jara.services.members.operators import cast_for_member
from jara.services.operations.upkeep import wipe_erased
from jara.services.proposals.closing import destroy_ballot_key
from jara.services.proposals.views import tally_vote, verify_vote
from jara_cli.columns import Column, Kind
from jara_cli.commands.proposals import Name, shown
from jara_cli.options import JsonFlag, Yes, confirm, flag, option, parse_whole_number
from jara_cli.verbs import Answer, show, verb

app = typer.Typer(no_args_is_help=True)

_TALLY = [
    Column("title", "Proposal"),
    Column("status", "Status"),
    Column("endDate", "Ends"),
    Column("yes", "Yes", Kind.COUNT),
    Column("no", "No", Kind.COUNT),
    Column("void", "Dropped", Kind.COUNT),
    Column("notVoted", "Not voted", Kind.COUNT),
    Column("roll", "Roll", Kind.COUNT),
    Column("offRollWords", "Not on it", Kind.SENTENCE),
    Column("upvotePercentage", "Yes, rounded down", Kind.PERCENT),
    Column("downvotePercentage", "No, rounded down", Kind.PERCENT),
    Column("passesWhen", "Passes when", Kind.SENTENCE),
    Column("needed", "Yes still needed", Kind.COUNT),
    Column("passes", "Passes"),
    Column("final", "Final"),
]
_DESTROYED = [Column("id", "Proposal"), Column("keyDestroyedAt", "Key destroyed", Kind.DATE)]
_POINTS = [Column("name", "Check"), Column("ok", "Holds"), Column("message", "", Kind.SENTENCE)]


@verb(app, *_TALLY)
def tally(
    context: Context,
    name: Name,
    check: Annotated[bool, flag("--check", "Exit with 1 if it does not pass.")] = False,
) -> Answer:
    """Count a vote: yes, no, the roll (all who may vote), and whether it passes.

    Example: jara votes tally wells --check
    """
    document = tally_vote(context, name)
    return Answer(document, view=_card(context, document), ok=document["passes"] or not check)


@verb(app, Column("elector", "Elector"))
def roll(context: Context, name: Name) -> Answer:
    """Show the roll, the list of all who may vote; after the close it has codes, not members.

    Example: jara votes roll wells
    """
    view = show_roll(context, name)
    document: Document = {"final": view.final, "size": view.size}
    if view.final:
        document |= {"root": view.root, "voters": view.voters}
        rows = [{"elector": voter} for voter in view.voters]
    else:
        document |= {"members": view.members}
        rows = [{"elector": member} for member in view.members]
    return Answer(document, view=rows)


@verb(
    app,
    Column("tracker", "Tracker"),
    Column("latestDay", "Listed at the latest"),
    Column("leaf", "Leaf"),
    Column("nonce", "Nonce"),
)
def cast(
    context: Context,
    name: Name,
    member: Annotated[str, option("MEMBER", "Email or id.")],
    choice: Annotated[str, option("up|down", "Yes or no.")],
) -> Answer:
    """Cast a member's ballot and print the receipt (sandbox).

    Example: jara votes cast wells --member ada@example.org --choice up --json
    """
    receipt = cast_for_member(context, name, member, parse_choice(choice))
    document = receipt.document()
    return Answer(document, view={**document, "latestDay": receipt.latest_day})


@verb(app, *_POINTS)
def verify(context: Context, name: Name) -> Answer:
    """Recount a vote, check its roll, and prove each ballot in the log.

    Example: jara votes verify wells
    """
    checked = verify_vote(context, name)
    document = {
        "ok": checked.ok,
        "proposal": checked.proposal,
        "size": checked.size,
        "root": checked.root,
        "checks": checked.points,
        "ballots": checked.ballots,
    }
    return Answer(document, view=checked.points, ok=checked.ok)


@verb(app)
def watch(
    context: Context,
    name: Name,
    once: Annotated[bool, flag("--once", "Show the count once and exit.")] = False,
    every: Annotated[int, option("SECONDS", "Refresh interval.", parser=parse_whole_number)] = 2,
    as_json: JsonFlag = False,
) -> None:
    """Watch the count until the vote is closed or you press Ctrl+C.

    Example: jara votes watch wells --every 5
    """
    last: Document | None = None
    while True:
        document = tally_vote(context, name)
        if document != last:
            show(Answer(document, view=_card(context, document)), as_json=as_json, columns=_TALLY)
            last = document
        if once or document["proposal"]["status"] != "open":
            return
        time.sleep(every)


@verb(app, *_DESTROYED, name="seal", hidden=True)  # the former name, for scripts
@verb(app, *_DESTROYED, name="destroy-key")
def destroy_key(context: Context, name: Name, yes: Yes = False) -> Document:
    """Destroy the ballot key of an ended vote now instead of after 14 days.

    Example: jara votes destroy-key wells --yes
    """
    confirm(f"Destroy the ballot key of '{name}'? This cannot be undone.", yes=yes)
    record = destroy_ballot_key(context, name)
    wipe_erased(context)
    return {"id": record.proposal.id, "keyDestroyedAt": record.key_destroyed_at}


def _card(context: Context, tally: Document) -> Document:
    words = passes_words(read_rule(tally["rule"]))
    off = tally.get("offRoll")
    return {
        **tally,
        **shown(context, tally["proposal"]),
        "passesWhen": words,
        "offRollWords": off and _off_roll_text(off),
    }


def _off_roll_text(counts: Document) -> str:
    return (
        f"{counts['payment']:,} without a payment, {count_of(counts['address'], 'payer')} whose "
        f"address is not confirmed, {count_of(counts['noAddress'], 'payer')} without an address"
    )
