"""``jara proofs``: the public log, which anyone can check, its signer and its witnesses."""

import json
from typing import Annotated

import typer

from jara.documents import Document
from jara.domain.errors import InvalidInput
from jara.domain.publiclog.witnessing import tolerated_liars
from jara.files.publiclog.bundle import bundle_pieces
from jara.services.context import Context
from jara.services.publiclog.key_changes import rotate_log_key
from jara.services.publiclog.offering import offer_checkpoint, try_to_offer
from jara.services.publiclog.proofs import make_checkpoint, open_bundle, read_notes
from jara.services.publiclog.receipts import check_receipt
from jara.services.publiclog.signer import describe_signer, reset_signer, show_log_status
from jara.services.publiclog.witnesses import (
    Standing,
    add_witness,
    remove_witness,
    set_quorum,
    show_standing,
)
from jara_cli.columns import Column, Kind
from jara_cli.inputs import open_input, write_output
from jara_cli.options import OutPath, argument, flag, option
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)
signer = typer.Typer(no_args_is_help=True, help="The last state that the log's key signed.")
witnesses = typer.Typer(
    no_args_is_help=True, help="Witnesses: others who sign this organisation's log too."
)
app.add_typer(signer, name="signer")
app.add_typer(witnesses, name="witnesses")

_WITNESSES = [
    Column("name", "Witness"),
    Column("signedAt", "Signed", Kind.DATE),
    Column("seenSize", "Leaves", Kind.COUNT),
    Column("url", "Address"),
    Column("failure", "Last time it", Kind.SENTENCE),
]

_RECEIPT_BYTES_MAX = 1 << 20
_NOTES_BYTES_MAX = 1 << 24


@verb(
    app,
    Column("size", "Leaves", Kind.COUNT),
    Column("signedSize", "Leaves that are signed", Kind.COUNT),
    Column("text", "Witnesses that have seen it"),
    Column("quorum", "Needed", Kind.COUNT),
    Column("witnessedSize", "Leaves that they saw", Kind.COUNT),
    Column("newest", "The newest time", Kind.DATE),
    any_mode=True,
)
def status(context: Context) -> Answer:
    """Show the state of the log's signer, and how many witnesses have seen the log.

    Example: jara proofs status
    """
    position, signed, size, standing = show_log_status(context)
    document = {
        "size": size,
        "signer": position,
        "signedSize": None if signed.seen is None else signed.seen.size,
        "signerFile": signed.place,
        "witnessedSize": standing.size,
        "seen": standing.seen,
        "of": len(standing.sights),
        "quorum": standing.quorum,
        "newest": standing.newest,
        "late": standing.is_late(context.now()),
        "witnesses": _witness_rows(standing),
    }
    problem = () if position.is_well else [describe_signer(position, signed, size)]
    return Answer(
        document,
        view={**document, "text": f"{standing.seen} of {len(standing.sights)}"},
        hints=[*problem, *_warnings(standing)],
    )


@verb(app, Column("key", "New key"), name="rotate-key", any_mode=True)
def rotate_key(context: Context) -> Document:
    """Replace the key that signs the log with a new one.

    A line of the log records the change, and both keys sign the checkpoint that ends with it.
    Give the new key to your witnesses and to everybody who checks the log. If the command is
    interrupted, run it again.

    Example: jara proofs rotate-key
    """
    key = rotate_log_key(context)
    try_to_offer(context)
    return {"key": key.text()}


@verb(
    app,
    Column("size", "Size", Kind.COUNT),
    Column("root", "Root"),
    Column("madeAt", "Made at", Kind.DATE),
    any_mode=True,
)
def checkpoint(context: Context, out: OutPath = "") -> Answer | None:
    """Sign the current state of the log as a checkpoint.

    With --out, writes all checkpoints so far to that file, ready to publish.

    Example: jara proofs checkpoint --out checkpoints.txt
    """
    made = make_checkpoint(context)
    standing = try_to_offer(context)
    if out:
        write_output(out, read_notes(context).encode())
        if out == "-":
            return None
    return Answer(
        {
            "size": made.size,
            "root": made.root.hex(),
            "madeAt": made.made_at,
            "checkpoint": made.note,
        },
        notes=_warnings(standing),
    )


@verb(
    app,
    Column("file", "File"),
    Column("size", "Leaves", Kind.COUNT),
    Column("root", "Root"),
    Column("whole", "With entries"),
    any_mode=True,
)
def bundle(
    context: Context,
    out: Annotated[str, argument("OUT.tar", "File to write; - is standard output.")],
    public: Annotated[
        bool, flag("--public", "Include hashes of entries instead of their content.")
    ] = False,
) -> Document | None:
    """Write a bundle to check the log: entries, checkpoints, rolls and the verifier.

    Example:
      jara proofs bundle books.tar && tar xf books.tar jara_verify.py &&
      python jara_verify.py books.tar
    """
    with open_bundle(context, whole=not public) as contents:
        write_output(out, bundle_pieces(contents))
        size = contents.size
        root = contents.work.log.root(size).hex()
    if out == "-":
        return None
    return {"size": size, "root": root, "whole": not public, "file": out}


@verb(app, Column("name", "Check"), Column("ok", "Holds"), Column("message", "", Kind.SENTENCE))
def receipt(
    context: Context,
    source: Annotated[str, argument("FILE", "Receipt as JSON; - is standard input.")],
) -> Answer:
    """Check a voter's receipt against the log.

    Example: jara proofs receipt my-vote.json
    """
    with open_input(source) as stream:
        data = stream.read(_RECEIPT_BYTES_MAX)
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput(f"{source} is not JSON; a receipt is a JSON object.") from None
    if not isinstance(document, dict):
        raise InvalidInput(f"{source} is not a receipt; a receipt is a JSON object.")
    points = check_receipt(context, document)
    good = all(point.ok for point in points)
    return Answer({"ok": good, "checks": points}, view=points, ok=good)


@verb(signer, Column("size", "Leaves", Kind.COUNT), Column("root", "Root"), any_mode=True)
def reset(
    context: Context,
    checkpoint: Annotated[str, option("FILE", "The newest checkpoint that others have.")],
) -> Document:
    """Rebuild the signer's state after its file was lost.

    Take the checkpoint from a witness or a mirror. The log must contain it.

    Example: jara proofs signer reset --checkpoint checkpoint.txt
    """
    with open_input(checkpoint) as stream:
        text = stream.read(_NOTES_BYTES_MAX).decode("utf-8", errors="replace")
    seen = reset_signer(context, text)
    return {"size": seen.size, "root": seen.root.hex()}


@verb(witnesses, Column("name", "Witness"), Column("url", "Address"), any_mode=True)
def add(
    context: Context,
    url: Annotated[str, argument("URL", "URL of the witness.")],
    key: Annotated[str, argument("KEY", "Its key: jara witness status.")],
) -> Answer:
    """Add a witness, and send it the newest checkpoint at once.

    Example: jara proofs witnesses add https://witness.example KEY
    """
    witness = add_witness(context, url, key)
    standing = offer_checkpoint(context)
    return Answer(
        {"name": witness.name, "url": witness.url, "key": witness.key}, notes=_warnings(standing)
    )


@verb(witnesses, *_WITNESSES, name="list", any_mode=True)
def list_witnesses(context: Context) -> list[Document]:
    """List the witnesses, and what each signed last.

    Example: jara proofs witnesses list
    """
    return _witness_rows(show_standing(context))


@verb(witnesses, Column("removed", "Removed"), any_mode=True)
def remove(
    context: Context, name: Annotated[str, argument("NAME", "Name of the witness.")]
) -> Document:
    """Remove a witness and its signatures.

    Example: jara proofs witnesses remove witness.example/w1
    """
    remove_witness(context, name)
    return {"removed": name}


@verb(
    witnesses,
    Column("quorum", "Needed", Kind.COUNT),
    Column("witnesses", "Witnesses", Kind.COUNT),
    Column("liars", "May be dishonest", Kind.COUNT),
    any_mode=True,
)
def quorum(
    context: Context, count: Annotated[int, argument("N", "How many must sign; 0 for the default.")]
) -> Answer:
    """Set how many witnesses must have seen the log.

    The default tolerates one dishonest witness (3 of 3, 3 of 4, 4 of 5), and two from 7 on.

    Example: jara proofs witnesses quorum 3
    """
    set_quorum(context, count)
    standing = show_standing(context)
    witness_count = len(standing.sights)
    liars = tolerated_liars(witness_count, standing.quorum)
    warning = "With so few, two histories can each have enough witnesses even if all are honest."
    return Answer(
        {"quorum": standing.quorum, "witnesses": witness_count, "liars": liars},
        notes=[warning] if 0 < 2 * standing.quorum <= witness_count else (),
    )


def _witness_rows(standing: Standing) -> list[Document]:
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


def _warnings(standing: Standing | None) -> list[str]:
    """Return a sentence about each witness that did not sign the last checkpoint."""
    return [
        f"The witness {sight.witness.name} {sight.witness.failure}."
        for sight in (standing.sights if standing is not None else ())
        if sight.witness.failure
    ]
