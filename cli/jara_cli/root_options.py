"""Options that stand before the command."""

from __future__ import annotations

from typing import NamedTuple


class RootOptions(NamedTuple):
    """``jara --db PATH --config PATH --key FILE noun …``; kept as the context's ``obj``."""

    db: str | None
    config: str | None
    key: str | None = None
