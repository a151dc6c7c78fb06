"""Numbers with their nouns."""

from __future__ import annotations

from jara.domain.counts import count_of


def test_a_noun_follows_its_number() -> None:
    """One gift, two gifts, no entries."""
    assert "1 gift" == count_of(1, "gift")
    assert "1,200 gifts" == count_of(1200, "gift")
    assert "0 entries" == count_of(0, "entry", "entries")
