"""``jara proofs signer``: the last state that the log's key signed."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.services.publiclog.signer import reset_signer
from jara_cli.columns import Column, Kind
from jara_cli.context import open_application
from jara_cli.inputs import open_input
from jara_cli.options import JsonFlag
from jara_cli.output import emit

app = typer.Typer(no_args_is_help=True)

_NOTES_BYTES_MAX = 1 << 24


@app.callback()
def signer() -> None:
    """The last state that the log's key signed."""


@app.command()
def reset(
    ctx: typer.Context,
    checkpoint: Annotated[
        str,
        typer.Option(metavar="FILE", help="The newest checkpoint that others have."),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Rebuild the signer's state after its file was lost.

    Take the checkpoint from a witness, a mirror or a voter's receipt. The log must contain it.

    \b
    Example:
      jara proofs signer reset --checkpoint checkpoint.txt
    """
    context = open_application(ctx, any_mode=True).context
    with open_input(checkpoint) as stream:
        text = stream.read(_NOTES_BYTES_MAX).decode("utf-8", errors="replace")
    seen = reset_signer(context, text)
    emit(
        {"size": seen.size, "root": seen.root.hex()},
        as_json=as_json,
        columns=[Column("size", "Leaves", Kind.COUNT), Column("root", "Root")],
    )
