"""Proposals, votes and receipts."""

from typing import Annotated, Literal

from pydantic import Field

from jara.domain.content.kinds import PROPOSAL
from jara.domain.content.translations import ORIGINAL
from jara.domain.voting.tally import VoteCounts
from jara.services.books.commitments import Release
from jara.services.publiclog.receipts import Receipt
from jara_webapi.schemas.base import Answer, Body, Component, Document, Done
from jara_webapi.schemas.document_fields import Schema, fields_schema, in_a_language


class Vote(Body):
    """A vote; the nonce identifies a retry.

    ``padding`` makes a yes as long as a no, so that the length of the encrypted request does
    not reveal the choice.
    """

    id: Annotated[str, Field(min_length=1, max_length=100)]
    vote_type: Literal["upvote", "downvote"]
    nonce: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    padding: Annotated[str, Field(max_length=100)] = ""


class Voted(Done):
    """The counted vote."""

    user_vote_status: Literal["voted"] = Field(default="voted", alias="user_vote_status")
    receipt: Annotated[Document, Component(Receipt)]


class Withdrawal(Answer):
    """Why a vote was withdrawn, and with how many ballots; null if an earlier version did it."""

    reason: str
    ballots: int | None


class Correction(Answer):
    """A translation that changed after the vote was opened; the log has its text."""

    language: str
    day: str
    reason: str


class OffRoll(Answer):
    """How many members were not on the roll, by reason; those with an address reason had paid."""

    payment: int
    address: int
    no_address: int


class Proposal(Answer):
    """A proposal (spec §3), in the reader's language as far as it has translations."""

    mongo_id: str = Field(alias="_id")
    version: int = Field(default=0, alias="__v")
    funding_goal: int | float
    status: Literal["open", "passed", "rejected", "withdrawn", "funded"]
    upvote_percentage: float | None
    downvote_percentage: float | None
    votes: int | None
    tally: Annotated[Document, Component(VoteCounts)]
    opened_at: str | None = None
    decided_at: str | None = None
    key_destroyed_at: str | None = None
    result: Literal["passed", "rejected"] | None = None
    off_roll: OffRoll | None = None
    withdrawal: Withdrawal | None = None
    corrections: list[Correction]
    project: str | None = None
    releases: list[Release] | None = None
    user_vote: Literal["voted"] | None = None


def proposal_schema() -> Schema:
    """Return the schema of a proposal's text, with the budget in units too.

    A text that no translation replaced has a null as its original.
    """
    schema = in_a_language(fields_schema(PROPOSAL.fields, filled=True))
    line = schema["properties"]["budgetList"]["items"]
    line["properties"]["amount"] = {"type": "number"}
    line["required"].append("amount")
    for part in (schema, line, schema["properties"]["measures"]["items"]):
        texts = part["properties"][ORIGINAL]
        part["properties"][ORIGINAL] = {"anyOf": [texts, {"type": "null"}]}
    return schema


class VotedOn(Answer):
    """A proposal on which the member has voted."""

    proposal: str
    slug: str
    title: str
    status: str
    end_date: str
    vote: Literal["voted"]
