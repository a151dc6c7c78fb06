"""Six words that stand for a digest, so that people can compare it by telephone.

The words are those of BIP-39 in English: 2,048 words of 3 to 8 letters, each known by its first
four letters. Six of them are 66 bits; six of EFF's short list would be 62, with longer words that
look alike at the start. They are English in every language, so that two people always read the
same ones.
"""

from functools import cache
from pathlib import Path

COUNT = 6
_BITS = 11


@cache
def all_words() -> list[str]:
    """Return the 2,048 words in their order."""
    return Path(__file__).with_suffix(".txt").read_text("ascii").split()


def words_of(digest: bytes) -> str:
    """Return the first 66 bits of a digest as six words."""
    number = int.from_bytes(digest, "big") >> (8 * len(digest) - COUNT * _BITS)
    places = [number >> _BITS * place & 2**_BITS - 1 for place in reversed(range(COUNT))]
    return " ".join(all_words()[place] for place in places)


def are_words(text: str, digest: bytes) -> bool:
    """Return whether a person said the words of a digest; blanks and capitals do not matter."""
    return text.lower().replace(",", " ").split() == words_of(digest).split()
