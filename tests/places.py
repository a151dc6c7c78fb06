"""Where a test organisation has its database: a file in its folder, or a server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jara.bootstrap import Application, build
from jara.config.loading import load_settings
from jara.security.passwords import ArgonHasher
from jara.store.copying import TABLES
from jara.store.sql.database import Database
from tests.cards import IS_WITHOUT_CARDS

NewPlace = Callable[[], Path]

ON_SERVER = 0.2
"""The share of the usual repetitions on a server, where each query is slower."""

_NOTE = "database.url"
_at_leaving: dict[Path, list[Callable[[], None]]] = {}


def keep_on_server(folder: Path, url: str) -> None:
    """Use a server for the database of a folder's organisation."""
    (folder / _NOTE).write_text(url)


def is_on_server(folder: Path) -> bool:
    """Return whether a folder's database is on a server."""
    return (folder / _NOTE).exists()


def database_of(folder: Path) -> str:
    """Return the address of a folder's database."""
    return (folder / _NOTE).read_text() if is_on_server(folder) else str(folder / "jara.db")


def settings_of(folder: Path) -> dict[str, str | None]:
    """Return settings that keep all files of an organisation in its folder."""
    return {
        "database_url": database_of(folder),
        "secrets_dir": str(folder / "jara.secrets"),
        "media_dir": str(folder / "jara.media"),
        "previews_dir": str(folder / "jara.previews"),
        "checkpoints_file": str(folder / "jara.checkpoints.txt"),
    }


def open_place(folder: Path, settings: dict[str, str | None], **parts: Any) -> Application:
    """Build the application of a folder, fast and not durable."""
    cards: dict[str, str | None] = {"cards": "none"} if IS_WITHOUT_CARDS else {}
    if "stripe_secret_key" in settings:  # a provider of the test's own
        cards = {}
    wanted = load_settings({}, overrides={**settings_of(folder), **cards, **settings})
    hasher = ArgonHasher(memory_kib=8, passes=1)
    application = build(wanted, hasher=hasher, durable=False, **parts)
    in_the_end(folder, application.context.store.close)
    return application


def in_the_end(folder: Path, act: Callable[[], None]) -> None:
    """Register a cleanup for a folder whose database is on a server."""
    if is_on_server(folder):
        _at_leaving.setdefault(folder, []).append(act)


def leave(folder: Path) -> None:
    """Run a folder's cleanups in reverse order."""
    for act in reversed(_at_leaving.pop(folder, [])):
        act()


def rows_of(database: Database) -> dict[str, list[Any]]:
    """Return all rows of a database."""
    with database.transaction(write=False) as sql:
        return {
            table: sql.all(f"SELECT {names} FROM {table} ORDER BY {names}")  # noqa: S608 - ours
            for table, columns in TABLES.items()
            for names in [", ".join(columns)]
        }


def so_many(count: int, folder: Path) -> int:
    """Return the number of repetitions for a folder's database."""
    return round(count * ON_SERVER) if is_on_server(folder) else count
