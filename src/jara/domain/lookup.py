"""Looks up an object by its full name or by a unique prefix of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from itertools import filterfalse
from typing import TypeVar
from unicodedata import combining, normalize

from jara.domain.errors import Conflict, NotFound

Thing = TypeVar("Thing")

NAMED_AT_MOST = 5
"""The maximum number of candidates in a message."""

_SHOWN = 12


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


def missing_name(kind: str, text: str, names: Iterable[str]) -> str:
    """Return the message that there is no such thing, with the nearest names, or a few.

    Args:
        kind: the noun, such as ``account``.
        text: what was written.
        names: the names that there are.
    """
    known = list(names)
    near = nearest_names(text, known)
    if near:
        return f"There is no {kind} '{text}'; did you mean {' or '.join(near)}?"
    shown = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
    return f"There is no {kind} '{text}'; there {f'are {shown}' if known else 'is none'}."


def nearest_names(text: str, names: Iterable[str], *, most: int = 3) -> list[str]:
    """Return the names that are nearest to a text, ignoring case and accents."""
    known = {plain_text(name): name for name in names}
    return [known[one] for one in get_close_matches(plain_text(text), known, n=most)]


def fold(text: str) -> str:
    """Normalise a name for comparison: case-folded, with white space collapsed."""
    return " ".join(text.split()).casefold()


def plain_text(text: str) -> str:
    """Return a text as `fold` does, and without accents."""
    return "".join(filterfalse(combining, normalize("NFKD", fold(text))))
