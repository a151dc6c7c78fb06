"""The least that Falcon needs for one request: what our own routes are measured against.

``python bare_web.py PORT DATABASE`` serves two routes under our server's own settings:
``/media``, an answer written by the framework, and ``/read``, the same after one read
from SQLite by its key.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

import falcon
from gunicorn.app.base import BaseApplication
from pysqlite3 import dbapi2 as sqlite3

from jara_webapi.server import Place, settings_of

ANSWER = {
    "success": True,
    "monthlyDonation": 6000,
    "cashAtHand": 12877,
    "monthlyFixedCost": 410,
    "cashDeployed": 28820,
}
_local = threading.local()


class Media:
    """An answer and nothing else."""

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Answer."""
        resp.media = ANSWER


class Read:
    """An answer from the database."""

    def __init__(self, database: str) -> None:
        """Read from a file."""
        self._database = database

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        """Read one row and answer with it."""
        if not hasattr(_local, "connection"):
            _local.connection = sqlite3.connect(self._database)
        query = "SELECT name, cents FROM bare WHERE id = ?"
        name, cents = _local.connection.execute(query, (7,)).fetchone()
        resp.media = {**ANSWER, "name": name, "cents": cents}


class BareServer(BaseApplication):  # type: ignore[misc] # gunicorn has no types
    """gunicorn with our settings, but its own worker."""

    def __init__(self, place: Place, database: str) -> None:
        """Serve at a place."""
        self._place = place
        self._database = database
        super().__init__()

    def load_config(self) -> None:
        """Take over our settings."""
        for name, value in {**settings_of(self._place), "worker_class": "gthread"}.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Build the app of two routes."""
        app: Any = falcon.App()
        app.add_route("/media", Media())
        app.add_route("/read", Read(self._database))
        return app


def make_table(database: str) -> None:
    """Make the table that ``/read`` reads."""
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE bare (id INTEGER PRIMARY KEY, name TEXT, cents INTEGER)")
        rows = [(number, f"row {number}", number * 100) for number in range(1000)]
        connection.executemany("INSERT INTO bare VALUES (?, ?, ?)", rows)


if __name__ == "__main__":
    port, file = sys.argv[1:]
    sys.argv[1:] = []  # gunicorn reads it too
    make_table(file)
    BareServer(Place(port=int(port)), file).run()
