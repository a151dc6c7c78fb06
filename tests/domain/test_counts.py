"""Numbers with their nouns."""

from __future__ import annotations

from jara.domain.counts import count_of


def test_a_noun_follows_its_number() -> None:
    """One gift, two gifts, no entries."""
    assert count_of(1, "gift") == "1 gift"
    assert count_of(1200, "gift") == "1,200 gifts"
    assert count_of(0, "entry", "entries") == "0 entries"
