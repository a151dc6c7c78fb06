"""Where an organisation of the tests has its database: a file in its folder, or a server's."""

from __future__ import annotations

from pathlib import Path

ON_SERVER = 0.2
"""So many repetitions where the database is a server, whose every question is a journey."""

_NOTE = "database.url"


def keep_on_server(folder: Path, url: str) -> None:
    """Let the organisation of a folder have its database on a server."""
    (folder / _NOTE).write_text(url)


def database_of(folder: Path) -> str:
    """Return the address of a folder's database."""
    note = folder / _NOTE
    return note.read_text() if note.exists() else str(folder / "jara.db")


def settings_of(folder: Path) -> dict[str, str | None]:
    """Return the settings that keep everything of an organisation in its folder."""
    return {
        "database_url": database_of(folder),
        "secrets_dir": str(folder / "jara.secrets"),
        "media_dir": str(folder / "jara.media"),
        "checkpoints_file": str(folder / "jara.checkpoints.txt"),
    }


def so_many(count: int, folder: Path) -> int:
    """Return how often something is repeated with the database of a folder."""
    return round(count * ON_SERVER) if (folder / _NOTE).exists() else count
