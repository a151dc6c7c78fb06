"""POST /api/user/votes, and where a member has voted."""

from __future__ import annotations

from typing import Annotated

from jara.bootstrap import Application
from jara.domain.voting.tally import Choice
from jara.services.ballots.casting import vote
from jara.services.ballots.counting import voted_on
from jara_webapi.calls.operations import Access, Call, operation
from jara_webapi.schemas.base import Document, Shape
from jara_webapi.schemas.votes import Receipt, Vote, Voted, VotedOn

ANSWER_BYTES = 8192
_ROOM_FOR_MESSAGE = 200  # in any language, with the fields around it
_CHOICES = {"upvote": Choice.UP, "downvote": Choice.DOWN}


class Votes:
    """Voting, and where a member has voted; choices are never stored with a name."""

    def __init__(self, application: Application) -> None:
        """Use an application's services."""
        self._app = application

    @operation(
        answer=Voted,
        access=Access.MEMBER,
        body=Vote,
        refuses=(403, 404, 409, 429),
        unsigned="Kindly register to vote",
        length=ANSWER_BYTES,
        before_payment=True,  # the refusal names the day from which they may vote
    )
    def on_post(self, call: Call, body: Vote) -> Voted:
        """Cast a vote, which is final; the response has the receipt."""
        receipt = vote(
            self._app.context,
            self._app.limits,
            body.id,
            call.member.id,
            _CHOICES[body.vote_type],
            nonce=None if body.nonce is None else bytes.fromhex(body.nonce),
        )
        return Voted(
            message="Your vote has been counted.",
            receipt=_fitting(Receipt.model_validate(receipt.document(), by_alias=True)),
        )

    @operation(answer=list[Annotated[Document, Shape(VotedOn)]], access=Access.MEMBER)
    def on_get(self, call: Call) -> list[Document]:
        """List the proposals on which the member has voted."""
        work = self._app.context.store.read_once()
        return [
            {
                "proposal": record.proposal.id,
                "slug": record.proposal.slug,
                "title": record.proposal.title,
                "status": record.proposal.status.value,
                "endDate": record.proposal.ends_text,
                "vote": "voted",
            }
            for record in work.proposals.among(voted_on(self._app.context, work, call.member.id))
        ]


def _fitting(receipt: Receipt) -> Receipt:
    """Return a receipt that fits into an answer.

    All answers have the same length, so it does not reveal the choice or the place in the log. A
    proof has at most 64 hashes, which is less than 6 KiB; a cosigned checkpoint that does not
    fit beside it is left out.
    """
    if receipt.cosigned is None:
        return receipt
    fits = len(receipt.model_dump_json(by_alias=True).encode()) <= ANSWER_BYTES - _ROOM_FOR_MESSAGE
    return receipt if fits else receipt.model_copy(update={"cosigned": None})
