"""A PostgreSQL server for tests: Debian's programs, a folder, a Unix socket."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict

from jara.store.postgres.database import PostgresDatabase
from tests.sizes import PATIENCE_SECONDS

HINT = "PostgreSQL's server is missing; install it: sudo apt-get install postgresql"
_DEBIAN = Path("/usr/lib/postgresql")
_QUICK = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")
_COMMON = (
    "listen_addresses=",
    "max_connections=200",
    "shared_buffers=32MB",
    "autovacuum=off",
    "log_min_messages=fatal",
)


def find_program(name: str) -> str:
    """Return the path of a server program, in the newest version."""
    found = [str(path) for path in sorted(_DEBIAN.glob(f"*/bin/{name}"), key=_version)]
    found += filter(None, [shutil.which(name)])
    if not found:
        raise AssertionError(HINT)
    return found[0]


def _user() -> str | None:
    """Return the user of the server, which refuses to run as root."""
    return "postgres" if os.geteuid() == 0 else None


def _version(path: Path) -> float:
    return -float(path.parts[-3])


def database_name(url: str) -> str:
    """Return the name of the database at an address."""
    return str(conninfo_to_dict(url)["dbname"])


@dataclass
class PostgresServer:
    """A server in its own folder, with any number of databases.

    Args:
        durable: whether it syncs to disk, as only tests with kills need.
        settings: the server's settings, as ``name=value``.
        port: at which it listens on this machine too, beside its socket; None for nowhere.
    """

    durable: bool = False
    settings: tuple[str, ...] = ()
    port: int | None = None
    folder: Path = field(init=False)
    _process: subprocess.Popen[bytes] = field(init=False)
    _names: Iterator[int] = field(default_factory=count, init=False)

    def __post_init__(self) -> None:
        """Create the cluster."""
        # Not in pytest's own folder, which only its owner may enter.
        self.folder = Path(tempfile.mkdtemp(prefix="jara-postgresql-"))
        if (user := _user()) is not None:
            shutil.chown(self.folder, user, user)
        self._run(
            "initdb",
            *("--auth=trust", "--username=owner", "--no-sync", "--encoding=UTF8"),
            # A collation other than SQLite's, which must not matter.
            *("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"),
            f"--pgdata={self.folder / 'data'}",
        )
        self.start()

    def start(self) -> None:
        """Start the server."""
        settings = (*_COMMON, *(() if self.durable else _QUICK), *self.settings)
        if self.port is not None:
            settings += ("listen_addresses=127.0.0.1", f"port={self.port}")
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    find_program("postgres"),
                    *("-D", str(self.folder / "data"), "-k", str(self.folder)),
                    *(word for setting in settings for word in ("-c", setting)),
                ],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                user=_user(),
                group=_user(),
            )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return
        raise AssertionError(f"the server did not start: {(self.folder / 'log').read_text()}")

    def kill(self) -> None:
        """Kill all of its processes, as a power failure does."""
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(timeout=PATIENCE_SECONDS)

    def stop(self) -> None:
        """Stop it and delete its folder."""
        self._end(timeout=PATIENCE_SECONDS)
        shutil.rmtree(self.folder)

    def url(self, database: str, user: str = "owner") -> str:
        """Return the address of a database."""
        address = f"postgresql://{user}@/{database}?host={self.folder}"
        return address if self.port is None else f"{address}&port={self.port}"

    def tcp_url(self, database: str) -> str:
        """Return the address of a database that is reached over TCP."""
        return f"postgresql://owner@127.0.0.1:{self.port}/{database}"

    def create_database(self) -> str:
        """Create an empty database; return its address."""
        return self._create("template1")

    def create_with_tables(self) -> str:
        """Create a database by copying one with Jara's tables, three times as fast."""
        return self._create(self._tables)

    @cached_property
    def _tables(self) -> str:
        url = self.create_database()
        database = PostgresDatabase(url, durable=False)
        database.create()
        database.close()
        return database_name(url)

    def _create(self, template: str) -> str:
        name = f"jara_{next(self._names)}"
        self.execute("postgres", f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Drop a database and its connections."""
        self.execute("postgres", f"DROP DATABASE IF EXISTS {database_name(url)} WITH (FORCE)")

    def execute(self, database: str, statement: str) -> None:
        """Execute a statement as the owner of the cluster."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    def _end(self, timeout: float) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=timeout)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [find_program(program), *arguments],
            check=True,
            capture_output=True,
            cwd=self.folder,
            user=_user(),
            group=_user(),
        )
