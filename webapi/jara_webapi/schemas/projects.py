"""What the API adds to the content of a project: its figures, its money, its evidence."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import WithJsonSchema

from jara.domain.content.kinds import KINDS, PROJECTS, UPDATES
from jara_webapi.schemas.base import Answer, Document, Shape
from jara_webapi.schemas.content import fields_schema, item_schema
from jara_webapi.schemas.reports import Foreign, ForeignSum
from jara_webapi.schemas.votes import Tally


class ProjectCard(Answer):
    """The figures of a project's card."""

    summary: str
    progress: int
    capital_used_cents: int
    sample: bool


class Evidence(Answer):
    """A photo or document that shows a milestone was reached, named by the hash of its bytes."""

    path: str
    sha256: str
    is_image: bool


class Milestone(Answer):
    """What was paid for a milestone, and its evidence."""

    paid_cents: int
    evidence: list[Evidence]


class ProjectPayout(Answer):
    """A payment to a project in the books; negative if it was returned."""

    entry: str
    index: int
    date: date
    cents: int
    proposal: str | None
    foreign: Foreign | None = None


class Commitment(Answer):
    """The money that a passed vote committed, and what became of it."""

    goal_cents: int
    held_cents: int
    paid_cents: int
    released_cents: int
    queued_cents: int


class ProjectVote(Answer):
    """The vote that funds a project."""

    id: str
    slug: str
    title: str
    status: str
    end_date: str
    tally: Tally


class ProjectPage(ProjectCard):
    """A project with its vote, money and updates."""

    story: str
    milestones: list[
        Annotated[
            Document,
            Shape(Milestone, fields_schema(KINDS[PROJECTS].field("milestones").fields)),
        ]
    ]
    updates: list[Annotated[Document, WithJsonSchema(item_schema(KINDS[UPDATES]))]]
    commitment: Commitment | None
    payouts: list[ProjectPayout]
    paid_abroad: list[ForeignSum]
    paid_cents: int
    vote: ProjectVote | None
