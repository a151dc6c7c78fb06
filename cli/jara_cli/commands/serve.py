"""``jara serve``: the website and the HTTP API."""

from __future__ import annotations

import os
import socket
import sys
from typing import Annotated

import typer

from jara_cli.context import config_path, open_application
from jara_cli.options import parse_whole_number
from jara_cli.output import note

_PORT_MAX = 65535


def command(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(parser=parse_whole_number, metavar="PORT", help="The port.")
    ] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(parser=parse_whole_number, metavar="N", help="Processes; else one a core."),
    ] = None,
    threads: Annotated[
        int, typer.Option(parser=parse_whole_number, metavar="N", help="Threads of each process.")
    ] = 8,
) -> None:
    """Serve the website and the HTTP API, and send the mail that waits.

    This process becomes the server: a signal to it ends the server.

    \b
    Examples:
      jara serve
      jara --db jara-demo/jara.db serve --port 8080
    """
    from jara.domain.errors import InvalidInput

    if port > _PORT_MAX:
        raise InvalidInput(f"{port} is no port; choose from 1 to {_PORT_MAX}.")
    processes = workers or os.cpu_count() or 1
    _check(ctx, host, port)
    note(f"Jara is at http://{host}:{port}; Ctrl+C ends it.")
    arguments = ["--host", host, "--port", str(port)]
    arguments += ["--workers", str(processes), "--threads", str(threads)]
    config = config_path(ctx)
    if config is not None:
        arguments += ["--config", str(config.absolute())]
    sys.stderr.flush()
    # Replaced, not started: the server stands beside the command line, not below it.
    os.execv(sys.executable, [sys.executable, "-m", "jara_webapi", *arguments])  # noqa: S606 - our own module


def _check(ctx: typer.Context, host: str, port: int) -> None:
    """Find out what would stop the server, while it can still be said in one line."""
    from jara.domain.errors import Unavailable
    from jara.services.founding import require_own_secrets

    application = open_application(ctx)
    context = application.context
    with context.store.read() as work:
        require_own_secrets(context, work)
    context.store.close()
    os.environ["JARA_DATABASE_URL"] = application.settings.database_url
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Unavailable(f"Jara cannot listen at {host}:{port}: {error.strerror}.") from error
