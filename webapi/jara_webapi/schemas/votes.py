"""Proposals, votes and receipts."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from jara.domain.content.schema import MEASURE
from jara.services.proposals.documents import TEXTS
from jara.services.publiclog.receipts import Receipt
from jara_webapi.schemas.base import Answer, Body, Component, Document, Done
from jara_webapi.schemas.document_fields import original_schema

_BUDGET = next(field.fields for field in TEXTS if field.name == "budgetList")


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


class Rule(Answer):
    """The share of the roll that must vote yes."""

    num: int
    den: int
    of: str


class Tally(Answer):
    """The counts of one vote."""

    yes: int
    no: int
    void: int
    roll: int
    not_voted: int
    needed: int
    upvote_percentage: float
    downvote_percentage: float
    rule: Rule
    passes: bool
    final: bool


class Submitter(Answer):
    """A local partner."""

    name: str | None
    linkedin_url: str
    image: str | None


class BudgetLine(Answer):
    """A row of a proposal's budget."""

    description: str
    amount: int | float
    amount_cents: int
    original: Annotated[Document, WithJsonSchema(original_schema(_BUDGET))] | None = None


class Measure(Answer):
    """What the project is to change: from the baseline to the target, by a day."""

    id: str
    name: str
    unit: str
    baseline: int | float
    target: int | float
    by: date
    cost_per_unit: bool = True
    original: Annotated[Document, WithJsonSchema(original_schema(MEASURE))] | None = None


class Proposal(Answer):
    """A proposal (spec §3), in the reader's language as far as it has translations."""

    mongo_id: str = Field(alias="_id")
    id: str
    version: int = Field(default=0, alias="__v")
    slug: str
    title: str
    summary: str
    funding_goal: int | float
    funding_goal_cents: int
    country: str
    country_code: str
    category: str
    end_date: str
    status: Literal["open", "passed", "rejected", "withdrawn", "funded"]
    upvote_percentage: float
    downvote_percentage: float
    votes: int
    submitters: list[Submitter]
    story_sections: str
    implementation: str
    budget_list: list[BudgetLine]
    metrics: str | list[str]
    measures: list[Measure]
    tally: Tally
    opened_at: str | None = None
    decided_at: str | None = None
    key_destroyed_at: str | None = None
    result: Literal["passed", "rejected"] | None = None
    project: str | None = None
    sample: bool = False
    language: str
    original: Annotated[Document, WithJsonSchema(original_schema(TEXTS))] | None = None
    """The texts that a translation replaced; the vote is on these."""


class MemberProposal(Proposal):
    """A proposal, and whether the member has voted on it."""

    user_vote: Literal["voted"] | None


class VotedOn(Answer):
    """A proposal on which the member has voted."""

    proposal: str
    slug: str
    title: str
    status: str
    end_date: str
    vote: Literal["voted"]
