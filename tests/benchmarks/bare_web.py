"""Falcon's minimum for one request, to compare Jara's routes with.

``python bare_web.py PORT DATABASE`` serves three routes under our server's own settings:
``/media``, a response serialised by the framework; ``/read``, the same after one SQLite read
by key; and ``/vote``, one durable row in a transaction shared by several requests.
"""

from __future__ import annotations

import sys
import threading
from queue import SimpleQueue
from typing import Any

import falcon
from gunicorn.app.base import BaseApplication
from pysqlite3 import dbapi2 as sqlite3

from jara_webapi.server.gunicorn_app import ServerOptions, settings_of

ANSWER = {
    "success": True,
    "monthlyDonation": 6000,
    "cashAtHand": 12877,
    "monthlyFixedCost": 410,
    "cashDeployed": 28820,
}
_local = threading.local()


class Media:
    """A constant response."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Respond."""
        resp.media = ANSWER


class Read:
    """A response from the database."""

    def __init__(self, database: str) -> None:
        """Read from a file."""
        self._database = database

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Read one row and respond with it."""
        query = "SELECT name, cents FROM bare WHERE id = ?"
        name, cents = connection_to(self._database).execute(query, (7,)).fetchone()
        resp.media = {**ANSWER, "name": name, "cents": cents}


class Row:
    """A vote that waits for its transaction."""

    def __init__(self, member: str, choice: str) -> None:
        """Start unstored."""
        self.values = member, choice
        self.kept = threading.Event()


class Vote:
    """Stores a row per vote without checks; one thread writes all waiting rows."""

    def __init__(self, database: str) -> None:
        """Write to a file."""
        self._database = database
        self._waiting: SimpleQueue[Row] = SimpleQueue()
        self._lock = threading.Lock()
        self._writer: threading.Thread | None = None

    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Store a vote, and respond once it is on disk."""
        with self._lock:
            if self._writer is None:  # no thread survives the fork
                self._writer = threading.Thread(target=self._write, daemon=True)
                self._writer.start()
        media = req.get_media()
        row = Row(f"{media['id']} {req.get_header('token')}", media["voteType"])
        self._waiting.put(row)
        row.kept.wait()
        resp.media = ANSWER

    def _write(self) -> None:
        connection = connection_to(self._database)
        while True:
            rows = [self._waiting.get()]
            rows += [self._waiting.get() for _ in range(self._waiting.qsize())]
            connection.execute("BEGIN IMMEDIATE")
            statement = "INSERT OR REPLACE INTO vote VALUES (?, ?)"
            connection.executemany(statement, [row.values for row in rows])
            connection.execute("COMMIT")
            for row in rows:
                row.kept.set()


def connection_to(database: str) -> Any:
    """Return this thread's connection, whose commits wait for the disk."""
    if not hasattr(_local, "connection"):
        _local.connection = sqlite3.connect(database, isolation_level=None)
        _local.connection.execute("PRAGMA synchronous = FULL")
    return _local.connection


class BareServer(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """gunicorn with our settings, but its own worker."""

    def __init__(self, place: ServerOptions, database: str) -> None:
        """Listen on an address."""
        self._place = place
        self._database = database
        super().__init__()

    def load_config(self) -> None:
        """Apply the settings of Jara's server."""
        for name, value in {**settings_of(self._place), "worker_class": "gthread"}.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Build the app with its three routes."""
        app: Any = falcon.App()
        app.add_route("/media", Media())
        app.add_route("/read", Read(self._database))
        app.add_route("/vote", Vote(self._database))
        return app


def make_table(database: str) -> None:
    """Create the tables of ``/read`` and ``/vote``."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE vote (member TEXT PRIMARY KEY, choice TEXT)")
        connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, name TEXT, cents INTEGER)")
        rows = [(number, f"row {number}", number * 100) for number in range(1000)]
        connection.executemany("INSERT INTO bare VALUES (?, ?, ?)", rows)


if __name__ == "__main__":
    port, file = sys.argv[1:]
    sys.argv[1:] = []  # gunicorn reads it too
    make_table(file)
    BareServer(ServerOptions(port=int(port)), file).run()
