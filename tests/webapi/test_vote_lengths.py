"""All answers to votes have the same length, so that encrypted traffic reveals no vote."""

from __future__ import annotations

import pytest

from jara.records.log import Cosignature, Witness
from jara.services.publiclog.proofs import make_checkpoint
from jara_webapi.resources.proposals import ANSWER_BYTES
from tests.verifier.witness_keys import WitnessKey
from tests.webapi.desk import Desk


def test_every_answer_to_a_vote_is_equally_long(own: Desk) -> None:
    """The length is the same for yes, no, repeats, each proposal and each place in the log."""
    tokens = [own.join(email=f"m{number}@example.org") for number in range(6)]
    lengths, indexes = set(), []
    for title in ("Wells", "A proposal with a longer title than the other ones"):
        for vote in range(8):
            name = own.open_vote(title=title)
            for place, token in enumerate(tokens):
                choice = "upvote" if (place + vote) % 2 else "downvote"
                body = {"id": name, "voteType": choice, "nonce": f"{vote:032x}"}
                answers = [own.post("/user/votes", body, token=token) for _ in range(2)]
                lengths |= {len(answer.content) for answer in answers}
                indexes.append(answers[0].json["receipt"]["index"])
            own.clock.advance(minutes=2)

    assert lengths == {ANSWER_BYTES}
    assert indexes[0] < 100 < indexes[-1]


@pytest.mark.parametrize(
    ("witnesses", "is_carried"),
    [(3, True), (16, True), (55, False), (60, False)],  # 55: it fits without the message only
)
def test_a_cosigned_checkpoint_does_not_change_the_length(
    own: Desk, witnesses: int, is_carried: bool
) -> None:
    """A cosignature uses the room of the padding; one that does not fit is left out."""
    context, name, token = own.application.context, own.open_vote(), own.join()
    made = make_checkpoint(context)
    with context.store.write() as work:
        for number in range(witnesses):
            witness = WitnessKey(f"w{number}.example/witness", number)
            work.witnesses.put(Witness(witness.name, witness.text, "https://w", context.now()))
            line = witness.cosign(made.note).removeprefix(made.note)
            work.witnesses.keep(Cosignature(made.size, witness.name, line, context.now()))

    answer = own.post("/user/votes", {"id": name, "voteType": "upvote"}, token=token)

    assert len(answer.content) == ANSWER_BYTES
    assert (answer.json["receipt"]["cosigned"] is not None) == is_carried


def test_a_request_may_be_padded(own: Desk) -> None:
    """The site pads its requests, so that yes and no have the same length."""
    token, name = own.join(), own.open_vote()
    body = {"id": name, "voteType": "upvote", "padding": "  "}

    assert own.post("/user/votes", body, token=token).status_code == 200
    long = own.post("/user/votes", {**body, "padding": " " * 101}, token=token)
    assert long.status_code == 422
