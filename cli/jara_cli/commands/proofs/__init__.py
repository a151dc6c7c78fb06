"""``jara proofs``: the public log, which anyone can check."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from jara.domain.errors import InvalidInput
from jara.files.publiclog.bundle import bundle_pieces
from jara.services.publiclog.key_changes import rotate_log_key
from jara.services.publiclog.offering import try_to_offer
from jara.services.publiclog.proofs import make_checkpoint, open_bundle, published_notes
from jara.services.publiclog.receipts import check_receipt
from jara_cli.columns import Column, Kind
from jara_cli.commands.proofs import signer, witnesses
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.inputs import open_input, write_output
from jara_cli.options import JsonFlag, OutPath
from jara_cli.output import emit

app = typer.Typer(no_args_is_help=True)
app.add_typer(signer.app, name="signer")
app.add_typer(witnesses.app, name="witnesses")
app.command()(witnesses.status)

_RECEIPT_BYTES_MAX = 1 << 20


@app.command(name="rotate-key")
def rotate_key(ctx: typer.Context, as_json: JsonFlag = False) -> None:
    """Replace the key that signs the log with a new one.

    A leaf of the log records the change, and both keys sign the checkpoint that ends with it.
    Give the new key to your witnesses and to everybody who checks the log. If the command is
    interrupted, run it again.

    \b
    Example:
      jara proofs rotate-key
    """
    context = open_application(ctx, any_mode=True).context
    key = rotate_log_key(context)
    try_to_offer(context)
    emit({"key": key.text()}, as_json=as_json, columns=[Column("key", "New key")])


@app.command()
def checkpoint(ctx: typer.Context, out: OutPath = "", as_json: JsonFlag = False) -> None:
    """Sign the current state of the log as a checkpoint.

    With --out, writes all checkpoints so far to that file, ready to publish.

    \b
    Example:
      jara proofs checkpoint --out checkpoints.txt
    """
    context = open_application(ctx, any_mode=True).context
    made = make_checkpoint(context)
    standing = try_to_offer(context)
    if out:
        with context.store.read() as work:
            text = published_notes(work)
        write_output(out, text.encode())
        if out == "-":
            return
    emit(
        {
            "size": made.size,
            "root": made.root.hex(),
            "madeAt": made.made_at,
            "checkpoint": made.note,
        },
        as_json=as_json,
        columns=[
            Column("size", "Size", Kind.COUNT),
            Column("root", "Root"),
            Column("madeAt", "Made at", Kind.DATE),
        ],
    )
    if standing is not None:
        witnesses.warn_of(standing)


@app.command()
def bundle(
    ctx: typer.Context,
    out: Annotated[
        str, typer.Argument(metavar="OUT.tar", help="File to write; - is standard output.")
    ],
    public: Annotated[
        bool, typer.Option("--public", help="Include hashes of entries instead of their content.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a bundle to check the log: entries, checkpoints, rolls and the verifier.

    \b
    Example:
      jara proofs bundle books.tar && tar xf books.tar jara_verify.py &&
      python jara_verify.py books.tar
    """
    context = open_application(ctx, any_mode=True).context
    with open_bundle(context, whole=not public) as contents:
        write_output(out, bundle_pieces(contents))
        size = contents.size
        root = contents.work.log.root(size).hex()
    if out != "-":
        emit(
            {"size": size, "root": root, "whole": not public, "file": out},
            as_json=as_json,
            columns=[
                Column("file", "File"),
                Column("size", "Leaves", Kind.COUNT),
                Column("root", "Root"),
                Column("whole", "With entries"),
            ],
        )


@app.command()
def receipt(
    ctx: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="Receipt as JSON; - is standard input.")
    ],
    as_json: JsonFlag = False,
) -> int:
    """Check a voter's receipt against the log.

    \b
    Example:
      jara proofs receipt my-vote.json
    """
    with open_input(source) as stream:
        data = stream.read(_RECEIPT_BYTES_MAX)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput(f"{source} is not JSON; a receipt is a JSON object.") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{source} is not a receipt; a receipt is a JSON object.")
    points = [
        {"name": point.name, "ok": point.ok, "message": point.message}
        for point in check_receipt(open_application(ctx).context, document)
    ]
    good = all(point["ok"] for point in points)
    emit(
        {"ok": good, "checks": points},
        as_json=as_json,
        columns=[
            Column("name", "Check"),
            Column("ok", "Holds"),
            Column("message", "", Kind.SENTENCE),
        ],
        rows=points,
    )
    return ExitCode.DONE if good else ExitCode.NO
