"""An answer is embedded in its page if both fit into one round trip."""

from pathlib import Path

import pytest

from jara_webapi.pages import page_frames
from tests.webapi.pages.site_world import Site, open_site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A website with an open vote."""
    return open_site(tmp_path)


def test_a_long_answer_stays_behind(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has what is visible first, and the browser requests the rest."""
    monkeypatch.setattr(page_frames, "ANSWER_BYTES_MAX", 300)

    page = site.page("/proposals")
    assert "/user/get-proposals" not in page.live
    assert "Bees & hives" in page.plain
    assert "<h1>Bees &amp; hives</h1>" in page.answer.text


def test_a_long_answer_is_short_when_compressed(site: Site) -> None:
    """A dozen votes are over 16 kB, but much less when compressed."""
    story = "".join(f"<p>{number} hives need {number * 7} frames.</p>" for number in range(30))
    for number in range(12):
        site.desk.open_vote(slug=f"vote-{number}", title=f"Vote {number}", storySections=story)

    votes = site.page("/proposals").live["/user/get-proposals"]
    assert len(votes) == 13
    assert len(str(votes)) > 16_000
