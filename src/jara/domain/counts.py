"""Numbers with their nouns, in English."""

from __future__ import annotations

from jara.domain.texts import Text, tr


def count_of(number: int, one: str, many: str | None = None) -> Text:
    """Return a number with its noun: ``1 gift``, ``1,200 gifts``, ``2 entries``.

    Args:
        number: how many.
        one: the singular noun, with any words after it.
        many: the same in the plural; by default the singular with an ``s``.
    """
    return tr(f"{{count}} {one if number == 1 else many or f'{one}s'}", count=number)
