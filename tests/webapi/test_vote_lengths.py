"""All answers to votes have the same length, so that encrypted traffic reveals no vote."""

import json

from jara.services.proposals.closing import close_due_votes
from jara.services.proposals.lifecycle import draft_proposal
from jara.services.publiclog.proofs import log_size
from jara_webapi.resources.proposals import ANSWER_BYTES
from jara_webapi.resources.publiclog import PROOF_BYTES
from tests.services.ballots.voting_world import PROPOSAL
from tests.webapi.desk import Desk, later


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


def test_no_address_and_no_length_reveals_the_ballot_of_a_receipt(own: Desk) -> None:
    """The question is a body, which access logs do not keep; answers are equally long."""
    name, receipts = own.open_vote(), []
    for number in range(40):
        token = own.join()
        body = {"id": name, "voteType": "upvote" if number % 2 else "downvote"}
        receipts.append(own.post("/user/votes", body, token=token).json["receipt"])
    lengths = []
    for days in (0, 11):
        later(own, days=days)
        close_due_votes(own.application.context)
        for receipt in receipts:
            asked = {
                "proposal": name,
                "voter": json.loads(receipt["leafBytes"])["voter"],
                "key": receipt["key"],
                "size": log_size(own.application.context),
            }
            answer = own.post("/proofs/ballot", asked)
            assert (answer.json["ballot"] is None) == (days == 0)
            lengths.append(len(answer.content))

    assert set(lengths) == {PROOF_BYTES}
    assert own.get("/proofs/ballot", params=asked).status_code == 405


def test_a_question_about_a_ballot_shows_no_draft(own: Desk) -> None:
    """The beginning of a name finds nothing, and a draft is unknown."""
    draft_proposal(own.application.context, {**PROPOSAL, "id": "prop_secret", "slug": "a-secret"})
    asked = {"voter": "0" * 64, "key": "0" * 64, "size": 1}
    answers = [
        own.post("/proofs/ballot", {**asked, "proposal": name})
        for name in ("prop_", "a-secret", "prop_secret", "none")
    ]

    assert [answer.status_code for answer in answers] == [404] * 4
    assert [answer.text for answer in answers if "Clean water" in answer.text] == []


def test_a_request_may_be_padded(own: Desk) -> None:
    """The site pads its requests, so that yes and no have the same length."""
    token, name = own.join(), own.open_vote()
    body = {"id": name, "voteType": "upvote", "padding": "  "}

    assert own.post("/user/votes", body, token=token).status_code == 200
    long = own.post("/user/votes", {**body, "padding": " " * 101}, token=token)
    assert long.status_code == 422
