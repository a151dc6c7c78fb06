"""Replaces a command's process with the web server."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from jara.bootstrap import Application
from jara.bootstrap.serving import require_servable
from jara.domain.errors import InvalidInput, Unavailable
from jara_cli.output import note

PORT_MAX = 65535


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen, and how many processes and threads; default: one process per core."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    threads: int = 8
    behind_proxy: bool = False

    def __post_init__(self) -> None:
        if self.port > PORT_MAX:
            raise InvalidInput(f"{self.port} is not a port; choose from 1 to {PORT_MAX}.")


def require_free(place: Place) -> None:
    """Check that an address is free.

    Raises:
        Unavailable: it is in use, or may not be used.
    """
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((place.host, place.port))
        except OSError as error:
            raise Unavailable(
                f"Jara cannot listen on {place.host}:{place.port}: {error.strerror}."
            ) from error


def become_server(application: Application, place: Place, *, config: Path | None) -> NoReturn:
    """Replace this process with the server, after checking that it can start.

    Raises:
        Conflict: the settings do not fit the payment mode of the organisation, or the address.
        Unavailable: the secrets belong to another database, or the address is in use.
    """
    require_servable(application, host=place.host, behind_proxy=place.behind_proxy)
    application.context.store.close()
    require_free(place)
    os.environ["JARA_DATABASE_URL"] = application.settings.database_url
    os.environ["JARA_PUBLIC_SANDBOX"] = str(application.settings.public_sandbox).lower()
    note(f"Jara is at http://{place.host}:{place.port}; press Ctrl+C to stop.")
    arguments = ["--host", place.host, "--port", str(place.port)]
    arguments += ["--workers", str(place.workers or os.cpu_count() or 1)]
    arguments += ["--threads", str(place.threads)]
    if place.behind_proxy:
        arguments += ["--behind-proxy"]
    if config is not None:
        arguments += ["--config", str(config.absolute())]
    sys.stderr.flush()
    # exec, not import: the command line and the web server are independent packages.
    os.execv(sys.executable, [sys.executable, "-m", "jara_webapi", *arguments])  # noqa: S606 - our own module
