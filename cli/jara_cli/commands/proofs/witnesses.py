"""``jara proofs witnesses``: who cosigns this organisation's log."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.publiclog.witnessing import tolerated_liars
from jara.services.publiclog.offering import offer_checkpoint
from jara.services.publiclog.signer import describe_signer, read_signer
from jara.services.publiclog.witnesses import (
    Standing,
    add_witness,
    read_standing,
    remove_witness,
    set_quorum,
)
from jara_cli.columns import Column, Kind, Row
from jara_cli.context import open_application
from jara_cli.options import JsonFlag
from jara_cli.output import emit, note

app = typer.Typer(no_args_is_help=True)

_COLUMNS = [
    Column("name", "Witness"),
    Column("signedAt", "Signed", Kind.DATE),
    Column("seenSize", "Leaves", Kind.COUNT),
    Column("url", "Address"),
    Column("failure", "Last time it", Kind.SENTENCE),
]


@app.callback()
def witnesses() -> None:
    """Who cosigns this organisation's log."""


@app.command()
def add(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="URL of the witness.")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its key: jara witness status.")],
    as_json: JsonFlag = False,
) -> None:
    """Add a witness, and send it the newest checkpoint at once.

    \b
    Example:
      jara proofs witnesses add https://witness.example KEY
    """
    context = open_application(ctx, any_mode=True).context
    witness = add_witness(context, url, key)
    standing = offer_checkpoint(context)
    emit(
        {"name": witness.name, "url": witness.url, "key": witness.key},
        as_json=as_json,
        columns=[Column("name", "Witness"), Column("url", "Address")],
    )
    if standing is not None:
        warn_of(standing)


@app.command(name="list")
def list_witnesses(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """List the witnesses, and what each signed last.

    \b
    Example:
      jara proofs witnesses list
    """
    context = open_application(ctx, any_mode=True).context
    with context.store.read() as work:
        standing = read_standing(work)
    emit(rows_of(standing), as_json=as_json, columns=_COLUMNS)


@app.command()
def remove(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the witness.")],
    as_json: JsonFlag = False,
) -> None:
    """Remove a witness and its signatures.

    \b
    Example:
      jara proofs witnesses remove witness.example/w1
    """
    remove_witness(open_application(ctx, any_mode=True).context, name)
    emit({"removed": name}, as_json=as_json, columns=[Column("removed", "Removed")])


@app.command()
def quorum(
    ctx: typer.Context,
    count: Annotated[
        int, typer.Argument(metavar="N", help="How many must sign; 0 for the default.")
    ],
    as_json: JsonFlag = False,
) -> None:
    """Set how many witnesses must have seen the log.

    The default tolerates one dishonest witness (3 of 3, 3 of 4, 4 of 5), and two from 7 on.

    \b
    Example:
      jara proofs witnesses quorum 3
    """
    context = open_application(ctx, any_mode=True).context
    set_quorum(context, count)
    with context.store.read() as work:
        standing = read_standing(work)
    known = len(standing.sights)
    liars = tolerated_liars(known, standing.quorum)
    emit(
        {"quorum": standing.quorum, "witnesses": known, "liars": liars},
        as_json=as_json,
        columns=[
            Column("quorum", "Needed", Kind.COUNT),
            Column("witnesses", "Witnesses", Kind.COUNT),
            Column("liars", "May be dishonest", Kind.COUNT),
        ],
    )
    if known and 2 * standing.quorum <= known:
        note("With so few, two histories can each have enough witnesses even if all are honest.")


def status(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Show the state of the log's signer, and how many witnesses have seen the log.

    \b
    Example:
      jara proofs status
    """
    context = open_application(ctx, any_mode=True).context
    with context.store.read() as work:
        # Read the signer first: a vote cast in between would make it seem ahead of the log.
        position, signer = read_signer(context, work)
        size, standing = work.log.size(), read_standing(work)
    document = {
        "size": size,
        "signer": position.value,
        "signedSize": None if signer.seen is None else signer.seen.size,
        "signerFile": signer.place,
        "witnessedSize": standing.size,
        "seen": standing.seen,
        "of": len(standing.sights),
        "quorum": standing.quorum,
        "newest": standing.newest,
        "late": standing.is_late(context.now()),
        "witnesses": rows_of(standing),
    }
    emit(
        {**document, "text": f"{standing.seen} of {len(standing.sights)}"}
        if not as_json
        else document,
        as_json=as_json,
        columns=[
            Column("size", "Leaves", Kind.COUNT),
            Column("signedSize", "Leaves that are signed", Kind.COUNT),
            Column("text", "Witnesses that have seen it"),
            Column("quorum", "Needed", Kind.COUNT),
            Column("witnessedSize", "Leaves that they saw", Kind.COUNT),
            Column("newest", "The newest time", Kind.DATE),
        ],
    )
    if not as_json:
        if not position.is_well:
            note(describe_signer(position, signer, size))
        warn_of(standing)


def rows_of(standing: Standing) -> list[Row]:
    """Return a row for each witness."""
    return [
        {
            "name": sight.witness.name,
            "signedAt": sight.at,
            "seenSize": sight.witness.seen_size,
            "url": sight.witness.url,
            "key": sight.witness.key,
            "triedAt": sight.witness.tried_at,
            "failure": sight.witness.failure,
        }
        for sight in standing.sights
    ]


def warn_of(standing: Standing) -> None:
    """Print the witnesses that did not sign the last checkpoint, on standard error."""
    for sight in standing.sights:
        if sight.witness.failure:
            note(f"The witness {sight.witness.name} {sight.witness.failure}.")
