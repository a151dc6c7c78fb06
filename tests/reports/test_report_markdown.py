"""Markdown shows texts as they were typed."""

import pytest

from jara.reports.markdown_writer import escape_paragraph, escape_text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("80.0% spent", "80.0% spent"),
        ("1. first", "1\\. first"),
        ("- no list", "\\- no list"),
        ("# no heading", "\\# no heading"),
        ("a | b", "a \\| b"),
        ("<b> & [x](y)", "&lt;b&gt; &amp; \\[x\\](y)"),
        ("two\nlines", "two lines"),
    ],
)
def test_markdown_characters_are_escaped(text: str, written: str) -> None:
    """Only characters that start markup are escaped."""
    assert escape_paragraph(text) == written


def test_markdown_cells_need_no_line_start() -> None:
    """A character in a table cell cannot start a list."""
    assert escape_text("+1.5") == "+1.5"
