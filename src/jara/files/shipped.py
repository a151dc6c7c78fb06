"""The data that the product ships, installed or in a checkout."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from jara.domain.errors import Unavailable


def data_folder() -> Path:
    """Return the folder of the data that the product ships, installed or in a checkout.

    Raises:
        Unavailable: the installation is broken.
    """
    package = Path(__file__).parent.parent
    for folder in (package / "data", package.parent.parent / "data"):
        if (folder / "countries.json").is_file():
            return folder
    raise Unavailable("The data that comes with Jara is missing; install it again.")


def read_countries() -> Iterable[str]:
    """Return the names of the countries."""
    rows = json.loads((data_folder() / "countries.json").read_text("utf-8"))
    return (row["name"] for row in rows)


def read_common_passwords() -> Iterable[str]:
    """Return the passwords that everybody tries."""
    return (data_folder() / "common-passwords.txt").read_text("utf-8").splitlines()


class WordList:
    """A set of words that is read when somebody first asks for one."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        """Keep the way to read the words."""
        self._read = read

    def __contains__(self, word: object) -> bool:
        return word in self.words

    @cached_property
    def words(self) -> frozenset[str]:
        """All of them."""
        return frozenset(self._read())
