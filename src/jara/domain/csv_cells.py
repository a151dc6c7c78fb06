"""Cells of CSV files that no spreadsheet runs as a formula.

A leading quote marks a cell as text. It stands before each sign that begins a formula at the
start of the cell, or after what another program may take for the end of a cell: a file with
commas opened where semicolons separate cells. Cells that have quotes there already get one
more, so that reading removes exactly what writing added.
"""

import re

_SIGNS = (
    "=+-@\t\r"
    "\uff1d\uff0b\uff0d\uff20"  # full width
    "\ufe66\ufe62\ufe63\ufe6b"  # small
    "\u207c\u207a\u207b\u208c\u208a\u208b"  # superscript and subscript
    "\u2212"  # the minus sign
)
"""What begins a formula, also where a program folds forms of one sign into another."""

_SEPARATORS = "\t\r\n;|"
_UNSEEN = r"(?:[^\S\t\r\n]|[\"\x00-\x08\x0e-\x1f\u200b-\u200f\u2060\ufeff])*"
"""Blanks, signs without width, double quotes: some programs drop them before they read a cell."""

_START = rf"(?:^|(?<=[{_SEPARATORS}]))({_UNSEEN})"
_SIGN = re.compile(f"[{re.escape(_SIGNS)}]")
_FORMULA = re.compile(rf"{_START}('*)(?=[{re.escape(_SIGNS)}])")
_SHIELDED = re.compile(rf"{_START}'('*)(?=[{re.escape(_SIGNS)}])")


def shielded(text: str) -> str:
    """Return a cell that no spreadsheet runs as a formula."""
    # Most cells have no sign, and this search is fast.
    return text if _SIGN.search(text) is None else _FORMULA.sub(r"\1'\2", text)


def unshielded(text: str) -> str:
    """Return the text of a cell as it was before `shielded`."""
    return _SHIELDED.sub(r"\1\2", text)
