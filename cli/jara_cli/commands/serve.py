"""``jara serve``: the website and the HTTP API."""

from __future__ import annotations

from typing import Annotated

import typer

from jara_cli.context import config_path, open_application
from jara_cli.options import parse_whole_number
from jara_cli.serving import Place, become_server


def command(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(parser=parse_whole_number, metavar="PORT", help="Port to listen on.")
    ] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(
            parser=parse_whole_number,
            metavar="N",
            help="Number of processes; default: one per core.",
        ),
    ] = None,
    threads: Annotated[
        int, typer.Option(parser=parse_whole_number, metavar="N", help="Threads per process.")
    ] = 8,
    public_sandbox: Annotated[
        bool,
        typer.Option(
            "--public-sandbox",
            help="Serve a sandbox organisation to anyone; every page says that it is one.",
        ),
    ] = False,
    behind_proxy: Annotated[
        bool,
        typer.Option(
            "--behind-proxy", help="Only a reverse proxy reaches the address; see docs/deploy."
        ),
    ] = False,
) -> None:
    """Serve the website and the HTTP API, and send waiting emails.

    Stop the server with Ctrl+C, or with a signal to this process. An organisation with
    sandbox payments is served on this machine only, unless --public-sandbox is given.
    To listen on a non-local address, use a reverse proxy and --behind-proxy.

    \b
    Examples:
      jara serve
      jara --db jara-demo/jara.db serve --port 8080
    """
    place = Place(host, port, workers, threads, behind_proxy)
    settings = {"public_sandbox": True} if public_sandbox else {}
    become_server(open_application(ctx, settings=settings), place, config=config_path(ctx))
