"""What a check reports."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in the books: which check, where, and a sentence that says it."""

    check: str
    where: str
    message: str
