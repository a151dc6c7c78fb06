"""Numbers with their nouns, in English."""

from __future__ import annotations


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 gift``, ``1,200 gifts``, ``2 entries``.

    Args:
        number: how many.
        one: the noun, and what follows it, for one.
        many: the same for any other number; by default the noun with an ``s``.
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
