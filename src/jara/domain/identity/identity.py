"""The organisation's name, address and logo, and their validation."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import NamedTuple

from jara.domain.errors import InvalidInput

DEFAULT_NAME = "Jara"
"""The software's name, used until the organisation sets its own."""

NAME_MAX = 60
LEGAL_NAME_MAX = 120
ADDRESS_MAX = 300

_FORBIDDEN = frozenset({"Cc", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
"""Some scripts need them inside words; other invisible characters only serve to deceive."""


class Part(StrEnum):
    """A field that an organisation can set about itself."""

    NAME = "name"
    LEGAL_NAME = "legalName"
    ADDRESS = "address"
    CONTACT = "contact"
    COLOUR = "colour"
    LOGO = "logo"


class Logo(NamedTuple):
    """An image on the site: its path, and its size in pixels to reserve space on pages."""

    path: str
    width: int
    height: int

    @property
    def is_png(self) -> bool:
        """Whether it is a bitmap, not a vector image."""
        return self.path.endswith(".png")

    def text(self) -> str:
        """Serialise it for the database."""
        return f"{self.path}#{self.width}x{self.height}"

    @classmethod
    def parse(cls, text: str) -> Logo:
        """Parse the output of `text`.

        Raises:
            ValueError: it has another format.
        """
        path, _, size = text.partition("#")
        width, height = size.split("x")
        return cls(path, int(width), int(height))


class Identity(NamedTuple):
    """The organisation's names, address and appearance.

    Args:
        name: the name on the site, in emails and in reports.
        legal_name: the legal name; empty if it equals the name.
        address: the postal address on one line; may be empty.
        contact: the public email address; may be empty.
        colour: the colour of buttons and links as ``#rrggbb``; empty for the site's own.
        logo: the image beside the name; None for the site's own logo.
        has_own_words: whether the organisation set its name, legal name or address.
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
        """The legal name, else the name."""
        return self.legal_name or self.name

    @property
    def letterhead(self) -> str:
        """Legal name and address in one line; the address alone if it starts with a name."""
        if not self.address:
            return self.formal_name
        if self.address.startswith((self.formal_name, self.name)):
            return self.address
        return f"{self.formal_name}, {self.address}"

    @property
    def imprint(self) -> str:
        """The letterhead if the organisation set it and it is more than the name, else empty."""
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
        raise InvalidInput(f"The {what} is empty; `jara organisation unset` restores the default.")
    if len(words) > most:
        raise InvalidInput(f"The {what} has {len(words)} characters; it has at most {most}.")
    return words
