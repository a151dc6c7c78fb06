"""Organisations for tests of the web API: one for a module, or one for a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jara.services.content import import_items
from tests.places import NewPlace
from tests.webapi.desk import Desk, open_desk
from tests.webapi.payments.live_desk import LiveDesk, open_live_desk


@pytest.fixture(scope="module")
def desk(new_place: NewPlace) -> Desk:
    """An organisation and its web API, shared by the tests of a module, on each engine."""
    return open_desk(new_place())


@pytest.fixture
def own(place: Path) -> Desk:
    """A separate organisation for one test, which may move its clock."""
    return open_desk(place)


@pytest.fixture
def live(place: Path) -> Iterator[LiveDesk]:
    """An organisation with live payments, on 31 January 2026."""
    with open_live_desk(place) as opened:
        yield opened


@pytest.fixture(scope="module")
def token(desk: Desk) -> str:
    """The token of a member who voted, in an organisation with content."""
    context = desk.application.context
    project = {
        "id": "wells",
        "title": "Clean wells",
        "status": "In Progress",
        "category": "water",
        "story": "<p>ok</p>",
        "updates": [
            {
                "id": "u1",
                "title": "Begun & dug",
                "author": "A",
                "date": "2026-10-01",
                "content": '<p onclick="x()">water</p>',
            }
        ],
    }
    import_items(context, "projects", [project])
    import_items(context, "faqs", [{"id": "q", "question": "Why?", "answer": "Because."}])
    token = desk.join()
    name = desk.open_vote(title="Wells, pumps; & more")
    desk.post("/user/votes", {"id": name, "voteType": "upvote"}, token=token)
    return token
