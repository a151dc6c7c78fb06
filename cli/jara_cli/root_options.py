"""Options before the command."""

from __future__ import annotations

from typing import NamedTuple


class RootOptions(NamedTuple):
    """The options before the noun, such as ``--db PATH``; stored as the context's ``obj``."""

    db: str | None
    config: str | None
    key: str | None = None
    now: str | None = None
