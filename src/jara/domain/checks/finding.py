"""The findings of checks."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """A problem in the books: the check, the place, and a message."""

    check: str
    where: str
    message: str
