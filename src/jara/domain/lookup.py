"""Looks up an object by its full name or by a unique prefix of it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import filterfalse
from typing import TypeVar
from unicodedata import category, combining, normalize
from unicodedata import name as name_of

from jara.domain.errors import Conflict, NotFound

Thing = TypeVar("Thing")

NAMED_AT_MOST = 5
"""The maximum number of candidates in a message."""

_SHOWN = 12
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјорсухһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορυϲϳɑɡᴀʙᴄᴅᴇʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "ABESIJKMHOPCTYXGQWaesijopcyxhdqwlABEZHIKMNOPTYXaivopucjagabcdehijklmnoprstuvwyz",
)
"""Cyrillic, Greek and phonetic letters, and the Latin ones that look the same in most fonts."""
_THIN = str.maketrans("iı1|0", "llllo")
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
_ALIKE = 0.6
_WRONG = 2


def choose_one(
    text: str,
    found: Sequence[Thing],
    *,
    kinds: str,
    label: Callable[[Thing], str],
    missing: str,
    names: Callable[[Thing], Iterable[str]] = lambda thing: (),  # noqa: ARG005 - has none
    near: Callable[[], Mapping[str, Thing]] = dict,
) -> Thing:
    """Return the only candidate, or the only one with exactly this name.

    Args:
        text: the given text.
        found: the candidates that start with it; a few are enough.
        kinds: the plural noun for candidates.
        missing: the message if there is no candidate.
        names: returns the names of a candidate, to compare in full.
        near: returns everything by its names, to suggest the nearest.

    Raises:
        NotFound: there is no candidate.
        Conflict: there are several; the message names them.
    """
    if not found or not text:
        things = near()
        labels = dict.fromkeys(label(things[name]) for name in nearest_names(text, things))
        raise NotFound(missing + did_you_mean(labels))
    exact = [thing for thing in found if fold(text) in map(fold, names(thing))]
    exact = exact or [one for one in found if plain_text(text) in map(plain_text, names(one))]
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
    """Return the objects with a name that starts with a text, ignoring case.

    If there is none, accents are ignored too.
    """
    known = [(thing, tuple(names(thing))) for thing in things] if plain_text(text) else []
    for plain in (fold, plain_text):
        start = plain(text)
        found = [
            thing for thing, own in known if any(plain(name).startswith(start) for name in own)
        ]
        if found:
            return found
    return []


def missing_name(kind: str, text: str, names: Iterable[str], *, how: str = "") -> str:
    """Return the message that there is no such thing, with the nearest names, or a few.

    `kind` is the noun, such as ``account``; `how` says how to list them, instead of a few.
    """
    known = list(names)
    near = nearest_names(text, known)
    if near:
        return f"There is no {kind} '{text}'; did you mean {' or '.join(near)}?"
    if how:
        return f"There is no {kind} '{text}'; {how}."
    shown = ", ".join(known[:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
    return f"There is no {kind} '{text}'; there {f'are {shown}' if known else 'is none'}."


def did_you_mean(names: Collection[str]) -> str:
    """Return the question that follows a message; nothing without names."""
    return f" Did you mean {' or '.join(names)}?" if names else ""


def nearest_names(text: str, names: Iterable[str], *, most: int = 3) -> list[str]:
    """Return the names that are nearest to a text, ignoring case and accents.

    One or two letters may be wrong; of a short name, more.
    """
    known = {plain_text(name): name for name in names}
    wanted = plain_text(text)
    cutoff = max(_ALIKE, 1 - _WRONG / max(len(wanted), 1))
    return [known[one] for one in get_close_matches(wanted, known, n=most, cutoff=cutoff)]


def fold(text: str) -> str:
    """Normalise a name for comparison: case-folded, with white space collapsed."""
    return " ".join(text.split()).casefold()


def plain_text(text: str) -> str:
    """Return a text as `fold` does, and without accents."""
    return without_accents(fold(text))


def as_it_looks(text: str) -> str:
    """Return a text as `plain_text` does, with one letter for those that look alike.

    Greek and Cyrillic letters are their Latin look-alikes; i, l, | and the digits 0 and 1 are
    letters too.
    """
    return plain_text(normalize("NFKC", text).translate(_LOOK_ALIKES)).translate(_THIN)


def mixes_scripts(word: str) -> bool:
    """Return whether a word has letters of two scripts; those of East Asia go together."""
    scripts = {
        "CJK" if (script := name_of(letter, "").split(" ")[0]) in _EAST_ASIAN else script
        for letter in normalize("NFKC", word)
        if category(letter) in {"Lu", "Ll", "Lt", "Lo"}
    }
    return len(scripts) > 1


def without_accents(text: str) -> str:
    """Return a text without case and accents; its white space stays."""
    return "".join(filterfalse(combining, normalize("NFKD", text.casefold())))
