"""What a check reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem in the books: the check, the place, and a message."""

    check: str
    where: str
    message: str
