"""Who the organisation is: its name and address, and the rules for writing them."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput

DEFAULT_NAME = "Jara"
"""The software's name, until an organisation sets its own."""

NAME_MAX = 60
LEGAL_NAME_MAX = 120
ADDRESS_MAX = 300

_FORBIDDEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
"""Some scripts need them inside a word; the other invisible signs are for deceiving."""


class Part(StrEnum):
    """What an organisation can set about itself."""

    NAME = "name"
    LEGAL_NAME = "legalName"
    ADDRESS = "address"
    CONTACT = "contact"
    COLOUR = "colour"
    LOGO = "logo"


class Logo(NamedTuple):
    """A picture on the site: its path, and its size in pixels, so that a page keeps room for it."""

    path: str
    width: int
    height: int

    @property
    def is_png(self) -> bool:
        """Whether it is made of pixels, not of shapes."""
        return self.path.endswith(".png")

    def text(self) -> str:
        """Return it as one word for the database."""
        return f"{self.path}#{self.width}x{self.height}"

    @classmethod
    def parse(cls, text: str) -> Logo:
        """Read what `text` wrote.

        Raises:
            ValueError: it is something else.
        """
        path, _, size = text.partition("#")
        width, height = size.split("x")
        return cls(path, int(width), int(height))


class Identity(NamedTuple):
    """What the organisation is called, and how it looks.

    Args:
        name: on the site, in emails and reports.
        legal_name: the name in law; empty where it is the name.
        address: the postal address on one line; may be empty.
        contact: the public email address; may be empty.
        colour: the colour of buttons and links as ``#rrggbb``; empty for the site's own.
        logo: the picture beside the name; None for the site's own mark.
        has_own_words: whether name, legal name or address were set by the organisation.
    """

    name: str
    legal_name: str = ""
    address: str = ""
    contact: str = ""
    colour: str = ""
    logo: Logo | None = None
    has_own_words: bool = False

    @property
    def formal_name(self) -> str:
        """The name in law."""
        return self.legal_name or self.name

    @property
    def letterhead(self) -> str:
        """Legal name and address in one line; an address that begins with a name has it already."""
        if not self.address:
            return self.formal_name
        if self.address.startswith((self.formal_name, self.name)):
            return self.address
        return f"{self.formal_name}, {self.address}"

    @property
    def imprint(self) -> str:
        """The letterhead, where it says more than the name and the organisation wrote it."""
        is_said = self.letterhead == self.name
        return self.letterhead if self.has_own_words and not is_said else ""


def parse_words(text: str, what: str, most: int) -> str:
    """Return a name or an address on one line, in NFC.

    Raises:
        InvalidInput: it is empty, too long, or has a line break or an invisible character.
    """
    words = unicodedata.normalize("NFC", text).strip()
    for sign in words:
        kind = unicodedata.category(sign)
        if kind in _FORBIDDEN or (kind == "Cf" and sign not in _JOINERS):
            raise InvalidInput(
                f"The {what} has the character U+{ord(sign):04X}, which cannot be printed; "
                "write it on one line, without control characters."
            )
    if not any(unicodedata.category(sign)[0] not in "CZ" for sign in words):
        raise InvalidInput(f"The {what} is empty; `jara organisation unset` takes it back.")
    if len(words) > most:
        raise InvalidInput(f"The {what} has {len(words)} characters; it has at most {most}.")
    return words
