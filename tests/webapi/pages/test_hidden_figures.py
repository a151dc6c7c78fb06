"""A vote that shows its figures at the close tells none before: no call, page, feed or command."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from jara.services.operations.start_page import read_start_page
from jara.services.proposals.closing import close_vote
from jara.services.proposals.views import list_proposals, tally_vote, verify_vote
from jara.services.publiclog.proofs import make_checkpoint
from tests.services.ballots.voting_world import open_vote
from tests.webapi.calls import CALLS
from tests.webapi.pages.site_world import Site, open_site

PAGES = (
    *("/", "/proposals", "/proposals/wells", "/impact", "/ledger", "/projects"),
    "/embed/proposals/wells",  # the preview image shows the same card
)


@pytest.fixture
def site(place: Path) -> Site:
    """A website with a vote that shows its figures at the close."""
    site = open_site(place)
    open_vote(
        site.desk.application.context, id="hidden", slug="wells", title="Wells", figures="at-close"
    )
    return site


def everything(site: Site, token: str) -> dict[str, Any]:
    """Return every answer of a GET call, for a visitor and a member, every page and every view."""
    context = site.desk.application.context
    reads = [known for known in CALLS if known.method == "GET"]
    answers: dict[str, Any] = {
        f"{known.address}{known.query} {who}": site.desk.get(
            known.address + known.query, **({"token": token} if who else {})
        ).content
        for known in reads
        for who in ("", "member")
    }
    for page in PAGES:
        answer = site.get(page)
        assert answer.status_code == 200, page
        answers[page] = answer.content
    answers["list"] = list_proposals(context)
    answers["tally"] = tally_vote(context, "hidden")
    answers["start"] = read_start_page(context)
    answers["verify"] = verify_vote(context, "hidden").points
    return answers


def cast(site: Site, token: str, choice: str) -> None:
    """Cast a member's vote."""
    body = {"id": "hidden", "voteType": choice}
    assert site.desk.post("/user/votes", body, token=token).status_code == 200


def test_no_answer_changes_with_a_ballot(site: Site) -> None:
    """A visitor, a member who has not voted and an operator read the same before and after."""
    reader, *voters = [site.desk.join() for _ in range(4)]
    make_checkpoint(site.desk.application.context)
    before = everything(site, reader)
    for token, choice in zip(voters, ("upvote", "upvote", "downvote"), strict=True):
        cast(site, token, choice)
    after = everything(site, reader)

    assert [name for name in before if before[name] != after[name]] == []
    assert after["tally"]["yes"] is None
    assert b"The figures of this vote are shown when it has closed." in after["/proposals/wells"]


def test_the_close_shows_the_figures(site: Site) -> None:
    """The result is as of every other vote, and the log says how it was held."""
    voter = site.desk.join()
    cast(site, voter, "upvote")
    site.desk.clock.set(datetime.fromisoformat("2026-12-02T00:00:00+00:00"))
    close_vote(site.desk.application.context, "hidden")

    assert tally_vote(site.desk.application.context, "hidden")["yes"] == 1
