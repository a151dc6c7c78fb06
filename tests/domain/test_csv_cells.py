"""Cells that a spreadsheet would run as formulas, however the file is opened."""

import csv
import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jara.domain.csv_cells import shielded, unshielded

SIGNS = "=+-@"
ODD = st.text(
    alphabet="=+-@\t\r\n;|,'\" a1\u200b\u00a0\ufeff\0\uff1d\uff0b\uff0d\uff20\ufe66\u2212"
)


@given(st.text() | ODD)
def test_shielding_is_undone_exactly(text: str) -> None:
    """Removing the added quotes restores the text, including its own quotes."""
    assert unshielded(shielded(text)) == text
    assert unshielded(shielded(shielded(text))) == shielded(text)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("'=1+1", "''=1+1"),
        (";;=1+1", ";;'=1+1"),
        ("gift;=1+1", "gift;'=1+1"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\uff0b1", "'\uff0b1"),
        ("\uff0d1", "'\uff0d1"),
        ("\uff20A1", "'\uff20A1"),
        ("\ufe661", "'\ufe661"),
        ("\u22121", "'\u22121"),
        (" =1", " '=1"),
        ("\u00a0=1", "\u00a0'=1"),
        ("\u200b=1", "\u200b'=1"),
        ("\ufeff=1", "\ufeff'=1"),
        ("\t=1", "'\t'=1"),
        ("a\n=1", "a\n'=1"),
        ("a|=1", "a|'=1"),
        (';\0"=1', ";\0\"'=1"),
        ("pump - part 2", "pump - part 2"),
        ("a = b", "a = b"),
        ("ama@example.org", "ama@example.org"),
        ("", ""),
    ],
)
def test_each_formula_is_quoted(text: str, cell: str) -> None:
    """A sign of any width counts where a cell begins, also in a file with other separators."""
    assert shielded(text) == cell


@given(ODD)
def test_no_cell_begins_with_a_sign(text: str) -> None:
    """Whatever separates the cells, none begins like a formula."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow([shielded(text), "end"])

    for separator in ";\t|\n":
        for cell in re.split(f"[\r\n{separator}]", out.getvalue()):
            begin = unicodedata.normalize("NFKC", cell.strip('"\u200b\ufeff\0 \u00a0'))
            if begin[:1] in tuple(SIGNS) and not cell.startswith('"'):
                raise AssertionError(repr(cell))
