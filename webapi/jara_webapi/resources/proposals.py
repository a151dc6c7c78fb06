"""Proposals and votes; choices are never stored with a name."""

from typing import Annotated

from jara.bootstrap import Application
from jara.documents import to_document
from jara.domain.giving.member import Member
from jara.domain.voting.tally import Choice
from jara.files.html import clean_html
from jara.services.ballots.casting import vote as cast_vote
from jara.services.ballots.counting import ids_voted_on, list_voted_on
from jara.services.context import Context
from jara.services.proposals.views import list_public
from jara_webapi.calls.operations import Access, Call, get, post
from jara_webapi.calls.scenes import Scenes
from jara_webapi.schemas.base import Document, Shape, dollars
from jara_webapi.schemas.votes import Proposal, Vote, Voted, VotedOn, proposal_schema

ANSWER_BYTES = 2048
"""The length of every answer, so that it does not reveal the choice."""
_CHOICES = {"upvote": Choice.UP, "downvote": Choice.DOWN}


Listed = Annotated[Document, Shape(Proposal, proposal_schema())]


@get(answer=list[Listed], access=Access.OPTIONAL, cached=True, in_languages=True)
def proposals(context: Context, scenes: Scenes, call: Call) -> list[Document]:
    """List the proposals: open votes first, then those that ended, newest first.

    A member also sees on which ones they have voted.
    """
    documents = [scenes.with_faces(_shown(one)) for one in list_public(context)]
    if call.session is None:
        return documents
    ids = ids_voted_on(context, call.member.id)
    return [{**one, "userVote": "voted" if one["id"] in ids else None} for one in documents]


@post(
    access=Access.MEMBER,
    refuses=(403, 404, 409, 429),
    unsigned="Kindly register to vote",
    length=ANSWER_BYTES,
    before_payment=True,  # the refusal names the day from which they may vote
)
def vote(app: Application, member: Member, body: Vote) -> Voted:
    """Cast a vote, which is final; the response has the receipt."""
    receipt = cast_vote(
        app.context,
        app.limits,
        body.id,
        member.id,
        _CHOICES[body.vote_type],
        nonce=None if body.nonce is None else bytes.fromhex(body.nonce),
    )
    return Voted(message="Your vote has been counted.", receipt=to_document(receipt))


@get(answer=list[Annotated[Document, Shape(VotedOn)]], access=Access.MEMBER, in_languages=True)
def voted_on(context: Context, member: Member) -> list[Document]:
    """List the proposals on which the member has voted."""
    return [
        {
            "proposal": record.proposal.id,
            "slug": record.proposal.slug,
            "title": record.title_in(context.language),
            "status": record.proposal.status.value,
            "endDate": record.proposal.ends_text,
            "vote": "voted",
        }
        for record in list_voted_on(context, member.id)
    ]


_ALWAYS = {
    "__v": 0,
    "openedAt": None,
    "decidedAt": None,
    "keyDestroyedAt": None,
    "result": None,
    "offRoll": None,
    "withdrawal": None,
    "project": None,
    "sample": False,
    "original": None,
}


def _shown(document: Document) -> Document:
    """Return a proposal with money in whole units too, and its HTML cleaned once more."""
    return {
        **_ALWAYS,
        **document,
        "fundingGoal": dollars(document["fundingGoalCents"]),
        "budgetList": [
            {"original": None, **line, "amount": dollars(line["amountCents"])}
            for line in document["budgetList"]
        ],
        "measures": [
            {"costPerUnit": True, "original": None, **measure} for measure in document["measures"]
        ],
        "storySections": clean_html(document["storySections"]),
        "implementation": clean_html(document["implementation"]),
    }
