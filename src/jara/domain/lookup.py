"""Looks up an object by its full name or by a unique prefix of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from jara.domain.errors import Conflict, NotFound

Thing = TypeVar("Thing")

NAMED_AT_MOST = 5
"""The maximum number of candidates in a message."""


def choose_one(
    text: str,
    found: Sequence[Thing],
    *,
    kinds: str,
    label: Callable[[Thing], str],
    missing: str,
    names: Callable[[Thing], Iterable[str]] = lambda thing: (),  # noqa: ARG005 - has none
) -> Thing:
    """Return the only candidate, or the only one with exactly this name.

    Args:
        text: the given text.
        found: the candidates that start with it; a few are enough.
        kinds: the plural noun for candidates.
        label: returns the label of a candidate.
        missing: the message if there is no candidate.
        names: returns the names of a candidate, to compare in full.

    Raises:
        NotFound: there is no candidate.
        Conflict: there are several; the message names them.
    """
    if not found or not text:
        raise NotFound(missing)
    exact = [thing for thing in found if fold(text) in map(fold, names(thing))]
    if len(exact) == 1:
        return exact[0]
    candidates = exact or found
    if len(candidates) > 1:
        shown = ", ".join(sorted(map(label, candidates))[:NAMED_AT_MOST])
        more = ", …" if len(candidates) > NAMED_AT_MOST else ""
        raise Conflict(f"Several {kinds} begin with '{text}': {shown}{more}. Write more of it.")
    return candidates[0]


def beginning_with(
    text: str, things: Iterable[Thing], names: Callable[[Thing], Iterable[str]]
) -> list[Thing]:
    """Return the objects with a name that starts with a text, ignoring case."""
    folded = fold(text)
    return [
        thing
        for thing in things
        if folded and any(fold(name).startswith(folded) for name in names(thing))
    ]


def fold(text: str) -> str:
    """Normalise a name for comparison: case-folded, with white space collapsed."""
    return " ".join(text.split()).casefold()
