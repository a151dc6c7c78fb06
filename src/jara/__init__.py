"""Jara: monthly giving, votes on what it funds, and a ledger anyone can check."""

from __future__ import annotations

import io

TYPE_CHECKING = False  # importing `typing` takes longer than the rest of `jara --version`
if TYPE_CHECKING:  # see `open`
    from pathlib import Path

    from jara.library import Organisation

__version__ = "0.3.0"


def build_name() -> str:
    """Return the version and, for a build from a checkout, its commit: ``0.2.0 (3f2a9c1b)``."""
    try:
        with io.open(f"{__file__.rpartition('/')[0]}/build.txt", encoding="utf-8") as file:  # noqa: UP020 - `open` is ours
            return f"{__version__} ({file.read().strip()})"
    except FileNotFoundError:
        return __version__


def open(database: str | Path, *, write: bool = False) -> Organisation:  # noqa: A001 - jara.open
    """Open an organisation, by default read-only; docs/python.md has examples.

    Args:
        database: the path of a database file, or a ``postgresql://`` address.
        write: allow changes too, through `Organisation.context`.

    Raises:
        NotFound: there is no such database, or it holds no organisation.
        InvalidInput: a setting breaks a rule.
    """
    # Every module of the package imports this one, so it imports nothing itself.
    from jara.library import open_organisation  # noqa: PLC0415

    return open_organisation(database, write=write)
