"""Data files that come with Jara."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from jara.domain.errors import Unavailable


def data_folder() -> Path:
    """Return the folder of shipped data, of an installation or a checkout.

    Raises:
        Unavailable: the installation is broken.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "data", package.parent.parent / "data"):
        if (folder / "countries.json").is_file():
            return folder
    raise Unavailable("The data that comes with Jara is missing; install it again.")


class CountryList(Mapping[str, str]):
    """The name of each country and its code, read on first use."""

    def __getitem__(self, name: str) -> str:
        return self.codes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.codes)

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def codes(self) -> dict[str, str]:
        """Each name with its code."""
        rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
        return {row["name"]: row["isoCode"] for row in rows}


def read_common_passwords() -> Iterable[str]:
    """Return the most common passwords."""
    return (data_folder() / "common-passwords.txt").read_text("utf-8").splitlines()


class WordList:
    """A set of words that is read on first use."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        """Take a function that reads the words."""
        self._read = read

    def __contains__(self, word: object) -> bool:
        return word in self.words

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word."""
        return frozenset(self._read())
