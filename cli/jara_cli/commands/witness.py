"""``jara witness``: cosign the logs of other organisations."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from jara.bootstrap.serving import is_loopback
from jara.bootstrap.witness import create_witness, follow_logs, open_cosigner, read_log_key
from jara.documents import Document
from jara.domain.errors import Conflict
from jara_cli.columns import Column, Kind
from jara_cli.commands.serve import Address, require_free
from jara_cli.options import argument, flag, option, parse_whole_number
from jara_cli.output import note
from jara_cli.verbs import Answer, verb

app = typer.Typer(no_args_is_help=True)

FOLDER = "jara-witness"
PORT = 7380

Folder = Annotated[str, option("FOLDER", "Folder of the witness's key and state.")]
Logs = Annotated[list[str], option("KEY|URL", "Log to follow: its key, or its website.")]


@verb(app, Column("folder", "Folder"), Column("key", "Key"))
def init(
    name: Annotated[str, argument("NAME", "Name, such as witness.example/w1.")],
    log: Logs = [],  # noqa: B006 - Typer's way; it is never changed
    folder: Folder = FOLDER,
) -> Answer:
    """Create a witness with a key of its own.

    Give the printed key to the organisation whose log it follows. If a log's key comes from a
    website, compare it with the key that the organisation tells you.

    Example: jara witness init witness.example/w1 --log https://jara.example
    """
    keys = [read_log_key(text) for text in log]
    key = create_witness(Path(folder), name, keys)
    return Answer(
        {"folder": folder, "key": key.text(), "logs": [one.text() for one in keys]},
        notes=[
            *(f"It follows {one.text()}" for one in keys),
            "Serve it: jara witness serve",
            f"Tell the organisation: jara proofs witnesses add URL {key.text()}",
        ],
    )


@verb(app, Column("log", "Log"), Column("key", "Key"), Column("new", "New"))
def add(
    log: Annotated[list[str], argument("KEY|URL...", "Keys or websites.")], folder: Folder = FOLDER
) -> list[Document]:
    """Follow more logs; the logs already followed stay unchanged.

    Example: jara witness add https://sister.example
    """
    keys = [read_log_key(text) for text in log]
    new = follow_logs(Path(folder), keys)
    return [{"log": key.name, "key": key.text(), "new": key.name in new} for key in keys]


@app.command()
def serve(
    folder: Folder = FOLDER,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("PORT", "Port to listen on.", parser=parse_whole_number)] = PORT,
    behind_proxy: Annotated[
        bool, flag("--behind-proxy", "Only a reverse proxy reaches the address.")
    ] = False,
) -> None:
    """Accept checkpoints, and sign those that continue the log seen before.

    Logs reach it through a reverse proxy with HTTPS. Stop it with Ctrl+C.

    Example: jara witness serve --port 7380
    """
    key = open_cosigner(Path(folder)).key
    address = Address(host, port)
    if not (behind_proxy or is_loopback(host)):
        raise Conflict(
            f"{host} can be reached by others: listen on 127.0.0.1 behind a proxy with HTTPS, or "
            "use --behind-proxy if only a proxy reaches this address."
        )
    require_free(address)
    note(f"{key.name} is at http://{host}:{port}; press Ctrl+C to stop.")
    arguments = ["--folder", str(Path(folder).absolute()), "--host", host, "--port", str(port)]
    sys.stderr.flush()
    # exec, not import: the command line and the web server are independent packages.
    os.execv(sys.executable, [sys.executable, "-m", "jara_webapi.witness", *arguments])  # noqa: S606 - our own module


@verb(
    app,
    Column("log", "Log"),
    Column("size", "Leaves", Kind.COUNT),
    Column("seenAt", "Seen at"),
    Column("refusal", "Refused"),
    Column("refusedAt", "Refused at"),
)
def status(folder: Folder = FOLDER) -> Answer:
    """Show the witness's key, and what it has seen and refused.

    A log with the refusal OTHER_ROOT signed two histories of one size; the two notes in --json
    are the evidence.

    Example: jara witness status
    """
    cosigner = open_cosigner(Path(folder))
    with cosigner.folder.transaction() as state:
        logs = state.logs()
    rows = [
        {
            "log": log.origin,
            "size": log.seen.size,
            "root": log.seen.root.hex(),
            "seenAt": log.seen_at,
            "refusedAt": log.refused_at,
            "refusal": log.refusal or None,
            "refusedNote": log.refused_note or None,
            "signedNote": log.signed_note or None,
        }
        for log in logs
    ]
    return Answer({"key": cosigner.key.text(), "logs": rows}, view=rows)
