"""Markdown as HTML: harmless, and with whole links."""

from __future__ import annotations

import pytest

from jara.domain.errors import InvalidInput
from jara.domain.markdown import check_markdown, markdown_html, markdown_text

SITE = "https://jara.example"


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Dear** friends", "<p><strong>Dear</strong> friends</p>\n"),
        ("[the well](/projects/well)", f'<p><a href="{SITE}/projects/well">the well</a></p>\n'),
        ("<script>x()</script>", "<p>&lt;script&gt;x()&lt;/script&gt;</p>\n"),
        ("[a](javascript:x)", "<p>[a](javascript:x)</p>\n"),
        ("[a](//evil.example)", '<p><a href="">a</a></p>\n'),
        ("<a@b.example>", '<p><a href="mailto:a@b.example">a@b.example</a></p>\n'),
        (
            "![The well](/w.png)",
            f'<p><img src="{SITE}/w.png" alt="The well" style="max-width:100%" /></p>\n',
        ),
    ],
)
def test_html_is_harmless_and_its_links_are_whole(text: str, html: str) -> None:
    """No markup of the text passes, and paths lead to the site."""
    assert markdown_html(text, site_url=SITE) == html


def test_a_text_keeps_its_words_and_gets_whole_links() -> None:
    """Programs without HTML show the Markdown."""
    assert markdown_text("- [well](/projects/well)\n", site_url=SITE) == (
        f"- [well]({SITE}/projects/well)"
    )


@pytest.mark.parametrize("text", ["[" * 501, "![" * 10_000, "[a](" * 5_000])
def test_a_text_with_too_many_brackets_is_refused(text: str) -> None:
    """Each opening bracket may begin a link, whose end the reader looks for in all that follows."""
    with pytest.raises(InvalidInput, match="a text has at most 500"):
        check_markdown(text)
