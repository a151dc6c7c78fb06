"""A funded proposal names its project once the project is public."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from jara.services.content import publish_item
from jara.services.projects.funding import fund_proposal
from jara.services.proposals.closing import close_vote
from tests.webapi.desk import Desk, open_desk


def listed(desk: Desk, proposal: str) -> Any:
    """Return one proposal of the visitor's list."""
    later_than_cache = timedelta(seconds=3)
    desk.clock.set(desk.clock.now() + later_than_cache)
    (found,) = (one for one in desk.get("/user/get-proposals").json if one["id"] == proposal)
    return found


def test_a_funded_proposal_names_its_published_project(place: Path) -> None:
    """The slug is missing while the vote is open or rejected or the project hidden."""
    desk = open_desk(place)
    passed, rejected = desk.open_vote(title="Clean wells"), desk.open_vote(title="Buses")
    token = desk.join()
    for proposal, choice in ((passed, "upvote"), (rejected, "downvote")):
        vote = {"id": proposal, "voteType": choice}
        assert desk.post("/user/votes", vote, token=token).status_code == 200
        assert listed(desk, proposal)["project"] is None
    desk.clock.set(desk.clock.now() + timedelta(days=20))
    context = desk.application.context
    for proposal in (passed, rejected):
        close_vote(context, proposal)
    item = fund_proposal(context, passed)

    assert listed(desk, passed)["project"] is None
    publish_item(context, "projects", item.id)

    shown = listed(desk, passed)
    assert (shown["status"], shown["result"], shown["project"]) == ("funded", "passed", item.slug)
    assert listed(desk, rejected)["project"] is None
    page = desk.get(f"/projects/{shown['project']}")
    assert (page.status_code, page.json["vote"]["id"]) == (200, passed)
