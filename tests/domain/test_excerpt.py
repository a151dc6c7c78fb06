"""Excerpts of texts for emails."""

from __future__ import annotations

from jara.domain.content.excerpt import excerpt


def test_the_points_of_a_list_have_marks() -> None:
    """Each is a paragraph, and can be told from its neighbours when they are joined."""
    html = "<p>Done:</p><ul><li>62 m deep</li><li><p>4 taps</p></li><li></li></ul><p>See it.</p>"

    assert excerpt(html, characters=100).paragraphs == (
        "Done:",
        "• 62 m deep",
        "• 4 taps",
        "See it.",
    )


def test_an_excerpt_ends_with_a_paragraph_or_a_word() -> None:
    """Whole paragraphs are kept up to the length; a first one that is longer is cut at a word."""
    html = "<p>The <b>well</b> is full.</p><p>Come and see it.</p>"

    assert excerpt(html, characters=33) == (("The well is full.", "Come and see it."), "", True)
    assert excerpt(html, characters=32) == (("The well is full.",), "", False)
    assert excerpt(html, characters=10) == (("The well …",), "", False)


def test_the_first_picture_is_named() -> None:
    """One without an address is passed over."""
    html = '<img alt="x"><p>A<img src="/1.webp"></p><img src="/2.webp">'

    assert excerpt(html, characters=9) == (("A",), "/1.webp", True)
