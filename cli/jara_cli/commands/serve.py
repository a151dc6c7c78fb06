"""``jara serve``: the website and the HTTP API."""

import os
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jara.bootstrap import Application
from jara.bootstrap.serving import is_loopback, missing_on_server, require_servable
from jara.config.settings import variable_of
from jara.domain.errors import InvalidInput, Unavailable
from jara_cli.context import config_path, open_application
from jara_cli.groups import SANDBOX
from jara_cli.options import flag, option, parse_whole_number
from jara_cli.output import note, show_line

app = typer.Typer()

PORT_MAX = 65535


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and how many processes and threads; default: one process per core."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int | None = None
    threads: int = 8
    behind_proxy: bool = False

    def __post_init__(self) -> None:
        if self.port > PORT_MAX:
            raise InvalidInput(f"{self.port} is not a port; choose from 1 to {PORT_MAX}.")


@app.command("serve")
def command(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, option("PORT", "Port to listen on.", parser=parse_whole_number)] = 8000,
    workers: Annotated[
        int | None,
        option("N", "Number of processes; default: one per core.", parser=parse_whole_number),
    ] = None,
    threads: Annotated[int, option("N", "Threads per process.", parser=parse_whole_number)] = 8,
    public_sandbox: Annotated[
        bool,
        typer.Option(
            "--public-sandbox",
            rich_help_panel=SANDBOX,
            help="Serve a sandbox organisation to anyone, not to this machine only; every page "
            "says that it is one.",
        ),
    ] = False,
    behind_proxy: Annotated[
        bool, flag("--behind-proxy", "Only a reverse proxy reaches the address; see docs/deploy.")
    ] = False,
) -> None:
    """Serve the website and the HTTP API, and send waiting emails.

    Stop the server with Ctrl+C, or with a signal to this process. To listen on a non-local
    address, use a reverse proxy and --behind-proxy. If others reach the site, it says what is
    missing: TLS, mail, a backup, and what else `jara doctor` warns of.

    Examples:
      jara serve
      jara --db jara-demo/jara.db serve --port 8080
    """
    if ctx.find_root().params["now"]:
        raise InvalidInput("The server's time is the present; --now is for other commands.")
    address = Address(host, port, workers, threads, behind_proxy)
    settings = {"public_sandbox": True} if public_sandbox else {}
    become_server(open_application(ctx, settings=settings), address, config=config_path(ctx))


def require_free(address: Address) -> None:
    """Check that an address is free.

    Raises:
        Unavailable: it is in use, or may not be used.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address.host, address.port))
        except OSError as error:
            raise Unavailable(
                f"Jara cannot listen on {address.host}:{address.port}: {error.strerror}."
            ) from error


def become_server(application: Application, address: Address, *, config: Path | None) -> NoReturn:
    """Readdress this process with the server, after checking that it can start.

    Raises:
        Conflict: the settings do not fit the payment mode of the organisation, or the address.
        Unavailable: the secrets belong to another database, or the address is in use.
    """
    require_servable(application, host=address.host, behind_proxy=address.behind_proxy)
    missing = missing_on_server(application, host=address.host, behind_proxy=address.behind_proxy)
    application.context.store.close()
    require_free(address)
    os.environ["JARA_DATABASE_URL"] = application.settings.database_url
    os.environ["JARA_PUBLIC_SANDBOX"] = str(application.settings.public_sandbox).lower()
    host = f"[{address.host}]" if ":" in address.host else address.host
    url = f"http://{host}:{address.port}"
    settings = application.settings
    by_itself = ("default", settings.served_file.name)
    if settings.sources.get("site_url", "default") in by_itself and is_loopback(address.host):
        # Nobody chose the site's address: its links, and those of commands, lead to where it is.
        os.environ[variable_of("site_url")] = url
        with suppress(OSError):  # a folder that cannot be written: only commands' links differ
            settings.served_file.write_text(f"{url}\n", "utf-8")
    note(f"Jara is at {url}; press Ctrl+C to stop.")
    if missing:
        note("Others can reach this site, and something is missing; `jara doctor` says more:")
    for one in missing:
        note(show_line(f"  {one.name}: {one.message}"))
    arguments = ["--host", address.host, "--port", str(address.port)]
    arguments += ["--workers", str(address.workers or os.cpu_count() or 1)]
    arguments += ["--threads", str(address.threads)]
    if address.behind_proxy:
        arguments += ["--behind-proxy"]
    if config is not None:
        arguments += ["--config", str(config.absolute())]
    sys.stderr.flush()
    # exec, not import: the command line and the web server are independent packages.
    os.execv(sys.executable, [sys.executable, "-m", "jara_webapi", *arguments])  # noqa: S606 - our own module
