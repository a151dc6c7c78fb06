"""How a command becomes the server."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from jara_cli.output import note

if TYPE_CHECKING:
    from jara.bootstrap import Application

PORT_MAX = 65535


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen, and with how many hands; without a number, one process a core."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    threads: int = 8

    def __post_init__(self) -> None:
        from jara.domain.errors import InvalidInput

        if self.port > PORT_MAX:
            raise InvalidInput(f"{self.port} is no port; choose from 1 to {PORT_MAX}.")


def require_free(place: Place) -> None:
    """Let a place pass where nobody listens yet.

    Raises:
        Unavailable: somebody does, or it is not ours to listen at.
    """
    from jara.domain.errors import Unavailable

    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((place.host, place.port))
        except OSError as error:
            raise Unavailable(
                f"Jara cannot listen at {place.host}:{place.port}: {error.strerror}."
            ) from error


def become_server(application: Application, place: Place, *, config: Path | None) -> NoReturn:
    """Replace this process by the server, after what would stop it was found out.

    Raises:
        Unavailable: the secrets are not the database's, or the place is taken.
    """
    from jara.services.organisation import require_own_secrets

    context = application.context
    with context.store.read() as work:
        require_own_secrets(context, work)
    context.store.close()
    require_free(place)
    os.environ["JARA_DATABASE_URL"] = application.settings.database_url
    note(f"Jara is at http://{place.host}:{place.port}; Ctrl+C ends it.")
    arguments = ["--host", place.host, "--port", str(place.port)]
    arguments += ["--workers", str(place.workers or os.cpu_count() or 1)]
    arguments += ["--threads", str(place.threads)]
    if config is not None:
        arguments += ["--config", str(config.absolute())]
    sys.stderr.flush()
    # Replaced, not started: the server stands beside the command line, not below it.
    os.execv(sys.executable, [sys.executable, "-m", "jara_webapi", *arguments])  # noqa: S606 - our own module
