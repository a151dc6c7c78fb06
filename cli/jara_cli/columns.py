"""Columns of tables, and the width of text in a terminal."""

import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

JOINERS = "\u200c\u200d"  # some scripts need them
GAP = "  "


class Kind(StrEnum):
    """How a column's values are formatted.

    Figures are right-aligned, sentences wrap, commands are never cut, so that they can be copied.
    """

    TEXT = "text"
    SENTENCE = "sentence"
    COMMAND = "command"
    ID = "id"
    CENTS = "cents"
    UNITS = "units"
    """Whole dollars, or whatever the currency of the books is."""
    DATE = "date"
    COUNT = "count"
    PERCENT = "percent"

    @property
    def is_figure(self) -> bool:
        """Whether values are right-aligned."""
        return self in {Kind.CENTS, Kind.UNITS, Kind.COUNT, Kind.PERCENT}


class Column(NamedTuple):
    """One column."""

    key: str  # the key of its values
    title: str  # its heading
    kind: Kind = Kind.TEXT  # how the values are shown
    rank: int = 0
    """On a narrow terminal the columns with the highest rank are left out first; among equal ranks,
    the last column."""


Row = Mapping[str, object]


def cell_width(text: str) -> int:
    """Count terminal cells: accents take none, East Asian wide characters take two."""
    return sum(
        0
        if unicodedata.combining(sign) or sign in JOINERS
        else 2
        if unicodedata.east_asian_width(sign) in "WF"
        else 1
        for sign in text
    )


def spell_key(key: str) -> str:
    """Turn a JSON key into a heading: ``fundingGoalCents`` is ``Funding goal``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", key.removesuffix("Cents")).lower()
    return words[:1].upper() + words[1:]
