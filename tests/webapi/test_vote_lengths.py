"""All answers to votes have the same length, so that encrypted traffic reveals no vote."""

from __future__ import annotations

from jara_webapi.resources.proposals import ANSWER_BYTES
from tests.webapi.desk import Desk


def test_every_answer_to_a_vote_is_equally_long(own: Desk) -> None:
    """The length is the same for yes, no, repeats and each proposal."""
    tokens = [own.join(email=f"m{number}@example.org") for number in range(6)]
    lengths = set()
    for title in ("Wells", "A proposal with a longer title than the other ones"):
        for vote in range(8):
            name = own.open_vote(title=title)
            for place, token in enumerate(tokens):
                choice = "upvote" if (place + vote) % 2 else "downvote"
                body = {"id": name, "voteType": choice, "nonce": f"{vote:032x}"}
                answers = [own.post("/user/votes", body, token=token) for _ in range(2)]
                lengths |= {len(answer.content) for answer in answers}
            own.clock.advance(minutes=2)

    assert lengths == {ANSWER_BYTES}


def test_a_request_may_be_padded(own: Desk) -> None:
    """The site pads its requests, so that yes and no have the same length."""
    token, name = own.join(), own.open_vote()
    body = {"id": name, "voteType": "upvote", "padding": "  "}

    assert own.post("/user/votes", body, token=token).status_code == 200
    long = own.post("/user/votes", {**body, "padding": " " * 101}, token=token)
    assert long.status_code == 422
