"""Finds the one thing that somebody means: by its whole name, or by a unique beginning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from jara.domain.errors import Conflict, NotFound

Thing = TypeVar("Thing")

NAMED_AT_MOST = 5
"""Candidates that a message names."""


def choose_one(
    text: str,
    found: Sequence[Thing],
    *,
    kinds: str,
    label: Callable[[Thing], str],
    missing: str,
    names: Callable[[Thing], Iterable[str]] = lambda thing: (),  # noqa: ARG005 - has none
) -> Thing:
    """Return the only candidate, or the one whose whole name was given.

    Args:
        text: what somebody wrote.
        found: the things that begin so, a few are enough.
        kinds: what they are called, many of them.
        label: what a candidate is told by.
        missing: the message when there is none.
        names: the names of a thing, of which one whole name decides.

    Raises:
        NotFound: nothing fits.
        Conflict: several do; the message names them.
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
    """Return the things with a name that begins so, whatever its case."""
    folded = fold(text)
    return [
        thing
        for thing in things
        if folded and any(fold(name).startswith(folded) for name in names(thing))
    ]


def fold(text: str) -> str:
    """Return a name as it is compared: without case and without spaces around it."""
    return " ".join(text.split()).casefold()
