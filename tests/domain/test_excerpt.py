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
