"""``jara proofs``: the public log, for anyone to check."""

from __future__ import annotations

from typing import Annotated

import typer

from jara.domain.errors import InvalidInput
from jara_cli.context import open_application
from jara_cli.exits import ExitCode
from jara_cli.inputs import open_input, write_output
from jara_cli.options import JsonFlag, OutPath
from jara_cli.output import Column, Kind, emit

app = typer.Typer(no_args_is_help=True)

_RECEIPT_BYTES_MAX = 1 << 20


@app.command()
def checkpoint(ctx: typer.Context, out: OutPath = "", as_json: JsonFlag = False) -> None:
    """Sign the log as it stands and keep the note, for others to keep too.

    With --out every note so far is written to that file, to be put anywhere.

    \b
    Example:
      jara proofs checkpoint --out checkpoints.txt
    """
    from jara.services.publiclog.proofs import make_checkpoint, published_notes

    context = open_application(ctx).context
    made = make_checkpoint(context)
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


@app.command()
def bundle(
    ctx: typer.Context,
    out: Annotated[
        str, typer.Argument(metavar="OUT.tar", help="Where to write it; - is standard output.")
    ],
    public: Annotated[
        bool, typer.Option("--public", help="Hashes of entries instead of their contents.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write everything that checks the log: entries, notes, rolls, and the verifier.

    \b
    Example:
      jara proofs bundle books.tar && tar xf books.tar jara_verify.py &&
      python jara_verify.py books.tar
    """
    from jara.files.publiclog.bundle_writer import bundle_pieces
    from jara.services.publiclog.proofs import bundle_contents

    context = open_application(ctx).context
    with context.store.read() as work:
        contents = bundle_contents(context, work, whole=not public)
        write_output(out, bundle_pieces(contents))
        size, root = contents.size, work.log.root().hex()
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
        str, typer.Argument(metavar="FILE", help="The receipt as JSON; - reads stdin.")
    ],
    as_json: JsonFlag = False,
) -> int:
    """Check a voter's receipt against the log.

    \b
    Example:
      jara proofs receipt my-vote.json
    """
    import json

    from jara.services.publiclog.receipts import check_receipt

    with open_input(source) as stream:
        data = stream.read(_RECEIPT_BYTES_MAX)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput(f"{source} is no JSON; a receipt is one JSON object.") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{source} is no receipt; a receipt is one JSON object.")
    points = [
        {"name": point.name, "ok": point.ok, "message": point.message}
        for point in check_receipt(open_application(ctx).context, document)
    ]
    good = all(point["ok"] for point in points)
    emit(
        {"ok": good, "checks": points},
        as_json=as_json,
        columns=[Column("name", "Check"), Column("ok", "Holds"), Column("message", "")],
        rows=points,
    )
    return ExitCode.DONE if good else ExitCode.NO
